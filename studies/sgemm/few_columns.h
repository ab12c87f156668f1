// A product of few columns, at most 8: A, which is read once, goes from memory to registers.
//
//   few_columns_kernel<2><<<blocks * splits, FewColumns::threads>>>(product, splits, leftover);   // 1 or 2 columns
//
// A warp has four rows, its lanes neighbouring k: loads are of whole rows of A, at any address. B, a part
// of its k after the other, lies transposed in shared memory. At the end the lanes add theirs; where
// several blocks share the k of 32 rows, the last one to end adds what all left in memory.
#pragma once
#include "studies/sgemm/any_tile.h"

namespace sgemm {

struct FewColumns {
  static constexpr int warps = 8, threads = 32 * warps, warp_rows = 4, rows = warps * warp_rows;
  static constexpr int depth = 512, at_once = 4;  // k of B in shared memory; loads of a row at once
};

__device__ inline float sum_of_lanes(float value) {
#pragma unroll
  for (int apart = 16; apart > 0; apart /= 2) value += __shfl_xor_sync(~0u, value, apart);
  return value;
}

template <int columns>
static __global__ __launch_bounds__(FewColumns::threads) void few_columns_kernel(
    Product p, int splits, Leftover leftover) {
  using Sizes = FewColumns;
  constexpr int rows = Sizes::warp_rows, at_once = Sizes::at_once;
  __shared__ float of_b[columns][Sizes::depth];
  const int block = blockIdx.x / splits, split = blockIdx.x % splits;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int first_row = block * Sizes::rows + warp * rows;
  const int parts = blocks_over(p.k, Sizes::depth);
  const int from = int(int64_t(parts) * split / splits) * Sizes::depth;
  const int to = min(p.k, int(int64_t(parts) * (split + 1) / splits) * Sizes::depth);
  const float* of_a[rows];
#pragma unroll
  for (int i = 0; i < rows; ++i)
    of_a[i] = p.a + int64_t(min(first_row + i, p.m - 1)) * p.lda + lane;
  float sums[rows][columns] = {};
  for (int begin = from; begin < to; begin += Sizes::depth) {
    __syncthreads();
    for (int at = threadIdx.x; at < Sizes::depth * columns; at += Sizes::threads) {
      const int k = at / columns, j = at % columns;
      of_b[j][k] = begin + k < to && j < p.n ? p.b[int64_t(begin + k) * p.ldb + j] : 0;
    }
    __syncthreads();
    const int depth = min(Sizes::depth, to - begin);
#pragma unroll 2
    for (int k = 0; k < depth; k += 32 * at_once) {
      float a[rows][at_once];
#pragma unroll
      for (int i = 0; i < rows; ++i) {
#pragma unroll
        for (int q = 0; q < at_once; ++q) {
          a[i][q] = k + 32 * q + lane < depth ? __ldcs(of_a[i] + begin + k + 32 * q) : 0;
        }
      }
#pragma unroll
      for (int q = 0; q < at_once; ++q) {
#pragma unroll
        for (int j = 0; j < columns; ++j) {
          const float b = of_b[j][k + 32 * q + lane];
#pragma unroll
          for (int i = 0; i < rows; ++i) sums[i][j] = fmaf(a[i][q], b, sums[i][j]);
        }
      }
    }
  }
  // Lane i * columns + j keeps the sum of row i and column j.
  float mine = 0;
#pragma unroll
  for (int i = 0; i < rows; ++i) {
#pragma unroll
    for (int j = 0; j < columns; ++j) {
      const float sum = sum_of_lanes(sums[i][j]);
      if (lane == i * columns + j) mine = sum;
    }
  }
  const int row = first_row + lane / columns, column = lane % columns;
  const bool has = lane < rows * columns && row < p.m && column < p.n;
  if (splits == 1) {
    if (has) store_one(p, row, column, mine);
    return;
  }
  float* const all =
      static_cast<float*>(leftover.sums) + int64_t(block) * splits * Sizes::threads + threadIdx.x;
  __stcg(all + split * Sizes::threads, mine);
  if (!is_last(leftover.counters + block, splits)) return;
  float sum = 0;
#pragma unroll 4
  for (int other = 0; other < splits; ++other) sum += __ldcg(all + other * Sizes::threads);
  if (has) store_one(p, row, column, sum);
}

}  // namespace sgemm
