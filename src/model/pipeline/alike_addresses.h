// Which loads have one address for all threads, as their code says: made of parameters and counters, neither of a thread's or a
// block's number nor of what was loaded. Threads may go round a loop unequally often: what they did must be asked, too.
//
//   for (j …) sum += factor[j] * in[i + j];      factor[j] has, in[i + j] has not
#pragma once
#include <vector>

#include "record/trace.h"

namespace headroom {

std::vector<bool> alike_addresses(const Trace&);  // by instruction

}  // namespace headroom
