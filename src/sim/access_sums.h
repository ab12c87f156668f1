// What compiled code needs of a launch to serve an access that lies as it did last time, without its handler: what is
// remembered of accesses, and the sums that observers keep of them, where anybody looks on.
//
//   LDG R4, [R2.64], lanes as before   ->   sectors->global_load_requests += 1, global_load_sectors += 4, …
#pragma once
#include <cstdint>

#include "record/counters.h"
#include "record/source.h"
#include "sim/access_pattern.h"
#include "sim/memory.h"
#include "sim/observers/footprint.h"

namespace headroom::sim {

struct AccessSums {
  AccessPattern* patterns = nullptr;  // Machinery's, by site
  const Memory::Block* recent = nullptr;
  uint64_t shared_bytes = 0, memory_base = 0;
  Counters *sectors = nullptr, *conflicts = nullptr;  // of those observers; null: nobody looks
  InstructionCounts* by_instruction = nullptr;        // where it is asked for
  Footprint::Marks loaded, stored;
  // By basic block; lanes that branches lead away, by instruction, where it is asked for.
  uint64_t *entries = nullptr, *lanes_entered = nullptr, *taken = nullptr;
};

}  // namespace headroom::sim
