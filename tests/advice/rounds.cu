// k40 to k42: loops whose rounds cost more than they must.
#include <algorithm>

#include "tests/advice/pairs.h"

namespace advice {
namespace {

// A thread does as many rounds as its number says; numbers lie at random, or in order.
constexpr int threads = 256, blocks = sms * 8, most = 512;

__device__ unsigned stepped(unsigned x, int rounds) {
  for (int j = 0; j < rounds; ++j) {
    x = x * 1664525u + 1013904223u;  // planted
  }
  return x;
}
__global__ void k40_a(unsigned* out, const int* rounds) {
  out[thread_index()] = stepped(unsigned(thread_index()), rounds[thread_index()]);
}
__global__ void k40_b(unsigned* out, const int* rounds) {
  out[thread_index()] = stepped(unsigned(thread_index()), rounds[thread_index()]);
}

// Rows of shared memory are a warp's own: it need not wait for the block.
constexpr int passes = 64;

template <bool OfBlock>
__device__ void smoothed(float* out, const float* in) {
  __shared__ float row[threads];
  const int t = int(threadIdx.x), next = t / 32 * 32 + (t + 1) % 32;
  float x = in[thread_index()];
  for (int j = 0; j < passes; ++j) {
    row[t] = x;
    if (OfBlock)
      __syncthreads();  // planted
    else
      __syncwarp();
    const float other = row[next];
    if (OfBlock)
      __syncthreads();  // planted
    else
      __syncwarp();
    x = 0.5f * (x + other);
  }
  out[thread_index()] = x;
}
__global__ void k41_a(float* out, const float* in) { smoothed<true>(out, in); }
__global__ void k41_b(float* out, const float* in) { smoothed<false>(out, in); }

// One polynomial after the other by Horner's rule, or four at a time.
constexpr int terms = 256, values = 4, few = sms * 128;

__global__ void k42_a(float* out, const float* in, float a) {
  for (int v = 0; v < values; ++v) {
    const float x = in[few * v + thread_index()];
    float sum = 0;
#pragma unroll 8
    for (int j = 0; j < terms; ++j) {
      sum = sum * x + a;  // planted
    }
    out[few * v + thread_index()] = sum;
  }
}
__global__ void k42_b(float* out, const float* in, float a) {
  float x[values], sum[values] = {};
  for (int v = 0; v < values; ++v) x[v] = in[few * v + thread_index()];
#pragma unroll 8
  for (int j = 0; j < terms; ++j) {
#pragma unroll
    for (int v = 0; v < values; ++v) sum[v] = sum[v] * x[v] + a;
  }
  for (int v = 0; v < values; ++v) out[few * v + thread_index()] = sum[v];
}

}  // namespace

void k40(Bench& bench) {
  const auto mixed = bench.integers(size_t(blocks) * threads, most);
  auto sorted = mixed;
  std::sort(sorted.begin(), sorted.end());
  const auto wanted = [](const std::vector<int>& rounds) {
    std::vector<unsigned> all(rounds.size());
    for (size_t i = 0; i < all.size(); ++i) {
      unsigned x = unsigned(i);
      for (int j = 0; j < rounds[i]; ++j) x = x * 1664525u + 1013904223u;
      all[i] = x;
    }
    return all;
  };
  const DeviceBuffer<int> from(mixed), in_order(sorted);
  const DeviceBuffer<unsigned> out(mixed.size());
  bench.run("k40_a", {blocks, threads}, k40_a, out, equal(wanted(mixed)), from.data());
  bench.run("k40_b", {blocks, threads}, k40_b, out, equal(wanted(sorted)), in_order.data());
}

void k41(Bench& bench) {
  const auto in = bench.floats(size_t(blocks) * threads, -1, 1);
  std::vector<float> now(in.begin(), in.end()), next(in.size());
  for (int j = 0; j < passes; ++j) {
    for (size_t i = 0; i < now.size(); ++i)
      next[i] = 0.5f * (now[i] + now[i / 32 * 32 + (i + 1) % 32]);
    now.swap(next);
  }
  const DeviceBuffer<float> from(in), out(in.size());
  bench.run("k41_a", {blocks, threads}, k41_a, out, equal(now), from.data());
  bench.run("k41_b", {blocks, threads}, k41_b, out, equal(now), from.data());
}

void k42(Bench& bench) {
  const auto in = bench.floats(size_t(few) * values, -0.5f, 0.5f);
  std::vector<double> wanted(in.size());
  for (size_t i = 0; i < in.size(); ++i) wanted[i] = 0.25 / (1 - double(in[i]));
  const DeviceBuffer<float> from(in), out(in.size());
  bench.run("k42_a", {sms, few / sms}, k42_a, out, close(wanted, 1e-5), from.data(), 0.25f);
  bench.run("k42_b", {sms, few / sms}, k42_b, out, close(wanted, 1e-5), from.data(), 0.25f);
}

}  // namespace advice
