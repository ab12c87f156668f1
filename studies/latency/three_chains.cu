// rung    three_chains
// idea    three chains: a third of the threads
// expect  fp32_instructions / 0.667 against two_chains
// next    four_chains: a fourth one
//
// A third value in each thread. What the chains share is read once from the registers while the warp
// issues them one behind the other, so the reads a step fall again: the share of the peak that full
// occupancy reaches grows with the chains, which latency hiding alone would not explain.
#include "studies/latency/latency.h"

const latency::Variant latency::three_chains =
    latency::variant<latency::MultiplyAdd, 3>(latency::multiply_add_on_host);
