// How long atomics take in L2: who changes a place comes one after the other, of all SMs.
//
//   cycles_of_atomics(trace, requests of the launch)   ->   cycles of the busiest slice, or of the busiest float's sums
#pragma once
#include "record/trace.h"

namespace headroom {

double cycles_of_atomics(const Trace&, double requests);

// … of stores to places that every traced block stores to, as they take turns like atomics (by blockScan of HeCBench on an
// H200: 8448 blocks that store the same 4 KiB take 74 to 113 us).
double cycles_of_same_stores(const Trace&, double requests);

}  // namespace headroom
