// Accesses to what is not there. Those that end the launch run in a process of their own.
#include <cassert>
#include <cstdint>

#include "tests/check/cases.h"

namespace check {
namespace {

constexpr int n = 128;  // threads of a block

template <bool Mended>
__global__ void one_past_the_end(Memory m) {
  const int t = threadIdx.x;
  m.out[t] = 0;
  if (t < n - 1 || !Mended) m.out[words - n + 1 + t] = t;  // here: one_past_the_end
}

template <bool Mended>
__global__ void before_the_begin(Memory m) {
  const int t = threadIdx.x;
  const int left = t > 0 || !Mended ? m.data[t - 1] : 0;  // here: before_the_begin
  m.out[t] = left;
}

template <bool Mended>
__global__ void far_past_the_end(Memory m) {
  const long long row = Mended ? 1 : 1 << 24;
  m.out[row * threadIdx.x] = 1;  // here: far_past_the_end
}

template <bool Mended>
__global__ void through_null(Memory m) {
  const int* from = Mended ? m.data : *reinterpret_cast<int* const*>(m.flags);
  m.out[threadIdx.x] = from[threadIdx.x];  // here: through_null
}

template <bool Mended>
__global__ void atomic_far_off(Memory m) {
  atomicAdd(&m.flags[Mended ? threadIdx.x : 1 << 28], 1);  // here: atomic_far_off
}

template <bool Mended>
__global__ void between_words(Memory m) {
  const char* bytes = reinterpret_cast<const char*>(m.data) + (Mended ? 4 : 2);
  m.out[threadIdx.x] = reinterpret_cast<const int*>(bytes)[threadIdx.x];  // here: between_words
}

template <bool Mended>
__global__ void vector_between_vectors(Memory m) {
  const int4* vectors = reinterpret_cast<const int4*>(m.data + (Mended ? 4 : 3));
  const int4 v = vectors[threadIdx.x];  // here: vector_between_vectors
  m.out[threadIdx.x] = v.x + v.y + v.z + v.w;
}

template <bool Mended>
__global__ void past_shared_memory(Memory m) {
  extern __shared__ int tile[];  // 256 words
  const int t = threadIdx.x;
  tile[Mended ? t : t + 200] = t;  // here: past_shared_memory
  __syncthreads();
  m.out[t] = Mended ? tile[t] : 0;
}

template <bool Mended>
__global__ void before_shared_memory(Memory m) {
  __shared__ int tile[n];
  const int t = threadIdx.x;
  tile[t] = m.data[t];
  __syncthreads();
  m.out[t] = t >= (Mended ? 3 : 2) ? tile[t - 3] : 0;  // here: before_shared_memory
}

template <bool Mended>
__global__ void pair_between_pairs(Memory m) {
  __shared__ int tile[n + 2];
  const int t = threadIdx.x;
  tile[t] = t;
  if (t < 2) tile[n + t] = 0;
  __syncthreads();
  const int2 pair =
      *reinterpret_cast<int2*>(&tile[Mended ? t & ~1 : t]);  // here: pair_between_pairs
  m.out[t] = pair.x + pair.y;
}

template <bool Mended>
__global__ void past_local_memory(Memory m) {
  int values[4];
  const int t = threadIdx.x;
#pragma unroll 1
  for (int i = 0; i < 4; ++i) values[m.data[i]] = t;
  m.out[t] = values[m.data[Mended ? 3 : 1 << 12]];  // here: past_local_memory
}

template <bool Mended>
__global__ void freed_twice(Memory m) {
  int* mine = static_cast<int*>(malloc(16));
  *mine = int(threadIdx.x);
  m.out[threadIdx.x] = *mine;
  free(mine);
  if (!Mended) free(mine);  // here: freed_twice
}

template <bool Mended>
__global__ void used_after_free(Memory m) {
  int* mine = static_cast<int*>(malloc(16));
  if (!mine) return;
  *mine = int(threadIdx.x);
  if (Mended) m.out[0] = *mine;
  free(mine);
  if (!Mended) m.out[0] = *static_cast<volatile int*>(mine);  // here: used_after_free
}

template <bool Mended>
__global__ void assertion(Memory m) {
  assert(m.data[threadIdx.x] < (Mended ? n : n - 1));  // here: assertion
  m.out[threadIdx.x] = 1;
}

template <bool Mended>
__global__ void trapped(Memory m) {
  if (!Mended && m.data[threadIdx.x] == 5) __trap();  // here: trapped
  m.out[threadIdx.x] = 1;
}

__device__ __noinline__ int depth_of(int tree, int* out) {
  int kept[64];
  kept[tree & 63] = tree;
  const int below = tree ? depth_of(tree - 1, out) : 0;  // here: deep_recursion
  out[0] = kept[below & 63];
  return below + 1;
}

template <bool Mended>
__global__ void deep_recursion(Memory m) {
  m.out[1] = depth_of(Mended ? 2 : m.data[1 << 13], m.out);  // here: deep_recursion
}

constexpr Case cases[] = {
    CHECK_CASE(one_past_the_end, "out_of_bounds_global_store", 1, n),
    CHECK_CASE(before_the_begin, "out_of_bounds_global_load", 1, n),
    CHECK_CASE(far_past_the_end, "illegal_global_store", 1, n),
    CHECK_CASE(through_null, "illegal_global_load", 1, n),
    CHECK_CASE(atomic_far_off, "illegal_global_atomic", 1, n),
    CHECK_CASE(between_words, "misaligned_global_load", 1, n),
    CHECK_CASE(vector_between_vectors, "misaligned_global_load", 1, n),
    CHECK_CASE(past_shared_memory, "illegal_shared_store", 1, n),
    CHECK_CASE(before_shared_memory, "out_of_bounds_shared_load", 1, n),
    CHECK_CASE(pair_between_pairs, "misaligned_shared_load", 1, n),
    CHECK_CASE(past_local_memory, "illegal_local_load", 1, n),
    CHECK_CASE(freed_twice, "illegal_free", 1, 1),
    CHECK_CASE(used_after_free, "out_of_bounds_global_load", 1, 1),
    CHECK_CASE(assertion, "assert", 1, n),
    CHECK_CASE(trapped, "trap", 1, n),
    CHECK_CASE(deep_recursion, "stack_overflow", 1, 1),
};

}  // namespace

Cases bounds_cases() { return {cases, sizeof cases / sizeof *cases}; }

}  // namespace check
