// rung    one_chain
// idea    one chain a thread: an SM is filled by threads alone
// expect  what Little's law asks: latency x lanes operations in flight, so as many threads
// next    two_chains: a second, independent chain does the work of as many threads again
//
// One chain of dependent multiply-adds a thread, unrolled so that the loop's own branch costs about a
// percent. A step waits for the one before it, so a thread finishes one operation a latency and only
// other threads can fill the cycles between. Latency alone would let enough threads reach the peak; on
// Hopper they stop at half of it, because b and c never change and the step reads three different
// registers, more than two register banks deliver in a cycle. The controls at the end show that.
#include "studies/latency/latency.h"

const latency::Variant latency::one_chain =
    latency::variant<latency::MultiplyAdd, 1>(latency::multiply_add_on_host);
