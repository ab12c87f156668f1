// rung    two_chains
// idea    two independent chains a thread: half the threads do the same
// expect  fp32_instructions / 0.5, global_load_requests / 0.75 against one_chain
// next    three_chains: does it go on like that?
//
// The thread keeps a second value and advances both in each iteration; nothing else differs. The two
// chains do not wait for each other, so a thread now offers two operations a latency, and half of the
// threads offer what all did. The operands b and c serve both chains: the second multiply-add finds
// them in the operand cache of the first, which relieves the register banks as well.
#include "studies/latency/latency.h"

const latency::Variant latency::two_chains =
    latency::variant<latency::MultiplyAdd, 2>(latency::multiply_add_on_host);
