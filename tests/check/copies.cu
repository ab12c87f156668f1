// Asynchronous copies whose bytes are touched before anybody waited for them.
#include <cuda_pipeline.h>

#include "tests/check/cases.h"

namespace check {
namespace {

constexpr int n = 128;  // threads of a block

template <bool Mended>
__global__ void no_wait(Memory m) {
  __shared__ int tile[n];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&tile[t], &m.data[t], sizeof(int));  // here: no_wait
  __pipeline_commit();
  if (Mended) __pipeline_wait_prior(0);
  m.out[t] = tile[t];  // here: no_wait
}

// The barrier orders the threads, but the copies may still be on their way.
template <bool Mended>
__global__ void barrier_is_no_wait(Memory m) {
  __shared__ int tile[n];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&tile[t], &m.data[t], sizeof(int));  // here: barrier_is_no_wait
  __pipeline_commit();
  if (Mended) __pipeline_wait_prior(0);
  __syncthreads();
  m.out[t] = tile[t ^ 32];  // here: barrier_is_no_wait
}

// Two stages, of which the last round must not leave one.
template <bool Mended>
__global__ void one_stage_left(Memory m) {
  __shared__ int tile[2][n];
  const int t = threadIdx.x, rounds = 4;
  __pipeline_memcpy_async(&tile[0][t], &m.data[t], sizeof(int));
  __pipeline_commit();
  int sum = 0;
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    if (round + 1 < rounds) {
      const int* from = &m.data[(round + 1) * n + t];
      int* to = &tile[(round + 1) & 1][t];
      __pipeline_memcpy_async(to, from, sizeof(int));  // here: one_stage_left
      __pipeline_commit();
    } else if (Mended) {
      __pipeline_commit();
    }
    __pipeline_wait_prior(1);
    sum += tile[round & 1][t];  // here: one_stage_left
  }
  m.out[t] = sum;
}

// Not committed: no group is waited for that has it.
template <bool Mended>
__global__ void not_committed(Memory m) {
  __shared__ int4 tile[n];
  const int t = threadIdx.x;
  const int4* from = reinterpret_cast<const int4*>(m.data);
  __pipeline_memcpy_async(&tile[t], &from[t], sizeof(int4));  // here: not_committed
  if (Mended) __pipeline_commit();
  __pipeline_wait_prior(0);
  const int4 mine = tile[t];  // here: not_committed
  m.out[t] = mine.x + mine.y + mine.z + mine.w;
}

// The next round's copy is of bytes that this one still writes.
template <bool Mended>
__global__ void written_too_soon(Memory m) {
  __shared__ int tile[n];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&tile[t], &m.data[t], sizeof(int));  // here: written_too_soon
  __pipeline_commit();
  if (Mended) __pipeline_wait_prior(0);
  tile[t] = m.data[t + n];  // here: written_too_soon
  __pipeline_wait_prior(0);
  m.out[t] = tile[t];
}

constexpr Case cases[] = {
    CHECK_CASE(no_wait, "race_async_copy", 1, n),
    CHECK_CASE(barrier_is_no_wait, "race_async_copy", 1, n),
    CHECK_CASE(one_stage_left, "race_async_copy", 1, n),
    CHECK_CASE(not_committed, "race_async_copy", 1, n),
    CHECK_CASE(written_too_soon, "race_async_copy", 1, n),
};

}  // namespace

Cases copy_cases() { return {cases, sizeof cases / sizeof *cases}; }

}  // namespace check
