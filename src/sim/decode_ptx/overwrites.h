// Stores to where the kernel also reads. On hardware the warps of a block run abreast, and all of them
// read `x[i]` long before the first has written it back:
//
//   ld.global.u32 %r1, [%rd1]; add.u32 %r1, %r1, 1; st.global.u32 [%rd1], %r1;
//
// So a warp's turn ends before such a store, and the others get as far. Not where every thread has words
// of its own, as in x[blockIdx.x * blockDim.x + threadIdx.x] of a block of 256 × 1: there no warp reads
// what another writes. The same kernel in a block of 32 × 8 does.
#pragma once
#include <cstdint>
#include <set>

#include "ptx/module.h"

namespace headroom::sim {

// The instructions of the function's body before which a turn ends. axes: along which threads of
// different warps differ (axes_between_warps). Threads have words of their own where the address moves
// with every axis (thread_form.h) by at least the bytes that a thread touches around it, and a step
// along one known axis is at least 32 of another: rows of 32 or more, as tiles have. A pitch that is not
// known while decoding is taken for that.
std::set<int> overwriting_stores(const ptx::Function&, uint8_t axes);

}  // namespace headroom::sim
