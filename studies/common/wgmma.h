// Products of a warp group (wgmma, sm_90a): four warps multiply a tile of 64 rows by one of 128 columns,
// both in shared memory, into 64 sums a thread.
//
//   wgmma_begin();
//   wgmma<__nv_bfloat16>(sums, a, b, false);   // sums = a b: 64 x 16 times 16 x 128
//   wgmma<__nv_bfloat16>(sums, a2, b2, true);  // sums += a2 b2
//   wgmma_commit();                            // all are issued
//   wgmma_wait();                              // from here on the sums may be read
//
// A lies with neighbours along k side by side, B with neighbours along its rows (tnspB): both as a
// row-major matrix does. Thread t of the group holds, for every 8 columns j: rows t/32*16 + t%32/4 and
// 8 further, columns 8 j + t%4*2 and the next: sums[4 j + 2 (which row) + (which column)].
//
// Source: PTX ISA, "Asynchronous warpgroup level matrix instructions".
#pragma once
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>
#include <type_traits>

namespace study {

constexpr int wgmma_rows = 64, wgmma_columns = 128, wgmma_k = 16, wgmma_sums = 64;

enum Swizzle : uint64_t { swizzle_128 = 1, swizzle_64 = 2 };

// Where a tile lies. Blocks of 8 lines follow each other at `stride` bytes, blocks that lie side by side
// (of B, where a line is shorter than the tile) at `leading` bytes.
__device__ inline uint64_t wgmma_tile(uint32_t address, uint32_t leading, uint32_t stride,
                                      Swizzle swizzle) {
  return (address & 0x3ffff) >> 4 | uint64_t(leading >> 4) << 16 | uint64_t(stride >> 4) << 32 |
         uint64_t(swizzle) << 62;
}
// The same tile `bytes` further.
__device__ inline uint64_t wgmma_further(uint64_t tile, uint32_t bytes) {
  return tile + bytes / 16;
}

__device__ inline void wgmma_begin() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ inline void wgmma_commit() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
__device__ inline void wgmma_wait() {
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
}

// clang-format off
#define WGMMA_8_SUMS(i) "+f"(sums[i]), "+f"(sums[i + 1]), "+f"(sums[i + 2]), "+f"(sums[i + 3]), \
                        "+f"(sums[i + 4]), "+f"(sums[i + 5]), "+f"(sums[i + 6]), "+f"(sums[i + 7])
#define WGMMA(type)                                                                               \
  asm volatile("{\n.reg .pred adds;\nsetp.ne.b32 adds, %66, 0;\n"                                 \
               "wgmma.mma_async.sync.aligned.m64n128k16.f32." type "." type " {"                  \
               "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "           \
               "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, " \
               "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, " \
               "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"   \
               "}, %64, %65, adds, 1, 1, 0, 1;\n}"                                                \
               : WGMMA_8_SUMS(0), WGMMA_8_SUMS(8), WGMMA_8_SUMS(16), WGMMA_8_SUMS(24),            \
                 WGMMA_8_SUMS(32), WGMMA_8_SUMS(40), WGMMA_8_SUMS(48), WGMMA_8_SUMS(56)           \
               : "l"(a), "l"(b), "r"(int(adds)))
// clang-format on

template <typename T>
__device__ __forceinline__ void wgmma(float (&sums)[wgmma_sums], uint64_t a, uint64_t b,
                                      bool adds) {
  if constexpr (std::is_same_v<T, __nv_bfloat16>)
    WGMMA("bf16");
  else
    WGMMA("f16");
}

#undef WGMMA
#undef WGMMA_8_SUMS

}  // namespace study
