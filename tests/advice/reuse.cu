// k23 and k24: more loads and stores than there are values.
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

}  // namespace advice
