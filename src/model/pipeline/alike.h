// What the accesses of a trace met: launches of equal counters whose accesses did not meet alike take other times, as a
// histogram of other data does.
//
//   access_hash(trace) == access_hash(other)     as many banks, lines and lanes at one address, access by access
#pragma once
#include <cstdint>

#include "record/trace.h"

namespace headroom {

uint64_t access_hash(const Trace&);

}  // namespace headroom
