// k31 to k33: more exact, or wider, than the result needs.
#include "tests/advice/pairs.h"

namespace advice {
namespace {

constexpr int n = sms * 1024, terms = 64;

// Sums of reciprocals of roots.
__global__ void k31_a(float* out, const float* in) {
  const float x = in[thread_index()];
  float sum = 0;
#pragma unroll 4
  for (int j = 0; j < terms; ++j) {
    sum += 1 / sqrtf(x + float(j));  // planted
  }
  out[thread_index()] = sum;
}
__global__ void k31_b(float* out, const float* in) {
  const float x = in[thread_index()];
  float sum = 0;
#pragma unroll 4
  for (int j = 0; j < terms; ++j) sum += rsqrtf(x + float(j));
  out[thread_index()] = sum;
}

// Rows of elements, by a width that the launch tells: a power of two.
__global__ void k32_a(unsigned* out, const unsigned* in, unsigned long long width) {
  unsigned long long element = in[thread_index()];
  unsigned sum = 0;
#pragma unroll 1
  for (int j = 0; j < terms; ++j) {
    sum = 3 * sum + unsigned(element / width);  // planted
    element += 977;
  }
  out[thread_index()] = sum;
}
__global__ void k32_b(unsigned* out, const unsigned* in, int shift) {
  unsigned long long element = in[thread_index()];
  unsigned sum = 0;
#pragma unroll 1
  for (int j = 0; j < terms; ++j) {
    sum = 3 * sum + unsigned(element >> shift);
    element += 977;
  }
  out[thread_index()] = sum;
}

// x -> x / 2 / (1 + x^2), again and again.
__global__ void k33_a(float* out, const float* in) {
  float x = in[thread_index()];
#pragma unroll 2
  for (int j = 0; j < terms; ++j) {
    x = 0.5 * x / (1.0 + x * x);  // planted
  }
  out[thread_index()] = x;
}
__global__ void k33_b(float* out, const float* in) {
  float x = in[thread_index()];
#pragma unroll 2
  for (int j = 0; j < terms; ++j) x = __fdividef(0.5f * x, 1 + x * x);
  out[thread_index()] = x;
}

}  // namespace

void k31(Bench& bench) {
  const auto in = bench.floats(n, 1, 2);
  std::vector<double> wanted(n, 0);
  for (size_t i = 0; i < wanted.size(); ++i) {
    for (int j = 0; j < terms; ++j) wanted[i] += 1 / std::sqrt(double(in[i]) + j);
  }
  const DeviceBuffer<float> from(in), out(n);
  bench.run("k31_a", {n / 256, 256}, k31_a, out, close(wanted, 1e-5), from.data());
  bench.run("k31_b", {n / 256, 256}, k31_b, out, close(wanted, 1e-5), from.data());
}

void k32(Bench& bench) {
  constexpr int shift = 5;
  const auto in = bench.integers<unsigned>(n, uint64_t(1) << 32);
  std::vector<unsigned> wanted(n, 0);
  for (size_t i = 0; i < wanted.size(); ++i) {
    for (uint64_t j = 0; j < terms; ++j) {
      wanted[i] = 3 * wanted[i] + unsigned((in[i] + 977 * j) / (1 << shift));
    }
  }
  const DeviceBuffer<unsigned> from(in), out(n);
  bench.run("k32_a", {n / 256, 256}, k32_a, out, equal(wanted), from.data(), 1ULL << shift);
  bench.run("k32_b", {n / 256, 256}, k32_b, out, equal(wanted), from.data(), shift);
}

void k33(Bench& bench) {
  const auto in = bench.floats(n, -1, 1);
  std::vector<double> wanted(n);
  for (size_t i = 0; i < wanted.size(); ++i) {
    wanted[i] = in[i];
    for (int j = 0; j < terms; ++j) wanted[i] = 0.5 * wanted[i] / (1 + wanted[i] * wanted[i]);
  }
  const DeviceBuffer<float> from(in), out(n);
  bench.run("k33_a", {n / 256, 256}, k33_a, out, close(wanted, 1e-5), from.data());
  bench.run("k33_b", {n / 256, 256}, k33_b, out, close(wanted, 1e-5), from.data());
}

}  // namespace advice
