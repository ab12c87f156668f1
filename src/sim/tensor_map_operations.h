// Operations that change a tensor map: tensormap.replace, and tensormap.cp_fenceproxy, which copies
// one.
//
//   tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%r1], 1, %r2;
//   operand[0] = %r1, [1] = %r2; offset = the field global_dim, extra = dimension 1
#pragma once
#include <string_view>

#include "sim/program.h"

namespace headroom::sim {

// In the order of the manual's table; the first seven take a value, the others a dimension too.
inline constexpr std::string_view tensor_map_fields[] = {
    "global_address",    "rank",      "elemtype", "interleave_layout", "swizzle_mode",
    "swizzle_atomicity", "fill_mode", "box_dim",  "global_dim",        "global_stride",
    "element_stride"};

// operand[0]: 64-bit address, [1]: 64-bit value; site: 1 in shared memory, 0 in global.
void replace_in_tensor_map(Warp&, const Operation&);
// operand[0]: where in global memory, [1]: from where in shared memory.
void copy_tensor_map(Warp&, const Operation&);

}  // namespace headroom::sim
