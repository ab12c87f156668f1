// Which variables the address of each memory instruction is made of: by moves, sums, choices and
// conversions, whatever path is taken. Of PTX alone, where addresses of variables have names.
//
//   mov.u32 %r1, tile;  mad.lo.s32 %r2, %r3, 4, %r1;  ld.shared.u32 %r4, [%r2+-4];   tile
//
// A register that may also hold a number, or an address that was passed or loaded, says nothing.
// Arrays of local memory have no names of their own: they are the offsets from %SPL that nvcc adds,
// once for each.
#pragma once
#include "sim/decode_ptx/decoder.h"

namespace headroom::sim {

void find_reaches(ProgramDecoder&);

// Offsets of a function's .local variables, and behind the last of them.
std::pair<std::unordered_map<std::string, uint64_t>, uint64_t> place_locals(const ptx::Function&);

}  // namespace headroom::sim
