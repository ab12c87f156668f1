// Whether warps that go on for long do later what they did in the trace of how they began: by the lanes, the global memory and the
// shared memory of an instruction. If they do, what comes later needs no parts of its own.
//
//   0.30 accesses an instruction of 31 lanes and 9 sectors, later 0.30 of 12 lanes and 4 sectors   ->   another
#pragma once
#include "record/trace.h"

namespace headroom::sim {

bool is_another_later(const std::vector<TracedBlock>&);

}  // namespace headroom::sim
