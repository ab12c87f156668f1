// How long atomics take in L2: who changes a place comes one after the other, of all SMs.
//
//   cycles_of_atomics(trace, requests of the launch)   ->   cycles of the busiest slice, or of the busiest float's sums
#pragma once
#include "record/trace.h"

namespace headroom {

double cycles_of_atomics(const Trace&, double requests);

}  // namespace headroom
