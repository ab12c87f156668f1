// How long atomics take in L2: who changes a place comes one after the other, of all SMs.
//
//   cycles_of_atomics(trace, requests of the launch)   ->   cycles of the busiest slice, or of the busiest float's sums
#pragma once
#include <optional>
#include <unordered_set>

#include "model/pipeline/memory_path.h"
#include "record/trace.h"

namespace headroom {

// but: an instruction whose accesses are not as on a GPU.
double cycles_of_atomics(const Trace&, double requests, std::optional<uint32_t> but = {});

// Sectors that every traced block that stores anything stores to: stores of all SMs to them take turns as atomics do. What those
// of a launch take, by what the played SM sent.
std::unordered_set<uint64_t> same_stores(const Trace&);
double cycles_of_same_stores(const MemoryUse&, double requests_of_sm);

}  // namespace headroom
