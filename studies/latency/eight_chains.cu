// rung    eight_chains
// idea    eight chains: only registers are left to gain
// expect  fp32_instructions / 0.75 against six_chains; no faster than four chains
// next    none: the lanes are full
//
// Eight values a thread, at the price of eight registers and nothing else. The figure must be that of
// four chains again; that the two agree says that what is left to the peak is the loop itself.
#include "studies/latency/latency.h"

const latency::Variant latency::eight_chains =
    latency::variant<latency::MultiplyAdd, 8>(latency::multiply_add_on_host);
