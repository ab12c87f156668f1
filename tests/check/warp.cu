// Races of the lanes of one warp, which no longer run in step since Volta.
#include "tests/check/cases.h"

namespace check {
namespace {

// Neighbours exchange a word.
template <bool Mended>
__global__ void lanes(Memory m) {
  __shared__ int words[32];
  const int t = threadIdx.x;
  words[t] = m.data[t];  // here: lanes
  if (Mended) __syncwarp();
  m.out[t] = words[t ^ 1];  // here: lanes
}

// The last steps of a sum, as they were written before Volta.
template <bool Mended>
__global__ void last_steps(Memory m) {
  __shared__ int sums[64];
  const int t = threadIdx.x;
  sums[t] = m.data[t];
  sums[t + 32] = m.data[t + 32];
  for (int half = 32; half > 0; half /= 2) {
    __syncwarp();
    int sum = sums[t] + sums[t + half];  // here: last_steps
    if (Mended) __syncwarp();
    sums[t] = sum;  // here: last_steps
  }
  if (t == 0) m.out[0] = sums[0];
}

// The mask leaves out half of those who exchange.
template <bool Mended>
__global__ void small_mask(Memory m) {
  __shared__ int words[32];
  const int t = threadIdx.x;
  words[t] = m.data[t];  // here: small_mask
  if (Mended)
    __syncwarp();
  else if (t < 16)
    __syncwarp(0xffff);
  m.out[t] = words[31 - t];  // here: small_mask
}

// Both sides of a branch use one word.
template <bool Mended>
__global__ void both_sides(Memory m) {
  __shared__ int word;
  const int t = threadIdx.x;
  if (t == 0) word = m.data[3];  // here: both_sides
  if (Mended) __syncwarp();
  if (t == 17) m.out[0] = word;  // here: both_sides
}

// A shuffle passes values, and orders no memory.
template <bool Mended>
__global__ void shuffled(Memory m) {
  __shared__ int words[32];
  const int t = threadIdx.x;
  words[t] = m.data[t];  // here: shuffled
  const int other = __shfl_xor_sync(~0u, t, 1);
  if (Mended) __syncwarp();
  m.out[t] = words[other];  // here: shuffled
}

// A leader writes, others read, a round after the other.
template <bool Mended>
__global__ void leader(Memory m) {
  __shared__ int next[2];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  for (int round = 0; round < 3; ++round) {
    if (lane == 0) next[warp] = round + m.data[warp];  // here: leader
    __syncwarp();
    m.out[threadIdx.x] += next[warp];  // here: leader
    if (Mended) __syncwarp();
  }
}

// Lanes exchange through global memory.
template <bool Mended>
__global__ void global_lanes(Memory m) {
  const int t = threadIdx.x;
  m.out[t] = m.data[t] + 1;  // here: global_lanes
  if (Mended) __syncwarp();
  m.flags[t] = m.out[t ^ 3];  // here: global_lanes
}

// One instruction stores different values to one word.
template <bool Mended>
__global__ void one_store(Memory m) {
  const int t = threadIdx.x;
  m.out[Mended ? t : t / 2] = m.data[t];  // here: one_store
}

constexpr Case cases[] = {
    CHECK_CASE(lanes, "race_shared", 2, 32),        CHECK_CASE(last_steps, "race_shared", 1, 32),
    CHECK_CASE(small_mask, "race_shared", 1, 32),   CHECK_CASE(both_sides, "race_shared", 1, 32),
    CHECK_CASE(shuffled, "race_shared", 1, 32),     CHECK_CASE(leader, "race_shared", 1, 64),
    CHECK_CASE(global_lanes, "race_global", 1, 32), CHECK_CASE(one_store, "race_global", 1, 64),
};

}  // namespace

Cases warp_cases() { return {cases, int(sizeof cases / sizeof *cases)}; }

}  // namespace check
