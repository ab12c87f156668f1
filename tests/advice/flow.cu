// k06, k07 and k55: what the threads of a warp, or of a block, do together.
#include "tests/advice/pairs.h"
#include "tests/advice/settle.cuh"

namespace advice {
namespace {

constexpr int n = sms * 2048, steps = 96;

// Solutions of x = sin(x) / 2 + c for even elements, x = cos(x) / 2 + c for odd ones.
__device__ float cosine_settled(float c) {
  float x = c;
#pragma unroll 8
  for (int j = 0; j < steps; ++j) x = 0.5f * __cosf(x) + c;
  return x;
}
__global__ void k06_a(float* out, const float* in) {
  const int i = thread_index();
  const float c = in[i];
  if (i % 2 == 0) {  // planted
    out[i] = settled(c, steps);
  } else {
    out[i] = cosine_settled(c);
  }
}
// The first half of a block takes its even elements.
__global__ void k06_b(float* out, const float* in) {
  const int t = int(threadIdx.x);
  const int i = int(blockIdx.x * 256) + 2 * (t % 128) + t / 128;
  const float c = in[i];
  if (t < 128) {
    out[i] = settled(c, steps);
  } else {
    out[i] = cosine_settled(c);
  }
}
// x = cos(x) / 2 + c is y = sin(y) / 2 + c + pi/2 with y = x + pi/2.
double cosine_solution(double c) {
  const double quarter = std::acos(0.0);
  return solution(c + quarter) - quarter;
}

// Solutions by 32 rounds; a warp takes many steps in few of them, those of its bits that are set.
constexpr int threads = sms * 512, rounds = 32;

__global__ void k07_a(float* out, const float* in, const unsigned* warps) {
  const float c = in[thread_index()];
  const unsigned long_rounds = warps[thread_index() / 32];
  float x = c;
#pragma unroll 1
  for (int j = 0; j < rounds; ++j) {
    const int length = (long_rounds >> j & 1) ? 32 : 1;
#pragma unroll 1
    for (int k = 0; k < length; ++k) x = 0.5f * __sinf(x) + c;
    __syncthreads();  // planted
  }
  out[thread_index()] = x;
}
__global__ void k07_b(float* out, const float* in, const unsigned* warps) {
  const float c = in[thread_index()];
  const unsigned long_rounds = warps[thread_index() / 32];
  float x = c;
#pragma unroll 1
  for (int j = 0; j < rounds; ++j) {
    const int length = (long_rounds >> j & 1) ? 32 : 1;
#pragma unroll 1
    for (int k = 0; k < length; ++k) x = 0.5f * __sinf(x) + c;
  }
  out[thread_index()] = x;
}

// Nobody takes another branch: three of four lanes are done at once.
__global__ void k55_a(float* out, const float* in) {
  const int i = thread_index();
  if (i % 4 != 0) return;  // planted
  out[i / 4] = settled(in[i / 4], steps);
}
__global__ void k55_b(float* out, const float* in) {
  const int i = thread_index();
  out[i] = settled(in[i], steps);
}

}  // namespace

void k06(Bench& bench) {
  const auto in = bench.floats(n, -2, 2);
  std::vector<double> wanted(n);
  for (size_t i = 0; i < n; ++i) wanted[i] = i % 2 ? cosine_solution(in[i]) : solution(in[i]);
  const DeviceBuffer<float> from(in), out(n);
  bench.run("k06_a", {n / 256, 256}, k06_a, out, close(wanted, 1e-5), from.data());
  bench.run("k06_b", {n / 256, 256}, k06_b, out, close(wanted, 1e-5), from.data());
}

void k55(Bench& bench) {
  const auto in = bench.floats(n / 4, -2, 2);
  const DeviceBuffer<float> from(in), out(n / 4);
  const auto right = close(solutions(in), 1e-5);
  bench.run("k55_a", {n / 256, 256}, k55_a, out, right, from.data());
  bench.run("k55_b", {n / 1024, 256}, k55_b, out, right, from.data());
}

void k07(Bench& bench) {
  const auto in = bench.floats(threads, -2, 2);
  const auto numbers = bench.integers<unsigned>(threads / 32, uint64_t(1) << 32);
  std::vector<unsigned> bits;  // one in eight is set
  for (const unsigned each : numbers)
    bits.push_back(each & (each >> 11 | each << 21) & (each << 7 | each >> 25));
  const DeviceBuffer<float> from(in), out(threads);
  const DeviceBuffer<unsigned> warps(bits);
  const auto right = close(solutions(in), 1e-5);
  bench.run("k07_a", {threads / 256, 256}, k07_a, out, right, from.data(), warps.data());
  bench.run("k07_b", {threads / 256, 256}, k07_b, out, right, from.data(), warps.data());
}

}  // namespace advice
