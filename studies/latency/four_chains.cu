// rung    four_chains
// idea    four chains: a quarter of the threads; here the source stops gaining
// expect  fp32_instructions / 0.75 against three_chains
// next    six_chains: more than the latency of today's machines
//
// A fourth value. The latency of a multiply-add is four cycles and a warp can issue one instruction a
// cycle, so four independent chains let a single warp fill the lanes of its scheduler: one warp on each
// of the four is enough. This is where the source's own curves end.
#include "studies/latency/latency.h"

const latency::Variant latency::four_chains =
    latency::variant<latency::MultiplyAdd, 4>(latency::multiply_add_on_host);
