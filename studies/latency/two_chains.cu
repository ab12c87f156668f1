// rung    two_chains
// idea    two independent chains a thread: half the threads do the same
// expect  fp32_instructions / 0.5, global_load_requests / 0.75 against one_chain
// next    three_chains: does it go on like that?
#include "studies/latency/latency.h"

const latency::Variant latency::two_chains =
    latency::variant<latency::MultiplyAdd, 2>(latency::multiply_add_on_host);
