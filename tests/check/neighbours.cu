// Indices past the end of one array that hit its neighbour: memory of the block, or of the thread, all
// the same, so that no hardware notices.
#include <cuda_pipeline.h>

#include "tests/check/cases.h"

namespace check {
namespace {

constexpr int n = 128;  // threads of a block

template <bool Mended>
__global__ void next_array(Memory m) {
  __shared__ int values[n], others[n];
  const int t = threadIdx.x;
  values[t] = m.data[t];
  others[t] = m.data[t + n];
  __syncthreads();
  const int next = Mended && t == n - 1 ? 0 : values[t + 1];  // here: next_array
  m.out[t] = next + others[n - 1 - t];
}

template <bool Mended>
__global__ void array_before(Memory m) {
  __shared__ int others[n], values[n], sums[n];
  const int t = threadIdx.x;
  others[t] = sums[t] = 0;
  values[t] = m.data[t];
  __syncthreads();
  const int left = Mended && t == 0 ? 0 : values[t - 1];  // here: array_before
  m.out[t] = left + others[n - 1 - t] + sums[n - 1 - t];
}

// A row too many of a tile clears the sums behind it.
template <bool Mended>
__global__ void row_too_many(Memory m) {
  __shared__ int tile[8][16];
  __shared__ int sums[16];
  const int t = threadIdx.x;
  if (t < 16) sums[t] = m.data[t];
  __syncthreads();
  int rows = Mended ? 8 : m.data[9];
  if (t < 16)
    for (int y = 0; y < rows; ++y) tile[y][t] = y;  // here: row_too_many
  __syncthreads();
  m.out[t] = tile[t / 16][t % 16] + sums[t % 16];
}

// Which of two buffers is known when it runs; it is the other's neighbour that is hit.
template <bool Mended>
__global__ void either_of_two(Memory m) {
  __shared__ int even[n], odd[n], last[n];
  const int t = threadIdx.x;
  even[t] = odd[t] = last[t] = t;
  __syncthreads();
  int sum = 0;
#pragma unroll 1
  for (int round = 0; round < 2; ++round) {
    const int* from = m.data[round] & 1 ? odd : even;
    sum += from[t + (Mended ? 0 : m.data[n])];  // here: either_of_two
  }
  m.out[t] = sum + last[n - 1 - t];
}

template <bool Mended>
__global__ void before_dynamic(Memory m) {
  extern __shared__ int tile[];
  __shared__ int sums[n];
  const int t = threadIdx.x;
  tile[t] = sums[t] = t;
  __syncthreads();
  const int left = Mended && t == 0 ? 0 : tile[t - 1];  // here: before_dynamic
  m.out[t] = left + sums[n - 1 - t];
}

template <bool Mended>
__global__ void pair_across_the_end(Memory m) {
  __shared__ alignas(8) int values[n + 1];
  __shared__ int others[n + 1];
  const int t = threadIdx.x;
  values[t] = others[t] = t;
  if (t == 0) values[n] = others[n] = 0;
  __syncthreads();
  const int last = Mended ? n - 2 : n;
  const int2 pair =
      *reinterpret_cast<const int2*>(&values[m.data[last]]);  // here: pair_across_the_end
  m.out[t] = pair.x + pair.y + others[n - t];
}

template <bool Mended>
__global__ void copied_into_next(Memory m) {
  __shared__ int first[n], second[n];
  const int t = threadIdx.x;
  const int to = Mended ? t : t + m.data[1];
  second[t] = m.data[t];
  __syncthreads();
  __pipeline_memcpy_async(&first[to], &m.data[t], sizeof(int));  // here: copied_into_next
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  m.out[t] = first[t ? t : 1] + second[n - 1 - t];
}

// Named is the function that has the arrays, not its caller.
__device__ __noinline__ int digits(const int* from, int count, int which) {
  int kept[8], counts[8];
  for (int i = 0; i < 8; ++i) kept[i] = counts[i] = from[i];
#pragma unroll 1
  for (int i = 0; i < count; ++i) kept[i] = from[i];  // here: in_a_function
  return kept[from[which]] + counts[from[7 - which]];
}

template <bool Mended>
__global__ void in_a_function(Memory m) {
  m.out[threadIdx.x] = digits(m.data, Mended ? 8 : 9, 3);
}

template <bool Mended>
__global__ void next_on_the_stack(Memory m) {
  int kept[8], counts[8];
  const int t = threadIdx.x;
  for (int i = 0; i < 8; ++i) kept[i] = counts[i] = m.data[i];
#pragma unroll 1
  for (int i = 0; i < (Mended ? 8 : m.data[9]); ++i) kept[i] = t;  // here: next_on_the_stack
  m.out[t] = kept[m.data[t & 7]] + counts[m.data[t & 3]];
}

template <bool Mended>
__global__ void before_on_the_stack(Memory m) {
  int counts[8], kept[8];
  const int t = threadIdx.x;
  for (int i = 0; i < 8; ++i) counts[i] = m.data[i + 1];
  for (int i = 0; i < 8; ++i) kept[i] = m.data[i];
  const int at = m.data[t & 7];
  m.out[t] = counts[at] + kept[Mended ? at : at - 1];  // here: before_on_the_stack
}

constexpr Case cases[] = {
    CHECK_CASE(next_array, "out_of_bounds_shared_load", 1, n),
    CHECK_CASE(array_before, "out_of_bounds_shared_load", 1, n),
    CHECK_CASE(row_too_many, "out_of_bounds_shared_store", 1, n),
    CHECK_CASE(either_of_two, "out_of_bounds_shared_load", 1, n),
    CHECK_CASE(before_dynamic, "out_of_bounds_shared_load", 1, n),
    CHECK_CASE(pair_across_the_end, "out_of_bounds_shared_load", 1, n),
    CHECK_CASE(copied_into_next, "out_of_bounds_shared_store", 1, n),
    CHECK_CASE(in_a_function, "out_of_bounds_local_store", 1, n),
    CHECK_CASE(next_on_the_stack, "out_of_bounds_local_store", 1, n),
    CHECK_CASE(before_on_the_stack, "out_of_bounds_local_load", 1, n),
};

}  // namespace

Cases neighbour_cases() { return {cases, sizeof cases / sizeof *cases}; }

}  // namespace check
