// Stores to where the kernel also reads. On hardware the warps of a block run abreast, and all of them
// read `x[i]` long before the first has written it back:
//
//   ld.global.u32 %r1, [%rd1]; add.u32 %r1, %r1, 1; st.global.u32 [%rd1], %r1;
//
// So a warp's turn ends before such a store, and the others get as far. Not where every thread has an
// address of its own, as in x[blockIdx.x * blockDim.x + threadIdx.x] of a block of 256 × 1: there no
// warp reads what another writes. The same kernel in a block of 32 × 8 does.
#pragma once
#include <cstdint>
#include <set>

#include "ptx/module.h"

namespace headroom::sim {

// The instructions of the function's body before which a turn ends. axes: along which threads of
// different warps differ (axes_between_warps). Addresses are followed through mov, cvt, cvta, add, sub,
// mul, mad and shl from the thread's index; whatever else makes one may give two threads the same.
std::set<int> overwriting_stores(const ptx::Function&, uint8_t axes);

}  // namespace headroom::sim
