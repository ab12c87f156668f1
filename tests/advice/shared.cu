// k04 and k05: in which banks of shared memory the lanes of a warp meet.
#include "tests/advice/pairs.h"

namespace advice {
namespace {

constexpr int size = 2048;  // of a square matrix: 16 MiB

__global__ void k04_a(int* out, const int* in) {
  __shared__ int tile[32][32];
  const int x = int(threadIdx.x), y = int(threadIdx.y);
  const int column = int(32 * blockIdx.x), row = int(32 * blockIdx.y);
  for (int j = 0; j < 32; j += 8) tile[y + j][x] = in[size * (row + y + j) + column + x];
  __syncthreads();
  for (int j = 0; j < 32; j += 8) {
    out[size * (column + y + j) + row + x] = tile[x][y + j];  // planted
  }
}
__global__ void k04_b(int* out, const int* in) {
  __shared__ int tile[32][33];
  const int x = int(threadIdx.x), y = int(threadIdx.y);
  const int column = int(32 * blockIdx.x), row = int(32 * blockIdx.y);
  for (int j = 0; j < 32; j += 8) tile[y + j][x] = in[size * (row + y + j) + column + x];
  __syncthreads();
  for (int j = 0; j < 32; j += 8) out[size * (column + y + j) + row + x] = tile[x][y + j];
}

// A filter of 64 weights of which every eighth result is kept: 256 results a block.
constexpr int taps = 64, step = 8, results = 256 * 1024, block_inputs = 256 * step + taps;
struct Weights {
  float of[taps];
};

__global__ void k05_a(float* out, const float* in, Weights weights, int phase) {
  __shared__ float values[block_inputs + step];
  const int t = int(threadIdx.x);
  in += 256 * step * blockIdx.x;
  for (int i = t; i < block_inputs; i += 256) values[i + phase] = in[i];
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int j = 0; j < taps; ++j) {
    sum += weights.of[j] * values[step * t + j + phase];  // planted
  }
  out[thread_index()] = sum;
}
// A word is left free after every eight: lanes are nine apart.
__global__ void k05_b(float* out, const float* in, Weights weights, int phase) {
  __shared__ float values[(block_inputs + step) / step * (step + 1)];
  const int t = int(threadIdx.x);
  in += 256 * step * blockIdx.x;
  for (int i = t; i < block_inputs; i += 256) values[i + i / step + phase] = in[i];
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int j = 0; j < taps; ++j) {
    sum += weights.of[j] * values[(step + 1) * t + j + j / step + phase];
  }
  out[thread_index()] = sum;
}

}  // namespace

void k04(Bench& bench) {
  const auto in = bench.integers(size_t(size) * size, 1u << 31);
  std::vector<int> wanted(in.size());
  for (int row = 0; row < size; ++row) {
    for (int column = 0; column < size; ++column) {
      wanted[size_t(column) * size + row] = in[size_t(row) * size + column];
    }
  }
  const DeviceBuffer<int> from(in), out(in.size());
  const Shape shape{dim3(size / 32, size / 32), dim3(32, 8)};
  bench.run("k04_a", shape, k04_a, out, equal(wanted), from.data());
  bench.run("k04_b", shape, k04_b, out, equal(wanted), from.data());
}

void k05(Bench& bench) {
  const auto in = bench.floats(size_t(results) * step + taps, -1, 1);
  const auto factors = bench.floats(taps, -1, 1);
  Weights weights;
  std::copy(factors.begin(), factors.end(), weights.of);
  std::vector<double> wanted(results, 0);
  for (size_t i = 0; i < wanted.size(); ++i) {
    for (size_t j = 0; j < taps; ++j) wanted[i] += double(factors[j]) * in[step * i + j];
  }
  const DeviceBuffer<float> from(in), out(results);
  const auto right = close(wanted, 1e-5);
  bench.run("k05_a", {results / 256, 256}, k05_a, out, right, from.data(), weights, 0);
  bench.run("k05_b", {results / 256, 256}, k05_b, out, right, from.data(), weights, 0);
}

}  // namespace advice
