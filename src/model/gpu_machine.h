// The facts of the machine that a real GPU is: a known one of its name, or what the device says of
// itself.
//
//   machine_of({"NVIDIA H200", cc 9.0, 132 SMs})     the machine h200
//   machine_of({"NVIDIA GH200 480GB", cc 9.0, …})    limits of cc 9.0 with the device's own numbers,
//                                                    no rates (so no floors), and a caveat
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "machine/machine.h"
#include "record/timing.h"

namespace headroom {

struct GpuMachine {
  std::optional<Machine> machine;  // absent: not even occupancy can be computed
  bool known = false;              // of our machines or given, with rates
  std::vector<Caveat> caveats;
};

// `given`: of --machine, taken whatever the device says, with a caveat where they disagree.
GpuMachine machine_of(const GpuDevice&, const std::optional<Machine>& given);

}  // namespace headroom
