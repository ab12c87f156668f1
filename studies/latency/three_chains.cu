// rung    three_chains
// idea    three chains: a third of the threads
// expect  fp32_instructions / 0.667 against two_chains
// next    four_chains: a fourth one
#include "studies/latency/latency.h"

const latency::Variant latency::three_chains =
    latency::variant<latency::MultiplyAdd, 3>(latency::multiply_add_on_host);
