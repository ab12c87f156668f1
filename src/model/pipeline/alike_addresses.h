// Which loads have one address for all threads of a block, as their code says: made of parameters, of the block's number and of
// counters, neither of a thread's number nor of what was loaded.
//
//   for (j …) sum += factor[j] * in[i + j];      factor[j] has, in[i + j] has not
#pragma once
#include <vector>

#include "record/trace.h"

namespace headroom {

std::vector<bool> alike_addresses(const Trace&);  // by instruction

}  // namespace headroom
