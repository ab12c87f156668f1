// Products of warpgroups (wgmma), whose operands in shared memory and whose registers are touched before
// somebody waited, or that nobody made visible to them.
#include <cstdint>

#include "tests/check/cases.h"

namespace check {
namespace {

constexpr int n = 128;  // threads of a block

// Macros, so that a finding has the line that uses them.
#define BEGIN_PRODUCTS() asm volatile("wgmma.fence.sync.aligned;" ::: "memory")
#define PRODUCT(sum, a, b)                                                                       \
  asm volatile(                                                                                  \
      "{ .reg .pred p; setp.ne.b32 p, 1, 0;"                                                     \
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, p, 1, 1, 0, " \
      "0; }"                                                                                     \
      : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])                                   \
      : "l"(a), "l"(b)                                                                           \
      : "memory")
#define COMMIT_PRODUCTS() asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory")
#define WAIT_FOR_PRODUCTS() asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory")
#define FENCE() asm volatile("fence.proxy.async.shared::cta;" ::: "memory")

// Units of 16 bytes, eight rows of them in a row: the two along k lie 128 bytes apart, groups of rows 256.
__device__ uint64_t descriptor(const void* at) {
  return uint64_t(__cvta_generic_to_shared(at) >> 4) | uint64_t(128 >> 4) << 16 |
         uint64_t(256 >> 4) << 32;
}

// Two matrices of zeros, which all products here have in common.
#define MATRICES(fence)                                          \
  __shared__ alignas(128) int a_tile[64 * 8], b_tile[8 * 8];     \
  const int t = threadIdx.x;                                     \
  for (int i = t; i < 64 * 8; i += n) a_tile[i] = 0;             \
  if (t < 64) b_tile[t] = 0;                                     \
  if (fence) FENCE();                                            \
  __syncthreads();                                               \
  const uint64_t a = descriptor(a_tile), b = descriptor(b_tile); \
  float sum[4] = {};

template <bool Mended>
__global__ void operand_overwritten(Memory m) {
  MATRICES(true)
  BEGIN_PRODUCTS();
  PRODUCT(sum, a, b);  // here: operand_overwritten
  COMMIT_PRODUCTS();
  if (Mended) WAIT_FOR_PRODUCTS();
  __syncthreads();
  a_tile[t] = t;  // here: operand_overwritten
  WAIT_FOR_PRODUCTS();
  m.out[t] = int(sum[0] + sum[1] + sum[2] + sum[3]);
}

template <bool Mended>
__global__ void values_unfenced(Memory m) {
  __shared__ alignas(128) int a_tile[64 * 8], b_tile[8 * 8];
  const int t = threadIdx.x;
  for (int i = t; i < 64 * 8; i += n) a_tile[i] = 0;  // here: values_unfenced
  if (t < 64) b_tile[t] = 0;                          // here: values_unfenced
  if (Mended) FENCE();
  __syncthreads();
  const uint64_t a = descriptor(a_tile), b = descriptor(b_tile);
  float sum[4] = {};
  BEGIN_PRODUCTS();
  PRODUCT(sum, a, b);  // here: values_unfenced
  COMMIT_PRODUCTS();
  WAIT_FOR_PRODUCTS();
  m.out[t] = int(sum[0] + sum[1] + sum[2] + sum[3]);
}

template <bool Mended>
__global__ void sums_too_soon(Memory m) {
  MATRICES(true)
  BEGIN_PRODUCTS();
  PRODUCT(sum, a, b);  // here: sums_too_soon
  COMMIT_PRODUCTS();
  if (Mended) WAIT_FOR_PRODUCTS();
  const float all = sum[0] + sum[1] + sum[2] + sum[3];  // here: sums_too_soon
  WAIT_FOR_PRODUCTS();
  m.out[t] = int(all);
}

// The sums of the first product are halved for the second.
template <bool Mended>
__global__ void sums_unfenced(Memory m) {
  MATRICES(true)
  BEGIN_PRODUCTS();
  PRODUCT(sum, a, b);
  COMMIT_PRODUCTS();
  WAIT_FOR_PRODUCTS();
  for (float& each : sum) each *= 0.5f;
  if (Mended) BEGIN_PRODUCTS();
  PRODUCT(sum, a, b);  // here: sums_unfenced
  COMMIT_PRODUCTS();
  WAIT_FOR_PRODUCTS();
  m.out[t] = int(sum[0] + sum[1] + sum[2] + sum[3]);
}

template <bool Mended>
__global__ void no_fence_at_all(Memory m) {
  MATRICES(true)
  if (Mended) BEGIN_PRODUCTS();
  PRODUCT(sum, a, b);  // here: no_fence_at_all
  COMMIT_PRODUCTS();
  WAIT_FOR_PRODUCTS();
  m.out[t] = int(sum[0] + sum[1] + sum[2] + sum[3]);
}

constexpr Case cases[] = {
    CHECK_CASE(operand_overwritten, "race_wgmma", 1, n),
    CHECK_CASE(values_unfenced, "race_proxy", 1, n),
    CHECK_CASE(sums_too_soon, "race_wgmma", 1, n),
    CHECK_CASE(sums_unfenced, "race_wgmma", 1, n),
    CHECK_CASE(no_fence_at_all, "race_wgmma", 1, n),
};

}  // namespace

Cases product_cases() { return {cases, sizeof cases / sizeof *cases}; }

}  // namespace check
