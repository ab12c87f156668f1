// Whether the rounds of a loop can be shared out among more threads: none needs what the one before has made, save for sums,
// which are added up in the end, and for counters and addresses that go up by the same each time.
//
//   for (r …) sum += a[r * n + c];            yes: FADD R4, R4, R2; IADD3 R6, R6, 0x2000, RZ
//   for (…) x = 0.5f * __sinf(x) + c;         no
//   while (node) node = next[node];           no
//   for (…) { … a[i + 1] = a[i] … }           no: what it stores it may load
#pragma once
#include "model/pipeline/loops.h"

namespace headroom {

bool rounds_can_be_shared(const Trace&, const Loop&);

}  // namespace headroom
