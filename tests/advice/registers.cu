// k08 and k09: values that should stay in registers.
#include "tests/advice/pairs.h"

namespace advice {
namespace {

constexpr int threads = sms * 1024, values = 96, rounds = 6;

// 96 values, each of which takes in another one in every round.
template <class Real, class Value>
__host__ __device__ Real mixed(Value x) {
  Real v[values];
#pragma unroll
  for (int k = 0; k < values; ++k) v[k] = Real(k + 1) * x;
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int k = 0; k < values; ++k) v[k] = Real(0.5) * v[(k + 37) % values] + v[k];
  }
  Real sum = 0;
#pragma unroll
  for (int k = 0; k < values; ++k) sum = Real(0.75) * sum + v[k];
  return sum;
}
__global__ void __launch_bounds__(1024) k08_a(float* out, const float* in) {  // planted
  const int i = thread_index();
  out[i] = mixed<float>(in[i]);
}
__global__ void __launch_bounds__(256) k08_b(float* out, const float* in) {
  const int i = thread_index();
  out[i] = mixed<float>(in[i]);
}

// A cascade of 16 filters that 24 samples go through.
constexpr int lines = sms * 512, samples = 24, filters = 16;

__global__ void k09_a(float* out, const float* in) {
  const int i = thread_index();
  float state[filters] = {};
#pragma unroll 1
  for (int j = 0; j < samples; ++j) {
    float value = in[lines * j + i];
#pragma unroll 1
    for (int k = 0; k < filters; ++k) {
      state[k] = value = 0.5f * value + 0.25f * state[k];  // planted
    }
  }
  float sum = 0;
  for (int k = 0; k < filters; ++k) sum += state[k];
  out[i] = sum;
}
__global__ void k09_b(float* out, const float* in) {
  const int i = thread_index();
  float state[filters] = {};
#pragma unroll 1
  for (int j = 0; j < samples; ++j) {
    float value = in[lines * j + i];
#pragma unroll
    for (int k = 0; k < filters; ++k) state[k] = value = 0.5f * value + 0.25f * state[k];
  }
  float sum = 0;
  for (int k = 0; k < filters; ++k) sum += state[k];
  out[i] = sum;
}

}  // namespace

void k08(Bench& bench) {
  const auto in = bench.floats(threads, -1, 1);
  const double factor = mixed<double>(1.0);  // what is done to x is linear
  std::vector<double> wanted(threads);
  for (size_t i = 0; i < wanted.size(); ++i) wanted[i] = factor * in[i];
  const DeviceBuffer<float> from(in), out(threads);
  bench.run("k08_a", {threads / 1024, 1024}, k08_a, out, close(wanted, 1e-5), from.data());
  bench.run("k08_b", {threads / 256, 256}, k08_b, out, close(wanted, 1e-5), from.data());
}

void k09(Bench& bench) {
  const auto in = bench.floats(size_t(lines) * samples, -1, 1);
  std::vector<double> wanted(lines);
  for (size_t i = 0; i < wanted.size(); ++i) {
    std::vector<double> state(filters, 0);
    for (size_t j = 0; j < samples; ++j) {
      double value = in[lines * j + i];
      for (double& each : state) each = value = 0.5 * value + 0.25 * each;
    }
    for (const double each : state) wanted[i] += each;
  }
  const DeviceBuffer<float> from(in), out(lines);
  bench.run("k09_a", {lines / 512, 512}, k09_a, out, close(wanted, 1e-5), from.data());
  bench.run("k09_b", {lines / 512, 512}, k09_b, out, close(wanted, 1e-5), from.data());
}

}  // namespace advice
