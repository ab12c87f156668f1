// rung    one_chain
// idea    one chain a thread: an SM is filled by threads alone
// expect  what Little's law asks: latency x lanes operations in flight, so as many threads
// next    two_chains: a second, independent chain does the work of as many threads again
#include "studies/latency/latency.h"

const latency::Variant latency::one_chain =
    latency::variant<latency::MultiplyAdd, 1>(latency::multiply_add_on_host);
