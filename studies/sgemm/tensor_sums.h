// A thread's sums of a tile of 64 x 256, in halves of 128 columns: how they reach C, and how long sums are
// made in parts.
#pragma once
#include <cstdint>

#include "studies/sgemm/sgemm.h"
#include "studies/sgemm/split.h"

namespace sgemm {

constexpr int halves = 2, half_sums = 64;
constexpr int tensor_users = 256;  // threads that hold the sums of a tile

__device__ inline void thread_store_plain_sum(const Problem& p, int row, int column) {
  float sum = 0;
  for (int k = 0; k < p.k; ++k) sum += p.a[int64_t(row) * p.k + k] * p.b[int64_t(k) * p.n + column];
  thread_store(p, row, column, sum);
}

// Where a thread's sum `i` of half a tile lies, seen from its first one.
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

__device__ inline void thread_store_pair(const Problem& p, int row, int column, float2 sums) {
  float2& c = reinterpret_cast<float2&>(p.c[int64_t(row) * p.n + column]);
  const float2 before = p.beta == 0 ? float2{} : c;
  c.x = p.beta == 0 ? p.alpha * sums.x : p.alpha * sums.x + p.beta * before.x;
  c.y = p.beta == 0 ? p.alpha * sums.y : p.alpha * sums.y + p.beta * before.y;
}

__device__ __forceinline__ void thread_multiply_by(const Scale& scale, const Problem& p,
                                                   float (&sums)[half_sums], int row, int column) {
  const int of_row[] = {scale.rows[min(row, p.m - 1)], scale.rows[min(row + 8, p.m - 1)]};
#pragma unroll
  for (int i = 0; i < half_sums; i += 4) {
#pragma unroll
    for (int right = 0; right < 2; ++right) {
      const int of_column = scale.columns[min(column + place_of(i).column + right, p.n - 1)];
      sums[i + right] = scaled(sums[i + right], of_row[0] + of_column);
      sums[i + right + 2] = scaled(sums[i + right + 2], of_row[1] + of_column);
    }
  }
}

// Half a tile's sums to C; those that are infinite or no number are made again, plainly. What is the
// rule is short, since this code runs once a tile and has to be fetched for it.
__device__ __forceinline__ void thread_store_sums(const Problem& p, float (&sums)[half_sums],
                                                  int row, int column) {
  float zero = 0;  // else not a number
#pragma unroll
  for (int i = 0; i < half_sums; ++i) zero += 0 * sums[i];
  constexpr Place last = place_of(half_sums - 1);
  const bool in_pairs = p.n % 2 == 0 && reinterpret_cast<uintptr_t>(p.c) % sizeof(float2) == 0;
  if (zero == 0 && in_pairs && row + last.row < p.m && column + last.column < p.n) {
#pragma unroll
    for (int i = 0; i < half_sums; i += 2)
      thread_store_pair(p, row + place_of(i).row, column + place_of(i).column,
                        {sums[i], sums[i + 1]});
    return;
  }
  uint64_t again = 0;
#pragma unroll
  for (int i = 0; i < half_sums; ++i) {
    const Place at{row + place_of(i).row, column + place_of(i).column};
    if (at.row >= p.m || at.column >= p.n) continue;
    if (isfinite(sums[i]))
      thread_store(p, at.row, at.column, sums[i]);
    else
      again |= uint64_t(1) << i;
  }
  for (; again; again &= again - 1) {
    const Place at = place_of(__ffsll(again) - 1);
    thread_store_plain_sum(p, row + at.row, column + at.column);
  }
}

// A thread's sums of another part of the steps lie in global memory, a place for each block. Several
// loads do not wait for one another.
__device__ __forceinline__ float4* thread_part(float4* parts, int block) {
  return parts + int64_t(block) * half_sums / 2 * tensor_users + threadIdx.x % tensor_users;
}
__device__ __forceinline__ void thread_add_part(float4* parts, int block,
                                                float (&sums)[halves][half_sums]) {
  constexpr int batch = 4;
  const float4* part = thread_part(parts, block);
#pragma unroll
  for (int i = 0; i < halves * 16; i += batch) {
    float4 before[batch];
#pragma unroll
    for (int at = 0; at < batch; ++at) before[at] = __ldcg(part + (i + at) * tensor_users);
#pragma unroll
    for (int at = 0; at < batch; ++at) {
      float* sum = &sums[(i + at) / 16][(i + at) % 16 * 4];
      sum[0] += before[at].x, sum[1] += before[at].y, sum[2] += before[at].z,
          sum[3] += before[at].w;
    }
  }
}
__device__ __forceinline__ void thread_keep_part(float4* parts, float (&sums)[halves][half_sums]) {
  float4* part = thread_part(parts, blockIdx.x);
#pragma unroll
  for (int i = 0; i < halves * 16; ++i) {
    float* sum = &sums[i / 16][i % 16 * 4];
    __stcg(part + i * tensor_users, {sum[0], sum[1], sum[2], sum[3]});
    sum[0] = sum[1] = sum[2] = sum[3] = 0;
  }
}

// Where `shares` blocks share the steps of a tile: is this one the last to keep its part? `arrived` is
// zero before and after.
__device__ inline bool users_are_last(int* arrived, int shares) {
  __shared__ bool last;
  __threadfence();
  asm volatile("bar.sync 3, %0;" ::"n"(tensor_users) : "memory");
  if (threadIdx.x % tensor_users == 0) {
    last = atomicAdd(arrived, 1) == shares - 1;
    if (last) *arrived = 0;
  }
  asm volatile("bar.sync 3, %0;" ::"n"(tensor_users) : "memory");
  __threadfence();
  return last;
}

}  // namespace sgemm
