// rung    four_chains
// idea    four chains: a quarter of the threads; here the source stops gaining
// expect  fp32_instructions / 0.75 against three_chains
// next    six_chains: more than the latency of today's machines
#include "studies/latency/latency.h"

const latency::Variant latency::four_chains =
    latency::variant<latency::MultiplyAdd, 4>(latency::multiply_add_on_host);
