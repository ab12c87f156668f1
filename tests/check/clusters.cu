// Blocks of a cluster that hand data on through each other's shared memory.
#include <cooperative_groups.h>

#include <cstdint>

#include "tests/check/cases.h"

namespace check {
namespace {

namespace cg = cooperative_groups;
constexpr int n = 64;  // threads of a block
constexpr uint32_t bytes = n * sizeof(int);

// Macros, so that a finding has the line that uses them.
#define ARRIVE() asm volatile("barrier.cluster.arrive.aligned;" ::: "memory")
#define ARRIVE_RELAXED() asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory")
#define WAIT() asm volatile("barrier.cluster.wait.aligned;" ::: "memory")
#define MAKE(at, count) \
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at), "r"(count) : "memory")
#define ARRIVE_AT(at)                                                                   \
  asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(at) \
               : "memor"                                                                \
                 "y")
#define WAIT_FOR(at, parity)                                                                    \
  asm volatile(                                                                                 \
      "{ .reg .pred %%p; AGAIN: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %%p, " \
      "[%0], %1; @!%%p bra AGAIN; }" ::"r"(at),                                                 \
      "r"(parity)                                                                               \
      : "memory")
#define EXPECT(at, count)                                                                \
  asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(at), "r"(count) \
               : "memor"                                                                 \
                 "y")
#define BRING_TO_ALL(to, from, count, at, blocks)                                                  \
  asm volatile(                                                                                    \
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0]," \
      " [%1], %2, [%3], %4;" ::"r"(to),                                                            \
      "l"(from), "r"(count), "r"(at), "h"(uint16_t(blocks))                                        \
      : "memory")

#define SEND(to, value, at)                                                                       \
  asm volatile(                                                                                   \
      "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(to), \
      "r"(value), "r"(at)                                                                         \
      : "memory")
#define ADD_ASYNC(to, value, at)                                                                  \
  asm volatile(                                                                                   \
      "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%0], %1, " \
      "[%2];" ::"r"(to),                                                                          \
      "r"(value), "r"(at)                                                                         \
      : "memory")

#define LOAD_PEER(value, from) \
  asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(value) : "r"(from) : "memory")
#define STORE_PEER(to, value) \
  asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(to), "r"(value) : "memory")

__device__ uint32_t shared(const void* at) { return uint32_t(__cvta_generic_to_shared(at)); }
__device__ uint32_t peers(uint32_t at, uint32_t rank) {
  uint32_t there;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(at), "r"(rank));
  return there;
}

// Every block reads what its neighbour has just stored.
template <bool Mended>
__global__ void __cluster_dims__(4, 1, 1) ring(Memory m) {
  __shared__ int tile[n];
  cg::cluster_group cluster = cg::this_cluster();
  const int t = threadIdx.x;
  const int* theirs = cluster.map_shared_rank(tile, (cluster.block_rank() + 1) % 4);
  tile[t] = m.data[t] + 1;  // here: ring
  if (Mended)
    cluster.sync();
  else
    __syncthreads();
  m.out[blockIdx.x * n + t] = theirs[t];  // here: ring
  cluster.sync();
}

// The next round stores before the neighbour has read this one.
template <bool Mended>
__global__ void __cluster_dims__(2, 1, 1) round_too_soon(Memory m) {
  __shared__ int tile[n];
  cg::cluster_group cluster = cg::this_cluster();
  const int t = threadIdx.x;
  const int* theirs = cluster.map_shared_rank(tile, cluster.block_rank() ^ 1);
  int sum = 0;
  for (int round = 0; round < 3; ++round) {
    tile[t] = m.data[round * n + t];  // here: round_too_soon
    cluster.sync();
    sum += theirs[t];  // here: round_too_soon
    if (Mended) cluster.sync();
  }
  cluster.sync();
  m.out[blockIdx.x * n + t] = sum;
}

// Two blocks store into a third.
template <bool Mended>
__global__ void __cluster_dims__(4, 1, 1) two_stores(Memory m) {
  __shared__ int tile[4 * n];
  cg::cluster_group cluster = cg::this_cluster();
  const int t = threadIdx.x, rank = int(cluster.block_rank());
  int* theirs = cluster.map_shared_rank(tile, 0);
  theirs[(Mended ? rank * n : 0) + t] = rank * 100 + t;  // here: two_stores
  cluster.sync();
  m.out[blockIdx.x * n + t] = theirs[rank * n * Mended + t];
  cluster.sync();
}

// A histogram in one block's memory, by adding to what was loaded.
template <bool Mended>
__global__ void __cluster_dims__(2, 1, 1) remote_bins(Memory m) {
  __shared__ int bins[n];
  cg::cluster_group cluster = cg::this_cluster();
  const int t = threadIdx.x;
  bins[t] = 0;
  cluster.sync();
  int* theirs = cluster.map_shared_rank(bins, 0);
  if (Mended)
    atomicAdd(&theirs[t], 1);
  else
    theirs[t] += 1;  // here: remote_bins
  cluster.sync();
  if (cluster.block_rank() == 0) m.out[t] = bins[t];
}

// The store comes behind the arrival, and is not part of what is passed on.
template <bool Mended>
__global__ void __cluster_dims__(2, 1, 1) behind_arrival(Memory m) {
  __shared__ int tile[n];
  const int t = threadIdx.x;
  if (Mended) tile[t] = m.data[t];
  ARRIVE();
  if (!Mended) tile[t] = m.data[t];  // here: behind_arrival
  WAIT();
  int value;
  const uint32_t theirs = peers(shared(&tile[t]), blockIdx.x ^ 1);
  LOAD_PEER(value, theirs);  // here: behind_arrival
  m.out[blockIdx.x * n + t] = value;
  ARRIVE();
  WAIT();
}

// The load comes before the wait.
template <bool Mended>
__global__ void __cluster_dims__(2, 1, 1) before_wait(Memory m) {
  __shared__ int tile[n];
  const int t = threadIdx.x;
  int value;
  const uint32_t theirs = peers(shared(&tile[t]), blockIdx.x ^ 1);
  tile[t] = m.data[t];  // here: before_wait
  ARRIVE();
  if (Mended) WAIT();
  LOAD_PEER(value, theirs);  // here: before_wait
  if (!Mended) WAIT();
  m.out[blockIdx.x * n + t] = value;
  ARRIVE();
  WAIT();
}

// A relaxed arrival passes on what was fenced, and nothing else.
template <bool Mended>
__global__ void __cluster_dims__(2, 1, 1) relaxed_arrival(Memory m) {
  __shared__ int tile[n];
  const int t = threadIdx.x;
  int value;
  const uint32_t theirs = peers(shared(&tile[t]), blockIdx.x ^ 1);
  tile[t] = m.data[t];  // here: relaxed_arrival
  if (Mended) asm volatile("fence.acq_rel.cluster;" ::: "memory");
  ARRIVE_RELAXED();
  WAIT();
  LOAD_PEER(value, theirs);  // here: relaxed_arrival
  m.out[blockIdx.x * n + t] = value;
  ARRIVE();
  WAIT();
}

// Global memory between the blocks of a cluster, which only the blocks' own barrier orders.
template <bool Mended>
__global__ void __cluster_dims__(2, 1, 1) through_global(Memory m) {
  cg::cluster_group cluster = cg::this_cluster();
  const int t = threadIdx.x, block = blockIdx.x;
  m.flags[block * n + t] = t + 1;  // here: through_global
  if (Mended)
    cluster.sync();
  else
    __syncthreads();
  m.out[block * n + t] = m.flags[(block ^ 1) * n + t];  // here: through_global
}

// One block fills a tile of the other, and arrives at its mbarrier when it has; the owner reads.
template <bool Mended>
__global__ void __cluster_dims__(2, 1, 1) remote_arrival(Memory m) {
  __shared__ int tile[n];
  __shared__ alignas(8) uint64_t full;
  const int t = threadIdx.x;
  const uint32_t at = shared(&full);
  if (t == 0) MAKE(at, n);
  ARRIVE();
  WAIT();
  if (blockIdx.x == 1) {
    const uint32_t theirs = peers(shared(&tile[t]), 0), their_full = peers(at, 0);
    if (!Mended) ARRIVE_AT(their_full);
    STORE_PEER(theirs, m.data[t]);  // here: remote_arrival
    if (Mended) ARRIVE_AT(their_full);
  } else {
    WAIT_FOR(at, 0);
    m.out[t] = tile[t];  // here: remote_arrival
  }
  ARRIVE();
  WAIT();
}

// The other block's mbarrier is used before anybody knows that it has been made.
template <bool Mended>
__global__ void __cluster_dims__(2, 1, 1) made_elsewhere(Memory m) {
  __shared__ alignas(8) uint64_t full;
  const int t = threadIdx.x;
  const uint32_t at = shared(&full);
  if (t == 0) MAKE(at, n);  // here: made_elsewhere
  ARRIVE();
  if (Mended || blockIdx.x == 0) WAIT();
  if (blockIdx.x == 1) ARRIVE_AT(peers(at, 0));  // here: made_elsewhere
  if (!Mended && blockIdx.x == 1) WAIT();
  if (blockIdx.x == 0) WAIT_FOR(at, 0);
  m.out[t] = 1;
  ARRIVE();
  WAIT();
}

// A copy for both blocks, into tiles that the other may still be using.
template <bool Mended>
__global__ void __cluster_dims__(2, 1, 1) multicast(Memory m) {
  __shared__ alignas(128) int tile[n];
  __shared__ alignas(8) uint64_t full;
  const int t = threadIdx.x, block = blockIdx.x;
  const uint32_t at = shared(&full), to = shared(tile);
  if (t == 0) MAKE(at, 1);
  if (t == 0) EXPECT(at, bytes);
  ARRIVE();
  WAIT();
  tile[t] = block * n + t;  // here: multicast
  __syncthreads();
  m.out[block * n + t] = tile[t ^ 1];  // here: multicast
  if (Mended) ARRIVE();
  if (Mended) WAIT();
  __syncthreads();
  if (block == 0 && t == 0) BRING_TO_ALL(to, m.data, bytes, at, 3);  // here: multicast
  WAIT_FOR(at, 0);
  m.out[(2 + block) * n + t] = tile[t];
  ARRIVE();
  WAIT();
}

// Stores that an mbarrier counts are not there because the blocks have met.
template <bool Mended>
__global__ void __cluster_dims__(2, 1, 1) sent_and_met(Memory m) {
  __shared__ int tile[n];
  __shared__ alignas(8) uint64_t full;
  const int t = threadIdx.x;
  const uint32_t at = shared(&full);
  if (t == 0) MAKE(at, 1);
  if (t == 0) EXPECT(at, bytes);
  ARRIVE();
  WAIT();
  if (blockIdx.x == 0)
    SEND(peers(shared(&tile[t]), 1), m.data[t], peers(at, 1));  // here: sent_and_met
  ARRIVE();
  WAIT();
  if (blockIdx.x == 0) return;
  if (Mended) WAIT_FOR(at, 0);
  m.out[t] = tile[t];  // here: sent_and_met
  if (!Mended) WAIT_FOR(at, 0);
}

// Nor are reductions, of which many may go to one word.
template <bool Mended>
__global__ void __cluster_dims__(2, 1, 1) added_and_met(Memory m) {
  __shared__ int bins[8];
  __shared__ alignas(8) uint64_t full;
  const int t = threadIdx.x;
  const uint32_t at = shared(&full);
  if (t < 8) bins[t] = 0;
  if (t == 0) MAKE(at, 1);
  if (t == 0) EXPECT(at, 2 * bytes);
  ARRIVE();
  WAIT();
  ADD_ASYNC(peers(shared(&bins[t % 8]), 1), 1, peers(at, 1));  // here: added_and_met
  ARRIVE();
  WAIT();
  if (blockIdx.x == 0) return;
  if (Mended) WAIT_FOR(at, 0);
  if (t < 8) m.out[t] = bins[t];  // here: added_and_met
  if (!Mended) WAIT_FOR(at, 0);
}

// The other block still reads what the store goes over. One warp a block: two would be told either way.
template <bool Mended>
__global__ void __cluster_dims__(2, 1, 1) sent_too_soon(Memory m) {
  __shared__ int tile[n];
  __shared__ alignas(8) uint64_t full;
  const int t = threadIdx.x;
  const uint32_t at = shared(&full);
  if (t == 0) MAKE(at, 1);
  if (t == 0) EXPECT(at, bytes / 2);
  tile[t] = t;
  ARRIVE();
  WAIT();
  if (blockIdx.x == 1) m.out[t] = tile[t ^ 1];  // here: sent_too_soon
  if (Mended) ARRIVE();
  if (Mended) WAIT();
  if (blockIdx.x == 0)
    SEND(peers(shared(&tile[t]), 1), m.data[t], peers(at, 1));  // here: sent_too_soon
  if (blockIdx.x == 1) WAIT_FOR(at, 0);
  if (blockIdx.x == 1) m.out[n + t] = tile[t];
  ARRIVE();
  WAIT();
}

// Two such stores to one place.
template <bool Mended>
__global__ void __cluster_dims__(2, 1, 1) sent_by_two(Memory m) {
  __shared__ int tile[2 * n];
  __shared__ alignas(8) uint64_t full;
  const int t = threadIdx.x, block = blockIdx.x;
  const uint32_t at = shared(&full), to = shared(&tile[(Mended ? block * n : 0) + t]);
  if (t == 0) MAKE(at, 1);
  if (t == 0) EXPECT(at, 2 * bytes);
  ARRIVE();
  WAIT();
  SEND(peers(to, 1), m.data[t] + block, peers(at, 1));  // here: sent_by_two
  if (block == 1) WAIT_FOR(at, 0);
  if (block == 1) m.out[t] = tile[t];
  ARRIVE();
  WAIT();
}

// What is sent has no value, and is found where it is used.
template <bool Mended>
__global__ void __cluster_dims__(2, 1, 1) sent_unwritten(Memory m) {
  __shared__ int tile[n];
  __shared__ alignas(8) uint64_t full;
  const int t = threadIdx.x;
  const uint32_t at = shared(&full);
  if (t == 0) MAKE(at, 1);
  if (t == 0) EXPECT(at, bytes);
  ARRIVE();
  WAIT();
  if (blockIdx.x == 0) {
    const int value = (Mended ? m.data : m.raw)[t];  // here: sent_unwritten
    SEND(peers(shared(&tile[t]), 1), value, peers(at, 1));
  } else {
    WAIT_FOR(at, 0);
    m.out[t] = tile[t] + 1;  // here: sent_unwritten
  }
  ARRIVE();
  WAIT();
}

// Half of the other block's tile has no value.
template <bool Mended>
__global__ void __cluster_dims__(2, 1, 1) unwritten_peer(Memory m) {
  __shared__ int tile[n];
  cg::cluster_group cluster = cg::this_cluster();
  const int t = threadIdx.x;
  if (Mended || t < n / 2) tile[t] = m.data[t];
  cluster.sync();
  const int* theirs = cluster.map_shared_rank(tile, cluster.block_rank() ^ 1);
  const int value = theirs[t];  // here: unwritten_peer
  cluster.sync();
  m.out[blockIdx.x * n + t] = value + 1;  // here: unwritten_peer
}

constexpr Case cases[] = {
    CHECK_CASE(ring, "race_shared", 8, n),
    CHECK_CASE(round_too_soon, "race_shared", 4, n),
    CHECK_CASE(two_stores, "race_shared", 4, n),
    CHECK_CASE(remote_bins, "race_shared", 4, n),
    CHECK_CASE(behind_arrival, "race_shared", 2, n),
    CHECK_CASE(before_wait, "race_shared", 2, n),
    CHECK_CASE(relaxed_arrival, "race_shared", 2, n),
    CHECK_CASE(through_global, "race_global", 2, n),
    CHECK_CASE(remote_arrival, "race_shared", 2, n),
    CHECK_CASE(made_elsewhere, "race_shared", 2, n),
    CHECK_CASE(multicast, "race_shared", 2, n),
    CHECK_CASE(unwritten_peer, "uninitialised", 2, n),
    CHECK_CASE(sent_and_met, "race_async_copy", 2, n),
    CHECK_CASE(added_and_met, "race_async_copy", 2, n),
    CHECK_CASE(sent_too_soon, "race_shared", 2, 32),
    CHECK_CASE(sent_by_two, "race_async_copy", 2, n),
    CHECK_CASE(sent_unwritten, "uninitialised", 2, n),
};

}  // namespace

Cases cluster_cases() { return {cases, sizeof cases / sizeof *cases}; }

}  // namespace check
