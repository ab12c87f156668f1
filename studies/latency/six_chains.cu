// rung    six_chains
// idea    six chains, more than an arithmetic latency of 4 cycles: one warp a scheduler must do
// expect  fp32_instructions / 0.667 against four_chains; no faster than four chains
// next    eight_chains: and more
//
// Six values, two more than the latency needs. If anything still gained, something other than latency
// would have been hidden: this rung is there to show that nothing does, and what its longer loop body
// costs.
#include "studies/latency/latency.h"

const latency::Variant latency::six_chains =
    latency::variant<latency::MultiplyAdd, 6>(latency::multiply_add_on_host);
