// k43 to k45: launches that leave most of the machine idle.
#include "tests/advice/pairs.h"
#include "tests/advice/settle.cuh"

namespace advice {
namespace {

// One block walks over all numbers, or a block for each part of them.
constexpr int all = sms * 512, steps = 64;

__global__ void k43_a(float* out, const float* in) {
  for (int i = thread_index(); i < all; i += int(gridDim.x * blockDim.x)) {
    out[i] = settled(in[i], steps);
  }
}
__global__ void k43_b(float* out, const float* in) {
  for (int i = thread_index(); i < all; i += int(gridDim.x * blockDim.x)) {
    out[i] = settled(in[i], steps);
  }
}

// So little that beginning and ending take longer.
__global__ void k44_a(float* out, const float* in) { out[thread_index()] = in[thread_index()] + 1; }
__global__ void k44_b(float* out, const float* in, int rounds) {
  for (int j = 0; j < rounds; ++j) {
    const int i = j * int(gridDim.x * blockDim.x) + thread_index();
    out[i] = in[i] + 1;
  }
}

// Blocks of a warp: an SM has room for 32 of them, half of its warps. Each warp goes from row to row.
constexpr int chained = sms * 64 * 32, jumps = 128, rows = 1 << 13;

__device__ int jumped(const int* next, int at) {
  for (int j = 0; j < jumps; ++j) at = next[at % rows * 32 + int(threadIdx.x) % 32];
  return at;
}
__global__ void k45_a(int* out, const int* next) {
  out[thread_index()] = jumped(next, thread_index() / 32);
}
__global__ void k45_b(int* out, const int* next) {
  out[thread_index()] = jumped(next, thread_index() / 32);
}

}  // namespace

void k43(Bench& bench) {
  const auto in = bench.floats(all, -1, 1);
  const DeviceBuffer<float> from(in), out(in.size());
  bench.run("k43_a", {4, 512}, k43_a, out, close(solutions(in), 1e-5), from.data());
  bench.run("k43_b", {sms, 512}, k43_b, out, close(solutions(in), 1e-5), from.data());
}

void k44(Bench& bench) {
  constexpr int rounds = 32, threads = sms * 4 * 1024;
  const auto in = bench.floats(size_t(threads) * rounds, -1, 1);
  std::vector<float> wanted(in.size());
  for (size_t i = 0; i < in.size(); ++i) wanted[i] = in[i] + 1;
  const std::vector<float> few(wanted.begin(), wanted.begin() + sms * 32);
  const DeviceBuffer<float> from(in), out(in.size()), little(few.size());
  bench.run("k44_a", {sms, 32}, k44_a, little, equal(few), from.data());
  bench.run("k44_b", {threads / 1024, 1024}, k44_b, out, equal(wanted), from.data(), rounds);
}

void k45(Bench& bench) {
  const auto row = bench.integers(rows, rows);
  std::vector<int> next(size_t(rows) * 32), wanted(chained);
  for (size_t i = 0; i < next.size(); ++i) next[i] = row[i / 32];
  for (int i = 0; i < chained; ++i) {
    int at = i / 32;
    for (int j = 0; j < jumps; ++j) at = row[size_t(at % rows)];
    wanted[size_t(i)] = at;
  }
  const DeviceBuffer<int> from(next), out(wanted.size());
  bench.run("k45_a", {chained / 32, 32}, k45_a, out, equal(wanted), from.data());
  bench.run("k45_b", {chained / 256, 256}, k45_b, out, equal(wanted), from.data());
}

}  // namespace advice
