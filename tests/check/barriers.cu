// Barriers that not all reach, and waits that nobody ends.
#include <cstdint>

#include "tests/check/cases.h"

namespace check {
namespace {

constexpr int n = 128;  // threads of a block

// Macros, so that a finding has the line that uses them.
#define MEET(barrier, threads) \
  asm volatile("bar.sync %0, %1;" ::"r"(barrier), "r"(threads) : "memory")
#define IS_OVER(over, at, phase)                                                                 \
  asm volatile(                                                                                  \
      "{ .reg .pred %%p; mbarrier.test_wait.shared.b64 %%p, [%1], %2; selp.u32 %0, 1, 0, %%p; }" \
      : "=r"(over)                                                                               \
      : "r"(at), "l"(phase)                                                                      \
      : "memory")

// Half of the block waits at one barrier, half at another.
template <bool Mended>
__global__ void two_barriers(Memory m) {
  const int t = threadIdx.x;
  if (t < 64)
    MEET(1, Mended ? 64 : n);  // here: two_barriers
  else
    MEET(2, Mended ? 64 : n);  // here: two_barriers
  m.out[t] = t;
}

template <bool Mended>
__global__ void more_than_there_are(Memory m) {
  MEET(3, Mended ? n : 2 * n);  // here: more_than_there_are
  m.out[threadIdx.x] = 1;
}

// The producer's warp arrives once less than the consumer waits for it.
template <bool Mended>
__global__ void missing_arrival(Memory m) {
  __shared__ int slot[32];
  const int t = threadIdx.x, lane = t % 32;
  for (int round = 0; round < 3; ++round) {
    if (t < 32) {
      slot[lane] = round;
      if (Mended || round < 2) asm volatile("bar.arrive 4, 64;" ::: "memory");
      if (Mended || round < 2) MEET(5, 64);
    } else if (t < 64) {
      MEET(4, 64);  // here: missing_arrival
      m.out[lane] = slot[lane];
      if (Mended || round < 2) asm volatile("bar.arrive 5, 64;" ::: "memory");
    }
  }
}

// Some lanes of a warp wait for others that never come: they spin.
template <bool Mended>
__global__ void waits_for_ever(Memory m) {
  volatile int* flag = m.flags;
  if (threadIdx.x == 0 && Mended) *flag = 1;
  __syncthreads();
  while (*flag == 0) {  // here: waits_for_ever
  }
  m.out[threadIdx.x] = 1;
}

template <bool Mended>
__global__ void expects_too_many(Memory m) {
  __shared__ alignas(8) uint64_t barrier;
  const uint32_t at = uint32_t(__cvta_generic_to_shared(&barrier));
  if (threadIdx.x == 0)
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at), "r"(Mended ? n : n + 1)
                 : "memory");
  __syncthreads();
  uint64_t phase;
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(phase) : "r"(at) : "memory");
  uint32_t over = 0;
  while (!over) IS_OVER(over, at, phase);  // here: expects_too_many
  m.out[threadIdx.x] = 1;
}

// As in NVIDIA's sample of synccheck: one lane more than the mask names.
template <bool Mended>
__global__ void not_of_its_own_mask(Memory m) {
  const int lane = threadIdx.x;
  const uint32_t mask = __ballot_sync(~0u, Mended ? lane <= 16 : lane < 16);
  if (lane <= 16) {
    __syncwarp(mask);  // here: not_of_its_own_mask
    m.out[lane] = 1;
  }
}

// Each lane asks those below it alone.
template <bool Mended>
__global__ void votes_without_itself(Memory m) {
  const uint32_t lane = threadIdx.x, below = (1u << lane) - 1;
  const uint32_t vote =
      __ballot_sync(Mended ? ~0u : below, m.data[lane] & 1);  // here: votes_without_itself
  m.out[lane] = __popc(vote & below);
}

#define MEET_CLUSTER() \
  asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory")

#define LOAD_PEER(value, from) \
  asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(value) : "r"(from) : "memory")

// The second block of a cluster ends before the first has read its shared memory.
template <bool Mended>
__global__ void __cluster_dims__(2, 1, 1) ended_peer(Memory m) {
  __shared__ int tile[n];
  const int t = threadIdx.x;
  tile[t] = m.data[t];
  MEET_CLUSTER();
  if (blockIdx.x == 0) {
    for (int round = 0; round < 100; ++round) __syncthreads();
    uint32_t theirs, value;
    asm("mapa.shared::cluster.u32 %0, %1, 1;"
        : "=r"(theirs)
        : "r"(uint32_t(__cvta_generic_to_shared(&tile[t]))));
    LOAD_PEER(value, theirs);  // here: ended_peer
    m.out[t] = int(value);
  }
  if (Mended) MEET_CLUSTER();
}

constexpr Case cases[] = {
    CHECK_CASE(two_barriers, "barrier_deadlock", 1, n),
    CHECK_CASE(more_than_there_are, "barrier_deadlock", 1, n),
    CHECK_CASE(missing_arrival, "barrier_deadlock", 1, n),
    CHECK_CASE(waits_for_ever, "hang", 1, n),
    CHECK_CASE(expects_too_many, "hang", 1, n),
    CHECK_CASE(ended_peer, "illegal_shared_load", 2, n),
    CHECK_CASE(not_of_its_own_mask, "illegal_mask", 1, 32),
    CHECK_CASE(votes_without_itself, "illegal_mask", 1, 32),
};

}  // namespace

Cases barrier_cases() { return {cases, sizeof cases / sizeof *cases}; }

}  // namespace check
