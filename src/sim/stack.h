// What a thread takes with alloca: from the top of its local memory downwards, while the frames of
// functions grow from the bottom up. The last 16 bytes hold how much is taken.
//
//   alloca.u64 %rd1, 40, 16;   %rd1: a local address, a multiple of 16, of 40 bytes or more
//   stacksave.u64 %rd2;        %rd2: the lowest address taken
//   stackrestore.u64 %rd2;     what was taken since is free
#pragma once
#include "ptx/module.h"
#include "sim/program.h"

namespace headroom::sim {

// A thread's, where cudaLimitStackSize does not say more: a compiler of machine code needs less stack
// than PTX does, and a GPU whose stack is too small for a kernel that it knows makes it larger.
inline constexpr uint64_t least_stack = 64 << 10;
uint64_t stack_bytes(const Limits&);
uint64_t local_bytes_of_lane(const Program&, const Limits&);  // with what it may take

bool takes_stack(const ptx::Function&);  // it has one of these instructions
bool uses_stack(const Program&);         // one of its functions has

void begin_stack(Warp&, const Operation&);  // nothing is taken: the kernel begins
// operand[0] the address, [1] the size; extra: alignment
void take_stack(Warp&, const Operation&);
void save_stack(Warp&, const Operation&);     // operand[0] the lowest address taken
void restore_stack(Warp&, const Operation&);  // operand[0]

}  // namespace headroom::sim
