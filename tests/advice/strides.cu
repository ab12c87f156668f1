// k37 to k39: lanes that are further apart than their numbers are wide.
#include "tests/advice/pairs.h"

namespace advice {
namespace {

// Of pairs the first number alone, and the second one in an array of its own.
constexpr int pairs_of_all = sms * 128 * 256;

__global__ void k37_a(float* out, const float* in) {
  const int i = thread_index();
  out[i] = in[2 * i] * in[2 * i];  // planted
}
__global__ void k37_b(float* out, const float* in) {
  const int i = thread_index();
  out[i] = in[i] * in[i];
}

// Sums over words of shared memory that lie two apart, or side by side.
constexpr int threads = 256, rounds = 64, blocks = sms * 4;

template <int Step>
__device__ void sum_of_neighbours(int* out, const int* in) {
  __shared__ int words[threads * Step + rounds];
  const int t = int(threadIdx.x);
  for (int i = t; i < threads * Step + rounds; i += threads) words[i] = 0;
  __syncthreads();
  words[t * Step] = in[thread_index()];
  __syncthreads();
  int sum = 0;
#pragma unroll 8
  for (int j = 0; j < rounds; ++j) {
    sum += words[(t * Step + j * Step) % (threads * Step)];  // planted
  }
  out[thread_index()] = sum;
}
__global__ void k38_a(int* out, const int* in) { sum_of_neighbours<4>(out, in); }
__global__ void k38_b(int* out, const int* in) { sum_of_neighbours<1>(out, in); }

// A transposition that reads rows and stores columns, and one by tiles.
constexpr int side = 1024, tile = 32;

__global__ void k39_a(float* out, const float* in) {
  const int x = int(blockIdx.x * tile + threadIdx.x), y = int(blockIdx.y * tile + threadIdx.y);
#pragma unroll
  for (int j = 0; j < tile; j += 8) {
    out[x * side + y + j] = in[(y + j) * side + x];  // planted
  }
}
__global__ void k39_b(float* out, const float* in) {
  __shared__ float some[tile][tile + 1];
  const int x = int(blockIdx.x * tile + threadIdx.x), y = int(blockIdx.y * tile + threadIdx.y);
#pragma unroll
  for (int j = 0; j < tile; j += 8) some[threadIdx.y + j][threadIdx.x] = in[(y + j) * side + x];
  __syncthreads();
  const int to_x = int(blockIdx.y * tile + threadIdx.x),
            to_y = int(blockIdx.x * tile + threadIdx.y);
#pragma unroll
  for (int j = 0; j < tile; j += 8)
    out[(to_y + j) * side + to_x] = some[threadIdx.x][threadIdx.y + j];
}

}  // namespace

void k37(Bench& bench) {
  const auto in = bench.floats(2 * size_t(pairs_of_all), -1, 1);
  std::vector<float> first(pairs_of_all), wanted(first.size());
  for (size_t i = 0; i < wanted.size(); ++i) {
    first[i] = in[2 * i];
    wanted[i] = first[i] * first[i];
  }
  const DeviceBuffer<float> from(in), alone(first), out(wanted.size());
  bench.run("k37_a", {pairs_of_all / 256, 256}, k37_a, out, equal(wanted), from.data());
  bench.run("k37_b", {pairs_of_all / 256, 256}, k37_b, out, equal(wanted), alone.data());
}

void k38(Bench& bench) {
  const auto in = bench.integers(size_t(blocks) * threads, 1000);
  std::vector<int> wanted(in.size(), 0);
  for (size_t i = 0; i < wanted.size(); ++i) {
    for (size_t j = 0; j < rounds; ++j)
      wanted[i] += in[i / threads * threads + (i % threads + j) % threads];
  }
  const DeviceBuffer<int> from(in), out(in.size());
  bench.run("k38_a", {blocks, threads}, k38_a, out, equal(wanted), from.data());
  bench.run("k38_b", {blocks, threads}, k38_b, out, equal(wanted), from.data());
}

void k39(Bench& bench) {
  const auto in = bench.floats(size_t(side) * side, -1, 1);
  std::vector<float> wanted(in.size());
  for (size_t y = 0; y < side; ++y) {
    for (size_t x = 0; x < side; ++x) wanted[x * side + y] = in[y * side + x];
  }
  const DeviceBuffer<float> from(in), out(in.size());
  const Shape shape{dim3(side / tile, side / tile), dim3(tile, 8)};
  bench.run("k39_a", shape, k39_a, out, equal(wanted), from.data());
  bench.run("k39_b", shape, k39_b, out, equal(wanted), from.data());
}

}  // namespace advice
