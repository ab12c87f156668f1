// What launches that are alike have in common, computed once for the last few of them: how many
// blocks an SM holds, and the largest floor. Who launches a small kernel a hundred thousand times
// waits for the launches, not for the kernel.
//
//   resident_of(machine, shape, resources)->blocks     8, as occupancy_of says
//   floor_of(machine, record, *resident)               3.1e-6, as bound says
#pragma once
#include <memory>

#include "machine/machine.h"
#include "model/occupancy.h"
#include "record/record.h"

namespace headroom::device {

std::shared_ptr<const Occupancy> resident_of(const Machine&, const LaunchShape&, const Resources&);
// Of a launch that ran and has no prediction yet.
double floor_of(const Machine&, const LaunchRecord&, const Occupancy&);

}  // namespace headroom::device
