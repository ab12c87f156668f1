// rung    eight_chains
// idea    eight chains: only registers are left to gain
// expect  fp32_instructions / 0.75 against six_chains; no faster than four chains
// next    none: the lanes are full
#include "studies/latency/latency.h"

const latency::Variant latency::eight_chains =
    latency::variant<latency::MultiplyAdd, 8>(latency::multiply_add_on_host);
