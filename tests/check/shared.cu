// Races of a block's warps in shared memory.
#include <cstdint>

#include "tests/check/cases.h"

namespace check {
namespace {

constexpr int n = 128;  // threads of a block

// No barrier between filling a tile and reading a neighbour's word.
template <bool Mended>
__global__ void neighbour(Memory m) {
  __shared__ int tile[n];
  const int t = threadIdx.x;
  tile[t] = m.data[t];  // here: neighbour
  if (Mended) __syncthreads();
  m.out[t] = tile[(t + 32) % n];  // here: neighbour
}

// The next round fills the tile while others still read it.
template <bool Mended>
__global__ void next_round(Memory m) {
  __shared__ int tile[n];
  const int t = threadIdx.x;
  int sum = 0;
  for (int round = 0; round < 4; ++round) {
    tile[t] = m.data[t + round * n];  // here: next_round
    __syncthreads();
    sum += tile[(t + 64) % n];  // here: next_round
    if (Mended) __syncthreads();
  }
  m.out[t] = sum;
}

// A tree of sums without a barrier at its levels.
template <bool Mended>
__global__ void tree(Memory m) {
  __shared__ int sums[n];
  const int t = threadIdx.x;
  sums[t] = m.data[t];
  __syncthreads();
  for (int half = n / 2; half > 0; half /= 2) {
    if (t < half) sums[t] += sums[t + half];  // here: tree
    if (Mended) __syncthreads();
  }
  if (t == 0) m.out[0] = sums[0];
}

// The tree's barrier stands before the sums of a level, not between its reads and writes.
template <bool Mended>
__global__ void scan_in_place(Memory m) {
  __shared__ int sums[n];
  const int t = threadIdx.x;
  sums[t] = m.data[t];
  for (int step = 1; step < n; step *= 2) {
    __syncthreads();
    const int left = t >= step ? sums[t - step] : 0;  // here: scan_in_place
    if (Mended) __syncthreads();
    sums[t] += left;  // here: scan_in_place
  }
  m.out[t] = sums[t];
}

// Counting without atomics.
template <bool Mended>
__global__ void histogram(Memory m) {
  __shared__ int bins[16];
  const int t = threadIdx.x;
  if (t < 16) bins[t] = 0;
  __syncthreads();
  int* bin = &bins[m.data[t] % 16];
  if (Mended)
    atomicAdd(bin, 1);
  else
    *bin += 1;  // here: histogram
  __syncthreads();
  if (t < 16) m.out[t] = bins[t];
}

// Bins are cleared by some while others count already.
template <bool Mended>
__global__ void cleared_late(Memory m) {
  __shared__ int bins[16];
  const int t = threadIdx.x;
  if (t < 16) bins[t] = 0;  // here: cleared_late
  if (Mended) __syncthreads();
  atomicAdd(&bins[m.data[t] % 16], 1);  // here: cleared_late
  __syncthreads();
  if (t < 16) m.out[t] = bins[t];
}

// One thread decides, all others look at once.
template <bool Mended>
__global__ void broadcast(Memory m) {
  __shared__ int chosen;
  if (threadIdx.x == 0) chosen = m.data[7];  // here: broadcast
  if (Mended) __syncthreads();
  m.out[threadIdx.x] = chosen;  // here: broadcast
}

// Two warps leave different values in one word.
template <bool Mended>
__global__ void last_word(Memory m) {
  __shared__ int word;
  const int t = threadIdx.x;
  if (Mended ? t == 0 : t % 32 == 0) word = t;  // here: last_word
  __syncthreads();
  m.out[t] = word;
}

// A buffer is used for the next thing before all have done the first.
template <bool Mended>
__global__ void reused(Memory m) {
  __shared__ int buffer[n];
  const int t = threadIdx.x;
  buffer[t] = m.data[t];
  __syncthreads();
  const int other = buffer[n - 1 - t];  // here: reused
  if (Mended) __syncthreads();
  buffer[t] = other * 2;  // here: reused
  __syncthreads();
  m.out[t] = buffer[(t + 1) % n];
}

// The barrier's other half: producers say that data are there, consumers read at once.
template <bool Mended>
__global__ void named_barrier(Memory m) {
  __shared__ int data[32];
  const int t = threadIdx.x;
  if (t < 32) {
    data[t] = m.data[t];  // here: named_barrier
    asm volatile("bar.arrive 1, 64;" ::: "memory");
  } else {
    if (Mended) asm volatile("bar.sync 1, 64;" ::: "memory");
    m.out[t] = data[t - 32];  // here: named_barrier
    if (!Mended) asm volatile("bar.sync 1, 64;" ::: "memory");
  }
}

// The producer goes on when it has arrived, and stores what the consumer then need not see. The flag
// orders nothing: it lets the consumer come second.
template <bool Mended>
__global__ void behind_the_barrier(Memory m) {
  __shared__ int data[32];
  volatile int* come = m.flags;
  const int t = threadIdx.x;
  if (t < 32) {
    if (Mended) data[t] = m.data[t];
    asm volatile("bar.arrive 1, 64;" ::: "memory");
    if (!Mended) data[t] = m.data[t];  // here: behind_the_barrier
    *come = 1;
  } else {
    while (*come == 0) {
    }
    asm volatile("bar.sync 1, 64;" ::: "memory");
    m.out[t] = data[t - 32];  // here: behind_the_barrier
  }
}

// Who arrives and does not wait knows nothing of the others, though all of the block came.
template <bool Mended>
__global__ void did_not_wait(Memory m) {
  __shared__ int data[96];
  const int t = threadIdx.x;
  if (t < 96) {
    data[t] = m.data[t];  // here: did_not_wait
    asm volatile("bar.sync 1, 128;" ::: "memory");
  } else {
    if (Mended)
      asm volatile("bar.sync 1, 128;" ::: "memory");
    else
      asm volatile("bar.arrive 1, 128;" ::: "memory");
    m.out[t] = data[t - 96];  // here: did_not_wait
  }
}

// Warps meet at two barriers instead of one.
template <bool Mended>
__global__ void other_barrier(Memory m) {
  __shared__ int data[n];
  const int t = threadIdx.x;
  data[t] = m.data[t];  // here: other_barrier
  if (Mended || t < 64)
    asm volatile("bar.sync 2, %0;" ::"r"(Mended ? n : 64) : "memory");
  else
    asm volatile("bar.sync 3, 64;" ::: "memory");
  m.out[t] = data[(t + 64) % n];  // here: other_barrier
}

// Rows of a tile that overlap by one word.
template <bool Mended>
__global__ void overlapping(Memory m) {
  __shared__ int rows[4 * 33 + 1];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  int* row = rows + warp * (Mended ? 33 : 32);
  row[lane] = m.data[lane];            // here: overlapping
  if (lane == 0) row[32] = -1 - warp;  // here: overlapping
  __syncwarp();
  m.out[threadIdx.x] = row[lane];
}

// Bytes of one word belong to different threads: only a neighbour's byte is a fault.
template <bool Mended>
__global__ void bytes(Memory m) {
  __shared__ uint8_t parts[n + 1];
  const int t = threadIdx.x;
  parts[t] = uint8_t(m.data[t]);                       // here: bytes
  if (!Mended) parts[t + 1] = uint8_t(m.data[t] + 7);  // here: bytes
  __syncthreads();
  m.out[t] = parts[t];
}

// Four words at a time, of which one is another thread's.
template <bool Mended>
__global__ void vectors(Memory m) {
  __shared__ int4 quads[n + 1];
  const int t = threadIdx.x;
  quads[t] = make_int4(t, t, t, t);  // here: vectors
  if (Mended) __syncthreads();
  m.out[t] = reinterpret_cast<int*>(quads)[4 * t + 4 * 32 * (t < 96)];  // here: vectors
}

// A sum by atomics is read before all have added.
template <bool Mended>
__global__ void atomic_sum(Memory m) {
  __shared__ int sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, m.data[threadIdx.x]);  // here: atomic_sum
  if (Mended) __syncthreads();
  m.out[threadIdx.x] = sum;  // here: atomic_sum
}

// Copies that do not wait for a register are done, but only their own threads know.
template <bool Mended>
__global__ void copied(Memory m) {
  __shared__ int tile[n];
  const int t = threadIdx.x;
  const unsigned to = unsigned(__cvta_generic_to_shared(&tile[t]));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to),
               "l"(m.data + t)  // here: copied
               : "memory");
  asm volatile("cp.async.wait_all;" ::: "memory");
  if (Mended) __syncthreads();
  m.out[t] = tile[(t + 32) % n];  // here: copied
}

// All threads store the same: no fault. A different value is one.
template <bool Mended>
__global__ void same_value(Memory m) {
  __shared__ int found;
  found = Mended ? 1 : int(threadIdx.x) / 32;  // here: same_value
  __syncthreads();
  m.out[threadIdx.x] = found;
}

// A pointer that does not say its space.
__device__ __noinline__ void put(int* to, int value) {
  *to = value;  // here: generic
}
template <bool Mended>
__global__ void generic(Memory m) {
  __shared__ int tile[n];
  put(&tile[threadIdx.x], m.data[threadIdx.x]);
  if (Mended) __syncthreads();
  m.out[threadIdx.x] = tile[(threadIdx.x + 32) % n];  // here: generic
}

// An arrival at a barrier in memory that nobody waits for.
template <bool Mended>
__global__ void arrives_only(Memory m) {
  __shared__ uint64_t barrier;
  __shared__ int tile[n];
  const int t = threadIdx.x;
  const unsigned at = unsigned(__cvta_generic_to_shared(&barrier));
  if (t == 0) asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at), "r"(n) : "memory");
  __syncthreads();
  tile[t] = m.data[t];  // here: arrives_only
  uint64_t state;
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(at) : "memory");
  for (int over = !Mended; !over;)
    asm volatile("{.reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.s32 %0, 1, 0, p;}"
                 : "=r"(over)
                 : "r"(at), "l"(state)
                 : "memory");
  m.out[t] = tile[(t + 32) % n];  // here: arrives_only
}

constexpr Case cases[] = {
    CHECK_CASE(neighbour, "race_shared", 2, n),
    CHECK_CASE(next_round, "race_shared", 1, n),
    CHECK_CASE(tree, "race_shared", 2, n),
    CHECK_CASE(scan_in_place, "race_shared", 1, n),
    CHECK_CASE(histogram, "race_shared", 1, n),
    CHECK_CASE(cleared_late, "race_shared", 1, n),
    CHECK_CASE(broadcast, "race_shared", 2, n),
    CHECK_CASE(last_word, "race_shared", 1, n),
    CHECK_CASE(reused, "race_shared", 1, n),
    CHECK_CASE(named_barrier, "race_shared", 1, 64),
    CHECK_CASE(other_barrier, "race_shared", 1, n),
    CHECK_CASE(overlapping, "race_shared", 1, n),
    CHECK_CASE(bytes, "race_shared", 1, n),
    CHECK_CASE(vectors, "race_shared", 1, n),
    CHECK_CASE(atomic_sum, "race_shared", 1, n),
    CHECK_CASE(copied, "race_shared", 1, n),
    CHECK_CASE(same_value, "race_shared", 1, n),
    CHECK_CASE(generic, "race_shared", 1, n),
    CHECK_CASE(arrives_only, "race_shared", 1, n),
    CHECK_CASE(did_not_wait, "race_shared", 1, n),
    CHECK_CASE(behind_the_barrier, "race_shared", 1, 64),
};

}  // namespace

Cases shared_cases() { return {cases, int(sizeof cases / sizeof *cases)}; }

}  // namespace check
