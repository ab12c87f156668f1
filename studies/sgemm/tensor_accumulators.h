// A thread's accumulators of a tile of 64 x 256, in halves of 128 columns: how they reach C, and the
// partials of split-K in global memory.
#pragma once
#include <cstdint>

#include "studies/sgemm/sgemm.h"
#include "studies/sgemm/split.h"

namespace sgemm {

constexpr int halves = 2, half_size = 64;
constexpr int tensor_users = 256;  // threads that hold the accumulators of a tile

__device__ inline void thread_store_plain_sum(const Product& p, int row, int column) {
  float sum = 0;
  for (int k = 0; k < p.k; ++k)
    sum += p.a[int64_t(row) * p.lda + k] * p.b[int64_t(k) * p.ldb + column];
  thread_store(p, row, column, sum);
}

// Where a thread's accumulator `i` of half a tile lies, seen from its first one.
struct Place {
  int row, column;
};
__device__ __forceinline__ constexpr Place place_of(int i) {
  return {i / 2 % 2 * 8, i / 4 * 8 + i % 2};
}

// In two steps, since a power of two may be too large or too small to be a float.
__device__ inline float scaled(float sum, int exponent) {
  return sum * power_of_2(exponent / 2) * power_of_2(exponent - exponent / 2);
}

__device__ inline void thread_store_pair(const Product& p, int row, int column,
                                         float2 accumulators) {
  float2& c = reinterpret_cast<float2&>(p.c[int64_t(row) * p.ldc + column]);
  const float2 before = p.beta == 0 ? float2{} : c;
  c.x = p.beta == 0 ? p.alpha * accumulators.x : p.alpha * accumulators.x + p.beta * before.x;
  c.y = p.beta == 0 ? p.alpha * accumulators.y : p.alpha * accumulators.y + p.beta * before.y;
}

__device__ __forceinline__ void thread_multiply_by(const Scale& scale, const Product& p,
                                                   float (&accumulators)[half_size], int row,
                                                   int column) {
  const int of_row[] = {scale.rows[min(row, p.m - 1)], scale.rows[min(row + 8, p.m - 1)]};
#pragma unroll
  for (int i = 0; i < half_size; i += 4) {
#pragma unroll
    for (int right = 0; right < 2; ++right) {
      const int of_column = scale.columns[min(column + place_of(i).column + right, p.n - 1)];
      accumulators[i + right] = scaled(accumulators[i + right], of_row[0] + of_column);
      accumulators[i + right + 2] = scaled(accumulators[i + right + 2], of_row[1] + of_column);
    }
  }
}

// Where a warp lays eight rows of 32 results, so that neighbouring lanes store neighbours.
struct WarpRows {
  static constexpr int rows = 8, columns = 32;
  float at[rows][columns + 4];
};

// Half a tile's accumulators to C where its rows are no pairs, or end within the tile.
__device__ __forceinline__ void warp_store_rows(const Product& p,
                                                const float (&accumulators)[half_size], int row,
                                                int column, WarpRows& rows) {
  const int lane = threadIdx.x % 32, first_row = row - lane / 4,
            first_column = column - lane % 4 * 2 + lane;
#pragma unroll
  for (int below = 0; below < 2; ++below) {
#pragma unroll
    for (int right = 0; right < half_size / 4; right += 4) {
      __syncwarp();
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const float* const pair = &accumulators[(right + i) * 4 + below * 2];
        *reinterpret_cast<float2*>(&rows.at[lane / 4][i * 8 + lane % 4 * 2]) = {pair[0], pair[1]};
      }
      __syncwarp();
      const int to_row = first_row + below * 8, to_column = first_column + right * 8;
      const int left = to_column < p.n ? min(p.m - to_row, WarpRows::rows) : 0;
      float* c = p.c + int64_t(to_row) * p.ldc + to_column;
#pragma unroll
      for (int i = 0; i < WarpRows::rows; ++i, c += p.ldc) {
        if (i >= left) continue;
        const float sum = rows.at[i][lane];
        *c = p.beta == 0 ? p.alpha * sum : p.alpha * sum + p.beta * *c;
      }
    }
  }
}

// Half a tile's accumulators to C; those that are infinite or NaN are computed again without a split.
// The usual paths are short: they run once a tile, and their instructions have to be fetched for that.
__device__ __forceinline__ void thread_store_accumulators(const Product& p,
                                                          float (&accumulators)[half_size], int row,
                                                          int column, WarpRows& rows) {
  float zero = 0;  // else NaN
#pragma unroll
  for (int i = 0; i < half_size; ++i) zero += 0 * accumulators[i];
  constexpr Place last = place_of(half_size - 1);
  const bool in_pairs = p.ldc % 2 == 0 && reinterpret_cast<uintptr_t>(p.c) % sizeof(float2) == 0;
  const bool inside = row + last.row < p.m && column + last.column < p.n;
  const bool finite = __all_sync(~0u, zero == 0);
  if (finite && __all_sync(~0u, in_pairs && inside)) {
#pragma unroll
    for (int i = 0; i < half_size; i += 2)
      thread_store_pair(p, row + place_of(i).row, column + place_of(i).column,
                        {accumulators[i], accumulators[i + 1]});
    return;
  }
  if (finite) {
    warp_store_rows(p, accumulators, row, column, rows);
    return;
  }
  uint64_t again = 0;
#pragma unroll
  for (int i = 0; i < half_size; ++i) {
    const Place at{row + place_of(i).row, column + place_of(i).column};
    if (at.row >= p.m || at.column >= p.n) continue;
    if (isfinite(accumulators[i]))
      thread_store(p, at.row, at.column, accumulators[i]);
    else
      again |= uint64_t(1) << i;
  }
  for (; again; again &= again - 1) {
    const Place at = place_of(__ffsll(again) - 1);
    thread_store_plain_sum(p, row + at.row, column + at.column);
  }
}

// The partials of a thread lie in global memory, a place for each block. The loads of a batch do not
// wait for one another.
__device__ __forceinline__ float4* thread_partials(float4* partials, int block) {
  return partials + int64_t(block) * half_size / 2 * tensor_users + threadIdx.x % tensor_users;
}
__device__ __forceinline__ void thread_add_partials(float4* partials, int block,
                                                    float (&accumulators)[halves][half_size]) {
  constexpr int batch = 4;
  const float4* partial = thread_partials(partials, block);
#pragma unroll
  for (int i = 0; i < halves * 16; i += batch) {
    float4 before[batch];
#pragma unroll
    for (int at = 0; at < batch; ++at) before[at] = __ldcg(partial + (i + at) * tensor_users);
#pragma unroll
    for (int at = 0; at < batch; ++at) {
      float* sum = &accumulators[(i + at) / 16][(i + at) % 16 * 4];
      sum[0] += before[at].x, sum[1] += before[at].y, sum[2] += before[at].z,
          sum[3] += before[at].w;
    }
  }
}
__device__ __forceinline__ void thread_store_partials(float4* partials,
                                                      float (&accumulators)[halves][half_size]) {
  float4* partial = thread_partials(partials, blockIdx.x);
#pragma unroll
  for (int i = 0; i < halves * 16; ++i) {
    float* sum = &accumulators[i / 16][i % 16 * 4];
    __stcg(partial + i * tensor_users, {sum[0], sum[1], sum[2], sum[3]});
    sum[0] = sum[1] = sum[2] = sum[3] = 0;
  }
}

// Of `slices` blocks that work on a tile: is this the last to store its partials? The semaphore is zero
// before and after.
__device__ inline bool users_are_last(int* semaphore, int slices) {
  __shared__ bool last;
  __threadfence();
  asm volatile("bar.sync 3, %0;" ::"n"(tensor_users) : "memory");
  if (threadIdx.x % tensor_users == 0) {
    last = atomicAdd(semaphore, 1) == slices - 1;
    if (last) *semaphore = 0;
  }
  asm volatile("bar.sync 3, %0;" ::"n"(tensor_users) : "memory");
  __threadfence();
  return last;
}

}  // namespace sgemm
