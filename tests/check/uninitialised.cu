// Bytes that nobody wrote, that decide something: Memory::raw comes fresh from cudaMalloc.
#include <cuda_pipeline.h>

#include <cstdint>

#include "tests/check/cases.h"

namespace check {
namespace {

constexpr int n = 128;  // threads of a block

template <bool Mended>
__global__ void decides_a_branch(Memory m) {
  const int t = threadIdx.x;
  if (Mended) m.raw[t] = t;
  if (m.raw[t] > 3) m.out[atomicAdd(m.flags, 1)] = t;  // here: decides_a_branch
}

template <bool Mended>
__global__ void is_an_address(Memory m) {
  const int t = threadIdx.x;
  if (Mended) m.raw[t] = t;
  m.out[m.raw[t] & 255] = 1;  // here: is_an_address
}

template <bool Mended>
__global__ void makes_a_result(Memory m) {
  const int t = threadIdx.x;
  const int addend = Mended ? m.data[t] : m.raw[t];  // here: makes_a_result
  m.out[t] = 3 * addend + 1;                         // here: makes_a_result
}

// The twin copies, which is no fault, and nobody looks at the copy.
template <bool Mended>
__global__ void is_more_than_copied(Memory m) {
  const int t = threadIdx.x;
  const int value = m.raw[t];             // here: is_more_than_copied
  m.out[t] = Mended ? value : value ^ 1;  // here: is_more_than_copied
}

template <bool Mended>
__global__ void never_zeroed(Memory m) {
  if (Mended) {
    if (threadIdx.x == 0) m.raw[0] = 0;
    __syncthreads();
  }
  atomicAdd(m.raw, 1);  // here: never_zeroed
}

// The last threads' words were not written.
template <bool Mended>
__global__ void last_words(Memory m) {
  const int t = threadIdx.x;
  if (Mended || t < n - 5) m.raw[t] = t;
  __syncthreads();
  m.out[t] = m.raw[n - 1 - t] + 1;  // here: last_words
}

// What was copied within memory is as unwritten as before.
template <bool Mended>
__global__ void copied_then_used(Memory m) {
  const int t = threadIdx.x;
  if (Mended) m.raw[t] = t;
  m.out[t] = m.raw[t];
  __syncthreads();
  if (m.out[n - 1 - t] == 7) m.flags[0] = 1;  // here: copied_then_used
}

template <bool Mended>
__global__ void from_malloc(Memory m) {
  int* mine = static_cast<int*>(malloc(sizeof(int)));
  if (!mine) return;
  if (Mended) *mine = 4;
  m.out[threadIdx.x] = *mine * 5;  // here: from_malloc
  free(mine);
}

template <bool Mended>
__global__ void sum_with_a_tail(Memory m) {
  __shared__ int sums[n];
  const int t = threadIdx.x;
  if (t < n - 28)
    sums[t] = m.data[t];
  else if (Mended)
    sums[t] = 0;
  for (int half = n / 2; half > 0; half /= 2) {
    __syncthreads();
    if (t < half) sums[t] += sums[t + half];  // here: sum_with_a_tail
  }
  if (t == 0) m.out[0] = sums[0];  // here: sum_with_a_tail
}

template <bool Mended>
__global__ void flag_of_the_block(Memory m) {
  __shared__ int flag;
  const int t = threadIdx.x;
  if (Mended && t == 0) flag = 0;
  __syncthreads();
  if (m.data[t] == n) flag = t;
  __syncthreads();
  if (flag) m.out[t] = 1;  // here: flag_of_the_block
}

template <bool Mended>
__global__ void full_bins(Memory m) {
  __shared__ unsigned bins[16];
  const int t = threadIdx.x;
  if (Mended && t < 16) bins[t] = 0;
  __syncthreads();
  atomicAdd(&bins[m.data[t] % 16], 1u);  // here: full_bins
  __syncthreads();
  if (t < 16) m.out[t] = int(bins[t]);
}

template <bool Mended>
__global__ void halo(Memory m) {
  __shared__ int tile[n + 2];
  const int t = threadIdx.x;
  tile[t + 1] = m.data[t];
  if (t == 0) tile[0] = 0;
  if (Mended && t == n - 1) tile[n + 1] = 0;
  __syncthreads();
  const int right = tile[t + 2];             // here: halo
  m.out[t] = tile[t] + tile[t + 1] + right;  // here: halo
}

template <bool Mended>
__global__ void dynamic_tile(Memory m) {
  extern __shared__ int tile[];
  const int t = threadIdx.x;
  if (Mended || t % 2) tile[t] = t;
  __syncthreads();
  m.out[t] = -tile[t ^ 3];  // here: dynamic_tile
}

// One byte of a word is missing.
template <bool Mended>
__global__ void byte_of_a_word(Memory m) {
  __shared__ uchar4 colours[n];
  const int t = threadIdx.x;
  colours[t].x = uint8_t(t);
  colours[t].y = uint8_t(t + 1);
  colours[t].w = 255;
  if (Mended) colours[t].z = 0;
  __syncthreads();
  const uchar4 other = colours[t ^ 1];               // here: byte_of_a_word
  m.out[t] = other.x + other.y + other.z * other.w;  // here: byte_of_a_word
}

// The twin uses the half that was written.
template <bool Mended>
__global__ void half_of_a_word(Memory m) {
  __shared__ volatile uint32_t pairs[n];
  const int t = threadIdx.x;
  reinterpret_cast<volatile uint16_t*>(&pairs[t])[0] = uint16_t(t);
  __syncthreads();
  const uint32_t pair = pairs[t ^ 1];                         // here: half_of_a_word
  m.out[t] = int((Mended ? pair & 0xffff : pair >> 16) * 3);  // here: half_of_a_word
}

// Of a vector the second half.
template <bool Mended>
__global__ void part_of_a_vector(Memory m) {
  __shared__ int4 vectors[n];
  const int t = threadIdx.x;
  vectors[t].x = vectors[t].y = t;
  if (Mended) vectors[t].z = vectors[t].w = t;
  __syncthreads();
  const int4 other = vectors[t ^ 1];                 // here: part_of_a_vector
  m.out[t] = other.x + other.y + other.z + other.w;  // here: part_of_a_vector
}

template <bool Mended>
__global__ void local_array(Memory m) {
  int values[8];
  const int t = threadIdx.x;
#pragma unroll 1
  for (int i = 0; i < (Mended ? 8 : 7); ++i) values[m.data[i]] = t + i;
  int sum = 0;
#pragma unroll 1
  for (int i = 0; i < 8; ++i) sum += values[m.data[i]];  // here: local_array
  m.out[t] = sum;                                        // here: local_array
}

// A lane's value goes through a shuffle to another one.
template <bool Mended>
__global__ void through_a_shuffle(Memory m) {
  __shared__ int tile[n];
  const int t = threadIdx.x;
  if (Mended || t % 32 != 9) tile[t] = t;
  int value = tile[t];  // here: through_a_shuffle
  for (int delta = 16; delta; delta /= 2) value += __shfl_down_sync(~0u, value, delta);
  if (t % 32 == 0) m.out[t] = value;  // here: through_a_shuffle
}

template <bool Mended>
__global__ void through_a_vote(Memory m) {
  __shared__ int tile[n];
  const int t = threadIdx.x;
  if (Mended || t % 32 != 3) tile[t] = t;
  const int value = tile[t];                       // here: through_a_vote
  if (__any_sync(~0u, value == 77)) m.out[t] = 1;  // here: through_a_vote
}

template <bool Mended>
__global__ void asynchronous_copy(Memory m) {
  __shared__ int tile[n];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&tile[t], Mended ? &m.data[t] : &m.raw[t], sizeof(int));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  m.out[t] = tile[t ^ 32] + 1;  // here: asynchronous_copy
}

// Chosen, not computed, and then computed with.
template <bool Mended>
__global__ void chosen(Memory m) {
  __shared__ int tile[n];
  const int t = threadIdx.x;
  if (t < 64) tile[t] = t;
  __syncthreads();
  const int value = tile[t];                                 // here: chosen
  m.out[t] = ((Mended ? t < 64 : t < 70) ? value : -1) * 9;  // here: chosen
}

// A shift by bits computes (it is how compilers write x * 2), one by whole bytes moves them.
template <bool Mended>
__global__ void last_byte_doubled(Memory m) {
  const int t = threadIdx.x;
  uint8_t* bytes = reinterpret_cast<uint8_t*>(m.raw + t);
  for (int i = 0; i < 3; ++i) bytes[i] = uint8_t(t);
  const int value = m.raw[t];                  // here: last_byte_doubled
  m.out[t] = Mended ? value << 8 : value * 2;  // here: last_byte_doubled
}

#define INITIALISED(name) CHECK_CASE(name, "uninitialised", 1, n)
constexpr Case cases[] = {
    INITIALISED(decides_a_branch), INITIALISED(is_an_address),
    INITIALISED(makes_a_result),   INITIALISED(is_more_than_copied),
    INITIALISED(never_zeroed),     INITIALISED(last_words),
    INITIALISED(copied_then_used), INITIALISED(from_malloc),
    INITIALISED(sum_with_a_tail),  INITIALISED(flag_of_the_block),
    INITIALISED(full_bins),        INITIALISED(halo),
    INITIALISED(dynamic_tile),     INITIALISED(byte_of_a_word),
    INITIALISED(half_of_a_word),   INITIALISED(part_of_a_vector),
    INITIALISED(local_array),      INITIALISED(through_a_shuffle),
    INITIALISED(through_a_vote),   INITIALISED(asynchronous_copy),
    INITIALISED(chosen),           INITIALISED(last_byte_doubled),
};

}  // namespace

Cases uninitialised_cases() { return {cases, sizeof cases / sizeof *cases}; }

}  // namespace check
