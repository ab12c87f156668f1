// k19 to k21: arithmetic that costs more than it needs.
#include "tests/advice/pairs.h"

namespace advice {
namespace {

constexpr int n = sms * 2048;

// x -> 0.7 x + c, again and again.
__global__ void k19_a(float* out, const float* in) {
  const float c = in[thread_index()];
  float x = c;
#pragma unroll 4
  for (int j = 0; j < 96; ++j) {
    x = x * 0.7 + c;  // planted
  }
  out[thread_index()] = x;
}
__global__ void k19_b(float* out, const float* in) {
  const float c = in[thread_index()];
  float x = c;
#pragma unroll 4
  for (int j = 0; j < 96; ++j) x = x * 0.7f + c;
  out[thread_index()] = x;
}

// Quotients and remainders of numbers of 20 bits by others of 12 bits.
constexpr int numbers = sms * 1024, divisions = 64;
struct List {
  unsigned of[divisions];
};
__host__ __device__ unsigned following(unsigned state) { return 1664525 * state + 1013904223; }

__global__ void k20_a(unsigned* out, const unsigned* in, List divisors) {
  unsigned state = in[thread_index()], sum = 0;
#pragma unroll
  for (int j = 0; j < divisions; ++j) {
    const unsigned number = state >> 12;
    const unsigned quotient = number / divisors.of[j];  // planted
    sum = 3 * sum + quotient + 5 * (number - quotient * divisors.of[j]);
    state = following(state);
  }
  out[thread_index()] = sum;
}
// Factors are 2^32 / divisor, rounded up: exact for numbers of 20 bits.
__global__ void k20_b(unsigned* out, const unsigned* in, List divisors, List factors) {
  unsigned state = in[thread_index()], sum = 0;
#pragma unroll
  for (int j = 0; j < divisions; ++j) {
    const unsigned number = state >> 12;
    const unsigned quotient = __umulhi(number, factors.of[j]);
    sum = 3 * sum + quotient + 5 * (number - quotient * divisors.of[j]);
    state = following(state);
  }
  out[thread_index()] = sum;
}

// Sums of sines and exponentials.
constexpr int sums = sms * 1024, terms = 48;

__global__ void k21_a(float* out, const float* in) {
  const float x = in[thread_index()];
  float sum = 0;
#pragma unroll 4
  for (int j = 0; j < terms; ++j) {
    const float angle = x + 0.1f * float(j);
    sum += sinf(angle) * expf(-angle);  // planted
  }
  out[thread_index()] = sum;
}
__global__ void k21_b(float* out, const float* in) {
  const float x = in[thread_index()];
  float sum = 0;
#pragma unroll 4
  for (int j = 0; j < terms; ++j) {
    const float angle = x + 0.1f * float(j);
    sum += __sinf(angle) * __expf(-angle);
  }
  out[thread_index()] = sum;
}

}  // namespace

void k19(Bench& bench) {
  const auto in = bench.floats(n, -1, 1);
  const double factor = (1 - std::pow(0.7, 97)) / (1 - 0.7);  // a geometric series
  std::vector<double> wanted(n);
  for (size_t i = 0; i < n; ++i) wanted[i] = factor * in[i];
  const DeviceBuffer<float> from(in), out(n);
  bench.run("k19_a", {n / 256, 256}, k19_a, out, close(wanted, 1e-5), from.data());
  bench.run("k19_b", {n / 256, 256}, k19_b, out, close(wanted, 1e-5), from.data());
}

void k20(Bench& bench) {
  const auto in = bench.integers<unsigned>(numbers, uint64_t(1) << 32);
  const auto random = bench.integers<unsigned>(divisions, 3000);
  List divisors, factors;
  for (size_t j = 0; j < divisions; ++j) {
    divisors.of[j] = 1001 + random[j];
    factors.of[j] = unsigned(((uint64_t(1) << 32) + divisors.of[j] - 1) / divisors.of[j]);
  }
  std::vector<unsigned> wanted(numbers, 0);
  for (size_t i = 0; i < wanted.size(); ++i) {
    unsigned state = in[i];
    for (int j = 0; j < divisions; ++j, state = following(state)) {
      const unsigned number = state >> 12;
      wanted[i] = 3 * wanted[i] + number / divisors.of[j] + 5 * (number % divisors.of[j]);
    }
  }
  const DeviceBuffer<unsigned> from(in), out(numbers);
  const Shape shape{numbers / 256, 256};
  bench.run("k20_a", shape, k20_a, out, equal(wanted), from.data(), divisors);
  bench.run("k20_b", shape, k20_b, out, equal(wanted), from.data(), divisors, factors);
}

void k21(Bench& bench) {
  const auto in = bench.floats(sums, -1, 1);
  std::vector<double> wanted(sums, 0);
  for (size_t i = 0; i < wanted.size(); ++i) {
    for (int j = 0; j < terms; ++j) {
      const double angle = in[i] + 0.1 * j;
      wanted[i] += std::sin(angle) * std::exp(-angle);
    }
  }
  const DeviceBuffer<float> from(in), out(sums);
  bench.run("k21_a", {sums / 256, 256}, k21_a, out, close(wanted, 1e-5), from.data());
  bench.run("k21_b", {sums / 256, 256}, k21_b, out, close(wanted, 1e-5), from.data());
}

}  // namespace advice
