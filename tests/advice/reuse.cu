// k23, k24, k57 and k59: more loads and stores than there are values.
#include "tests/advice/pairs.h"

namespace advice {
namespace {

constexpr int threads = sms * 1024, terms = 32;

// Sums of multiples; `out` might be where `in` or `factor` is.
__global__ void k23_a(int* out, const int* in, const int* factor) {
  const int i = thread_index();
  for (int j = 0; j < terms; ++j) {
    out[i] += *factor * in[threads * j + i];  // planted
  }
}
__global__ void k23_b(int* __restrict__ out, const int* __restrict__ in,
                      const int* __restrict__ factor) {
  const int i = thread_index();
  int sum = 0;
  for (int j = 0; j < terms; ++j) sum += *factor * in[threads * j + i];
  out[i] = sum;
}

constexpr int bytes = 8 << 20, at_once = 2;

__global__ void k24_a(unsigned char* __restrict__ out, const unsigned char* __restrict__ in) {
  const int i = thread_index(), all = int(gridDim.x * blockDim.x);
#pragma unroll
  for (int j = 0; j < at_once; ++j) {
    out[all * j + i] = in[all * j + i] ^ 0x5a;  // planted
  }
}
__global__ void k24_b(unsigned char* __restrict__ out, const unsigned char* __restrict__ in) {
  const int i = thread_index();
  uint4 some = reinterpret_cast<const uint4*>(in)[i];
  some.x ^= 0x5a5a5a5a;
  some.y ^= 0x5a5a5a5a;
  some.z ^= 0x5a5a5a5a;
  some.w ^= 0x5a5a5a5a;
  reinterpret_cast<uint4*>(out)[i] = some;
}

// Bytes become floats, one or four a thread.
constexpr int pixels = 1 << 24;

__global__ void k57_a(float* out, const unsigned char* in) {
  const int i = thread_index();
  out[i] = float(in[i]) - 128;  // planted
}
__global__ void k57_b(float* out, const unsigned char* in) {
  const int i = thread_index();
  const uchar4 some = reinterpret_cast<const uchar4*>(in)[i];
  reinterpret_cast<float4*>(out)[i] = {float(some.x) - 128, float(some.y) - 128,
                                       float(some.z) - 128, float(some.w) - 128};
}

// A filter whose factors all lanes load alike, or have as operands.
constexpr int taps = 64, filtered = sms * 32 * 256;
__constant__ float factors[taps];

__global__ void k59_a(float* out, const float* in, const float* factor) {
  const int i = thread_index();
  float sum = 0;
  for (int j = 0; j < taps; ++j) {
    sum += factor[j] * in[i + j];  // planted
  }
  out[i] = sum;
}
__global__ void k59_b(float* out, const float* in) {
  const int i = thread_index();
  float sum = 0;
  for (int j = 0; j < taps; ++j) sum += factors[j] * in[i + j];
  out[i] = sum;
}

}  // namespace

void k23(Bench& bench) {
  const auto in = bench.integers(size_t(threads) * terms, 1 << 16), factor = bench.integers(1, 100);
  std::vector<int> wanted(threads, 0);
  for (size_t i = 0; i < in.size(); ++i) wanted[i % threads] += factor[0] * in[i];
  const DeviceBuffer<int> from(in), by(factor), out(threads);
  bench.run("k23_a", {threads / 256, 256}, k23_a, out, equal(wanted), from.data(), by.data());
  bench.run("k23_b", {threads / 256, 256}, k23_b, out, equal(wanted), from.data(), by.data());
}

void k24(Bench& bench) {
  const auto in = bench.integers<unsigned char>(bytes, 256);
  auto wanted = in;
  for (unsigned char& each : wanted) each ^= 0x5a;
  const DeviceBuffer<unsigned char> from(in), out(bytes);
  bench.run("k24_a", {bytes / at_once / 256, 256}, k24_a, out, equal(wanted), from.data());
  bench.run("k24_b", {bytes / 16 / 256, 256}, k24_b, out, equal(wanted), from.data());
}

void k57(Bench& bench) {
  const auto in = bench.integers<unsigned char>(pixels, 256);
  std::vector<float> wanted;
  for (const unsigned char each : in) wanted.push_back(float(each) - 128);
  const DeviceBuffer<unsigned char> from(in);
  const DeviceBuffer<float> out(pixels);
  bench.run("k57_a", {pixels / 256, 256}, k57_a, out, equal(wanted), from.data());
  bench.run("k57_b", {pixels / 1024, 256}, k57_b, out, equal(wanted), from.data());
}

void k59(Bench& bench) {
  const auto in = bench.floats(filtered + taps, -1, 1), factor = bench.floats(taps, -1, 1);
  std::vector<double> wanted(filtered);
  for (int i = 0; i < filtered; ++i)
    for (int j = 0; j < taps; ++j)
      wanted[size_t(i)] += double(factor[size_t(j)]) * in[size_t(i + j)];
  CHECK(cudaMemcpyToSymbol(factors, factor.data(), sizeof(factors)));
  const DeviceBuffer<float> from(in), by(factor), out(filtered);
  const auto right = close(wanted, 1e-4);
  bench.run("k59_a", {filtered / 256, 256}, k59_a, out, right, from.data(), by.data());
  bench.run("k59_b", {filtered / 256, 256}, k59_b, out, right, from.data());
}

}  // namespace advice
