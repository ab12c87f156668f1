// Accesses that leave the variable their address is made of, and hit another of the same place, where
// the hardware sees no fault: an index past the end of one shared array, of one array on the stack, of
// a __device__ or __constant__ variable.
//
//   __shared__ int a[32], b[64];  a[32] = 1;   out_of_bounds_shared_store: 0 bytes past the end of 'a'
//
// Has no state, so that host threads can run blocks side by side: what it finds goes to the launch's
// strays, once an instruction.
#pragma once
#include "sim/machinery.h"

namespace headroom::sim::check {

void look_for_neighbours(const Access&, const Reach&);

struct Neighbours : Ignore {
  using Ignore::on;
  [[gnu::always_inline]] void on(const Access& access) {
    const Program& program = *access.warp.block->machinery->program;
    if (program.reaches.of.empty()) return;
    const Reach& reach = program.reaches.all[program.reaches.of[access.operation.instruction]];
    if (reach.variables.empty() || reach.place != access.space) return;
    const AccessPattern& pattern = access.pattern;
    const uint64_t low = access.first + uint64_t(pattern.low),
                   high = access.first + uint64_t(pattern.high) + pattern.bytes;
    const Reach::Variable& first = reach.variables.front();
    if (access.space != Place::local && !access.lane_bytes && low >= first.begin &&
        high <= first.end)
      return;
    look_for_neighbours(access, reach);
  }
};

}  // namespace headroom::sim::check
