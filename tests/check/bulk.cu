// Barriers in shared memory that are used before they are made, or begun again; bulk copies whose bytes
// are touched before a wait says that they are there, or that they have been read.
#include <cstdint>

#include "tests/check/cases.h"

namespace check {
namespace {

constexpr int n = 128;  // threads of a block
constexpr uint32_t bytes = n * sizeof(int);

// Macros, so that a finding has the line that uses them.
#define MAKE(at, count) \
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at), "r"(count) : "memory")
#define ARRIVE(at) asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(at) : "memory")
#define EXPECT(at, count)                                                                \
  asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(at), "r"(count) \
               : "memor"                                                                 \
                 "y")
#define WAIT(at, parity)                                                                       \
  asm volatile(                                                                                \
      "{ .reg .pred %%p; AGAIN: mbarrier.try_wait.parity.shared.b64 %%p, [%0], %1; @!%%p bra " \
      "AGAIN; }" ::"r"(at),                                                                    \
      "r"(parity)                                                                              \
      : "memory")
#define BRING(to, from, count, at)                                                                 \
  asm volatile(                                                                                    \
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" :: \
          "r"(to),                                                                                 \
      "l"(from), "r"(count), "r"(at)                                                               \
      : "memory")
#define GIVE(to, from, count)                                                                      \
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(from), \
               "r"(count)                                                                          \
               : "memory")
#define COMMIT() asm volatile("cp.async.bulk.commit_group;" ::: "memory")
#define WAIT_READ() asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory")
#define FENCE() asm volatile("fence.proxy.async.shared::cta;" ::: "memory")

__device__ uint32_t shared(const void* at) { return uint32_t(__cvta_generic_to_shared(at)); }

template <bool Mended>
__global__ void used_before_made(Memory m) {
  __shared__ alignas(8) uint64_t met;
  const uint32_t at = shared(&met);
  const int t = threadIdx.x;
  if (t == 0) MAKE(at, n);  // here: used_before_made
  if (Mended) __syncthreads();
  ARRIVE(at);   // here: used_before_made
  WAIT(at, 0);  // here: used_before_made
  m.out[t] = 1;
}

template <bool Mended>
__global__ void never_made(Memory m) {
  __shared__ alignas(8) uint64_t met[2];
  const uint32_t at = shared(&met[0]), other = shared(&met[1]);
  if (threadIdx.x == 0) MAKE(at, n);
  if (threadIdx.x == 0 && Mended) MAKE(other, n);
  __syncthreads();
  ARRIVE(at);
  ARRIVE(other);  // here: never_made
  m.out[threadIdx.x] = 1;
}

// The first half alone arrives, so that each round begins in the middle of a phase.
template <bool Mended>
__global__ void made_again(Memory m) {
  __shared__ alignas(8) uint64_t met;
  const uint32_t at = shared(&met);
  const int t = threadIdx.x;
  for (int round = 0; round < 2; ++round) {
    if (t == 0) MAKE(at, n);  // here: made_again
    __syncthreads();
    if (t < n / 2 || Mended) ARRIVE(at);
    __syncthreads();
    if (Mended && t == 0) asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(at) : "memory");
  }
  m.out[t] = 1;
}

template <bool Mended>
__global__ void one_does_not_arrive(Memory m) {
  __shared__ alignas(8) uint64_t met;
  const uint32_t at = shared(&met);
  const int t = threadIdx.x;
  if (t == 0) MAKE(at, n);
  __syncthreads();
  if (Mended || t != 17) ARRIVE(at);
  WAIT(at, 0);  // here: one_does_not_arrive
  m.out[t] = 1;
}

// What all copies have in common: a tile, its barrier, one thread that brings it.
#define BEGIN(count)                                    \
  __shared__ alignas(128) int tile[n];                  \
  __shared__ alignas(8) uint64_t full;                  \
  const uint32_t to = shared(tile), at = shared(&full); \
  const int t = threadIdx.x;                            \
  if (t == 0) MAKE(at, count);                          \
  __syncthreads();

template <bool Mended>
__global__ void more_bytes_expected(Memory m) {
  BEGIN(1)
  if (t == 0) EXPECT(at, Mended ? bytes : 2 * bytes);
  if (t == 0) BRING(to, m.data, bytes, at);
  WAIT(at, 0);  // here: more_bytes_expected
  m.out[t] = tile[t];
}

template <bool Mended>
__global__ void fewer_bytes_expected(Memory m) {
  BEGIN(1)
  if (t == 0) EXPECT(at, Mended ? bytes : bytes / 2);
  if (t == 0) BRING(to, m.data, bytes, at);
  WAIT(at, 0);  // here: fewer_bytes_expected
  m.out[t] = tile[t];
}

// A barrier of the block says that the copy has begun.
template <bool Mended>
__global__ void begun_is_not_done(Memory m) {
  BEGIN(1)
  if (t == 0) EXPECT(at, bytes);
  if (t == 0) BRING(to, m.data, bytes, at);  // here: begun_is_not_done
  __syncthreads();
  if (Mended) WAIT(at, 0);
  m.out[t] = tile[t];  // here: begun_is_not_done
}

template <bool Mended>
__global__ void one_waits_for_all(Memory m) {
  BEGIN(1)
  if (t == 0) EXPECT(at, bytes);
  if (t == 0) BRING(to, m.data, bytes, at);  // here: one_waits_for_all
  __syncthreads();
  if (t == 0) WAIT(at, 0);
  if (Mended) __syncthreads();
  m.out[t] = tile[t];  // here: one_waits_for_all
}

template <bool Mended>
__global__ void still_read(Memory m) {
  __shared__ alignas(8) uint64_t next;
  if (threadIdx.x == 0) MAKE(shared(&next), 1);
  BEGIN(1)
  if (t == 0) EXPECT(at, bytes);
  if (t == 0) BRING(to, m.data, bytes, at);
  WAIT(at, 0);
  int sum = tile[n - 1 - t];  // here: still_read
  __syncwarp();
  if (Mended) __syncthreads();
  if (t == 0) EXPECT(shared(&next), bytes);
  if (t == 0) BRING(to, m.data + n, bytes, shared(&next));  // here: still_read
  WAIT(shared(&next), 0);
  m.out[t] = sum + tile[t];
}

// What a copy to global memory has in common: a tile that all have stored.
#define STORED()                       \
  __shared__ alignas(128) int tile[n]; \
  const uint32_t from = shared(tile);  \
  const int t = threadIdx.x;           \
  tile[t] = m.data[t];                 \
  FENCE();                             \
  __syncthreads();

template <bool Mended>
__global__ void source_reused(Memory m) {
  STORED()
  if (t == 0) {
    GIVE(m.out, from, bytes);  // here: source_reused
    COMMIT();
    if (Mended) WAIT_READ();
  }
  __syncthreads();
  tile[t] = 0;  // here: source_reused
  m.flags[t] = tile[t];
}

template <bool Mended>
__global__ void of_no_group(Memory m) {
  STORED()
  if (t == 0) {
    GIVE(m.out, from, bytes);  // here: of_no_group
    if (Mended) COMMIT();
    WAIT_READ();
  }
  __syncthreads();
  tile[t] = 0;  // here: of_no_group
}

// A group is of the thread that committed it.
template <bool Mended>
__global__ void another_waits(Memory m) {
  STORED()
  if (t == 0) {
    GIVE(m.out, from, bytes);  // here: another_waits
    COMMIT();
  }
  if (t == (Mended ? 0 : 32)) WAIT_READ();
  __syncthreads();
  tile[t] = 0;  // here: another_waits
}

template <bool Mended>
__global__ void no_proxy_fence(Memory m) {
  __shared__ alignas(128) int tile[n];
  const uint32_t from = shared(tile);
  const int t = threadIdx.x;
  tile[t] = m.data[t];  // here: no_proxy_fence
  if (Mended) FENCE();
  __syncthreads();
  if (t == 0) {
    GIVE(m.out, from, bytes);  // here: no_proxy_fence
    COMMIT();
    WAIT_READ();
  }
}

// The fence comes first, and the stores of the second round behind it.
template <bool Mended>
__global__ void fenced_too_soon(Memory m) {
  __shared__ alignas(128) int tile[n];
  const uint32_t from = shared(tile);
  const int t = threadIdx.x;
  if (!Mended) FENCE();
  tile[t] = m.data[t];  // here: fenced_too_soon
  if (Mended) FENCE();
  __syncthreads();
  if (t == 0) {
    GIVE(m.out, from, bytes);  // here: fenced_too_soon
    COMMIT();
    WAIT_READ();
  }
}

// Threads that were at the barrier before end instead, as in NVIDIA's sample of synccheck.
template <bool Mended>
__global__ void ended_instead(Memory m) {
  __shared__ int sums[n];
  const int t = threadIdx.x;
  sums[t] = 0;
  for (int round = 0; round < 4; ++round) {
    const int i = round * n + t;
    if (i < 3 * n + 48) {
      sums[t] += m.data[i];
      if (!Mended) __syncthreads();  // here: ended_instead
    }
    if (Mended) __syncthreads();
  }
  m.out[t] = sums[t];
}

constexpr Case cases[] = {
    CHECK_CASE(used_before_made, "race_shared", 1, n),
    CHECK_CASE(never_made, "mbarrier_uninitialised", 1, n),
    CHECK_CASE(made_again, "mbarrier_reinitialised", 1, n),
    CHECK_CASE(one_does_not_arrive, "hang", 1, n),
    CHECK_CASE(more_bytes_expected, "hang", 1, n),
    CHECK_CASE(fewer_bytes_expected, "hang", 1, n),
    CHECK_CASE(begun_is_not_done, "race_async_copy", 1, n),
    CHECK_CASE(one_waits_for_all, "race_async_copy", 1, n),
    CHECK_CASE(still_read, "race_async_copy", 1, n),
    CHECK_CASE(source_reused, "race_async_copy", 1, n),
    CHECK_CASE(of_no_group, "race_async_copy", 1, n),
    CHECK_CASE(another_waits, "race_async_copy", 1, n),
    CHECK_CASE(no_proxy_fence, "race_proxy", 1, n),
    CHECK_CASE(fenced_too_soon, "race_proxy", 1, n),
    CHECK_CASE(ended_instead, "barrier_ended", 1, n),
};

}  // namespace

Cases bulk_cases() { return {cases, sizeof cases / sizeof *cases}; }

}  // namespace check
