// k10, k11, k17, k18 and k22: how a launch fills the GPU. Both kernels of a pair have the same code;
// the planted line is the launch.
#include "tests/advice/pairs.h"
#include "tests/advice/settle.cuh"

namespace advice {
namespace {

// Sums of 2048 values by blocks of 128 threads.
constexpr int block_values = 2048, blocks = 4096;
__device__ void sum_of_block(int* out, const int* __restrict__ in) {
  extern __shared__ int sums[];
  const int t = int(threadIdx.x);
  in += block_values * blockIdx.x;
  int sum = 0;
#pragma unroll
  for (int j = 0; j < block_values; j += 128) sum += in[j + t];
  sums[t] = sum;
  for (int reach = 64; reach > 0; reach /= 2) {
    __syncthreads();
    if (t < reach) sums[t] += sums[t + reach];
  }
  if (t == 0) out[blockIdx.x] = sums[0];
}
__global__ void k10_a(int* out, const int* in) { sum_of_block(out, in); }
__global__ void k10_b(int* out, const int* in) { sum_of_block(out, in); }

__device__ void three_and_one(int* __restrict__ out, const int* __restrict__ in, int n) {
  for (int i = thread_index(); i < n; i += int(gridDim.x * blockDim.x)) out[i] = 3 * in[i] + 1;
}
__global__ void k11_a(int* out, const int* in, int n) { three_and_one(out, in, n); }
__global__ void k11_b(int* out, const int* in, int n) { three_and_one(out, in, n); }
void of_three_and_one(std::vector<int>& all) {
  for (int& each : all) each = 3 * each + 1;
}

// 16 solutions a thread, all at once: so many registers that an SM has room for one block of 1024.
constexpr int chains = 16, solvers = 133 * 1024;
__device__ void settle_16(float* out, const float* in) {
  const int i = thread_index();
  float c[chains], x[chains];
#pragma unroll
  for (int k = 0; k < chains; ++k) x[k] = c[k] = in[solvers * k + i];
#pragma unroll 2
  for (int j = 0; j < 24; ++j) {
#pragma unroll
    for (int k = 0; k < chains; ++k) x[k] = 0.5f * __sinf(x[k]) + c[k];
  }
#pragma unroll
  for (int k = 0; k < chains; ++k) out[solvers * k + i] = x[k];
}
__global__ void __launch_bounds__(1024) k17_a(float* out, const float* in) { settle_16(out, in); }
__global__ void __launch_bounds__(1024) k17_b(float* out, const float* in) { settle_16(out, in); }

__device__ void settle_all(float* out, const float* in, int n) {
  for (int i = thread_index(); i < n; i += int(gridDim.x * blockDim.x)) {
    out[i] = settled(in[i], 64);
  }
}
__global__ void k18_a(float* out, const float* in, int n) { settle_all(out, in, n); }
__global__ void k18_b(float* out, const float* in, int n) { settle_all(out, in, n); }

__global__ void k22_a(int* out, const int* in) { out[thread_index()] = 3 * in[thread_index()] + 1; }
__global__ void k22_b(int* out, const int* in) { out[thread_index()] = 3 * in[thread_index()] + 1; }

}  // namespace

void k10(Bench& bench) {
  const auto in = bench.integers(size_t(blocks) * block_values, 1 << 16);
  std::vector<int> wanted(blocks, 0);
  for (size_t i = 0; i < in.size(); ++i) wanted[i / block_values] += in[i];
  const DeviceBuffer<int> from(in), out(blocks);
  const auto right = equal(wanted);
  bench.run("k10_a", {blocks, 128, 200 * 1024}, k10_a, out, right, from.data());  // planted
  bench.run("k10_b", {blocks, 128, 512}, k10_b, out, right, from.data());
}

void k11(Bench& bench) {
  constexpr int n = 2 << 20;
  auto all = bench.integers(n, 1 << 24);
  const DeviceBuffer<int> from(all), out(n);
  of_three_and_one(all);
  bench.run("k11_a", {sms, 64}, k11_a, out, equal(all), from.data(), n);  // planted
  bench.run("k11_b", {8 * sms, 256}, k11_b, out, equal(all), from.data(), n);
}

void k17(Bench& bench) {
  const auto in = bench.floats(size_t(solvers) * chains, -2, 2);
  const DeviceBuffer<float> from(in), out(in.size());
  const auto right = close(solutions(in), 1e-5);
  bench.run("k17_a", {solvers / 1024, 1024}, k17_a, out, right, from.data());  // planted
  bench.run("k17_b", {solvers / 64, 64}, k17_b, out, right, from.data());
}

void k18(Bench& bench) {
  constexpr int n = 128 * 1024;
  const auto in = bench.floats(n, -2, 2);
  const DeviceBuffer<float> from(in), out(n);
  const auto right = close(solutions(in), 1e-5);
  bench.run("k18_a", {16, 1024}, k18_a, out, right, from.data(), n);  // planted
  bench.run("k18_b", {n / 256, 256}, k18_b, out, right, from.data(), n);
}

void k22(Bench& bench) {
  constexpr int n = 4 << 20;
  auto all = bench.integers(n, 1 << 24);
  const DeviceBuffer<int> from(all), out(n);
  of_three_and_one(all);
  bench.run("k22_a", {n / 32, 32}, k22_a, out, equal(all), from.data());  // planted
  bench.run("k22_b", {n / 256, 256}, k22_b, out, equal(all), from.data());
}

}  // namespace advice
