// How long atomics take in L2: who changes a place comes one after the other, of all SMs.
//
//   cycles_of_atomics(trace, requests of the launch)   ->   cycles of the busiest slice, or of the busiest float's sums
#pragma once
#include <unordered_set>

#include "model/pipeline/memory_path.h"
#include "model/pipeline/retries.h"
#include "record/trace.h"

namespace headroom {

// but: what its swaps take is known apart.
double cycles_of_atomics(const Trace&, double requests, const Retries* but = nullptr);

// Sectors that every traced block that stores anything stores to: stores of all SMs to them take turns as atomics do. What those
// of a launch take, by what the played SM sent.
std::unordered_set<uint64_t> same_stores(const Trace&);
double cycles_of_same_stores(const MemoryUse&, double requests_of_sm);

}  // namespace headroom
