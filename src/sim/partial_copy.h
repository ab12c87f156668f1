// The lanes of a cp.async that bring fewer bytes than they write: 0 < src-size < cp-size.
//
//   cp.async.ca.shared.global [dst], [src], 16, 12;   12 bytes of memory, then 4 zeros
#pragma once
#include "sim/program.h"

namespace headroom::sim {

// operand[0]: the data, operation.extra bytes a lane; [1]: src-size; [address_operand]: 64-bit
// addresses of global memory.
void clear_copy(Warp&, const Operation&);  // all data zero
void copy_partly(Warp&, const Operation&);

}  // namespace headroom::sim
