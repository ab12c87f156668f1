// Functions inside a kernel's code that its warps call: what ptxas has for a quotient of 64 bits, a quotient of
// doubles, and the repair of a root or a reciprocal.
//
//   ISETP …; BSSY B0, 0x2b0; @!P0 BRA 0x180; MOV; CALL.REL.NOINC 0x340; …; BSYNC B0
//     ->  Call{at CALL, function 0x340 … RET, around it BSSY … BSYNC}
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "record/trace.h"

namespace headroom {

// Instructions, as indices into Trace::code; the last one too.
struct Stretch {
  uint32_t first = 0, last = 0;
  bool has(uint32_t instruction) const { return first <= instruction && instruction <= last; }
};

struct Call {
  uint32_t at = 0;
  Stretch function;
  Stretch around;  // the branch that decides on it and both its sides; or the call alone
};

// All that the code has, executed or not.
std::vector<Call> calls_of(const Trace&);

// To which instruction a branch leads, by its label.
std::optional<uint32_t> goes_to(const Trace&, uint32_t instruction);

// The branch that an instruction is before or in: from the mark where its lanes will meet (BSSY) to where they do
// (BSYNC). Absent: it has no mark.
std::optional<Stretch> branch_around(const Trace&, uint32_t instruction);

}  // namespace headroom
