// k46 to k50: values that lie, or are made, in a slower place than they could be.
#include "tests/advice/pairs.h"

namespace advice {
namespace {

constexpr int threads = 256, blocks = sms * 8, all = blocks * threads;

// Sums of every eighth number, each number added for itself, or a thread's, a warp's and a block's first; of
// whole numbers, so that their order does not matter.
constexpr int kinds = 8, of_thread = 16;

__global__ void k46_a(float* out, const float* in) {
  atomicAdd(&out[thread_index() % kinds], in[thread_index()]);  // planted
}
__global__ void k46_b(float* out, const float* in) {
  __shared__ float sums[threads / 32][kinds];
  float sum = 0;
#pragma unroll
  for (int j = 0; j < of_thread; ++j) sum += in[j * (all / of_thread) + thread_index()];
  for (int step = 16; step >= kinds; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
  const int lane = int(threadIdx.x % 32);
  if (lane < kinds) sums[threadIdx.x / 32][lane] = sum;
  __syncthreads();
  if (threadIdx.x >= kinds) return;
  sum = 0;
  for (int w = 0; w < threads / 32; ++w) sum += sums[w][threadIdx.x];
  atomicAdd(&out[threadIdx.x], sum);
}

// Which of so many buckets a key is in, of as many as are known at launch, or when compiling.
constexpr unsigned buckets = 1000, rounds = 16;

__global__ void k47_a(unsigned* out, const unsigned* in, unsigned count) {
  unsigned key = in[thread_index()];
#pragma unroll
  for (unsigned j = 0; j < rounds; ++j) {
    key = key % (count + j) * 77777u + j;  // planted
  }
  out[thread_index()] = key;
}
__global__ void k47_b(unsigned* out, const unsigned* in) {
  unsigned key = in[thread_index()];
#pragma unroll
  for (unsigned j = 0; j < rounds; ++j) key = key % (buckets + j) * 77777u + j;
  out[thread_index()] = key;
}

// How often each of 16 digits is in a thread's numbers: an array of the thread, or of shared memory.
constexpr int digits = 16, numbers = 8;

__global__ void k48_a(int* out, const unsigned* in) {
  int counts[digits] = {};
  for (int n = 0; n < numbers; ++n) {
    unsigned left = in[n * all + thread_index()];
    for (int j = 0; j < 8; ++j, left >>= 4) {
      ++counts[left % digits];  // planted
    }
  }
  int sum = 0;
  for (int d = 0; d < digits; ++d) sum += counts[d] * counts[d];
  out[thread_index()] = sum;
}
__global__ void k48_b(int* out, const unsigned* in) {
  __shared__ int counts[digits][threads];
  for (int d = 0; d < digits; ++d) counts[d][threadIdx.x] = 0;
  for (int n = 0; n < numbers; ++n) {
    unsigned left = in[n * all + thread_index()];
    for (int j = 0; j < 8; ++j, left >>= 4) ++counts[left % digits][threadIdx.x];
  }
  int sum = 0;
  for (int d = 0; d < digits; ++d) sum += counts[d][threadIdx.x] * counts[d][threadIdx.x];
  out[thread_index()] = sum;
}

// A product of matrices by tiles: a result a thread, or eight.
constexpr int side = 512, tile = 32;

__global__ void k49_a(float* c, const float* a, const float* b) {
  __shared__ float as[tile][tile], bs[tile][tile];
  const int x = int(threadIdx.x), y = int(threadIdx.y);
  const int row = int(blockIdx.y) * tile + y, column = int(blockIdx.x) * tile + x;
  float sum = 0;
  for (int k = 0; k < side; k += tile) {
    as[y][x] = a[row * side + k + x];
    bs[y][x] = b[(k + y) * side + column];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < tile; ++i) {
      sum += as[y][i] * bs[i][x];  // planted
    }
    __syncthreads();
  }
  c[row * side + column] = sum;
}
__global__ void k49_b(float* c, const float* a, const float* b) {
  constexpr int results = 8, step = tile / results;
  __shared__ float as[tile][tile], bs[tile][tile];
  const int x = int(threadIdx.x), y = int(threadIdx.y);
  const int row = int(blockIdx.y) * tile, column = int(blockIdx.x) * tile + x;
  float sum[results] = {};
  for (int k = 0; k < side; k += tile) {
#pragma unroll
    for (int r = 0; r < results; ++r) {
      as[r * step + y][x] = a[(row + r * step + y) * side + k + x];
      bs[r * step + y][x] = b[(k + r * step + y) * side + column];
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < tile; i += 4) {
      const float some[4] = {bs[i][x], bs[i + 1][x], bs[i + 2][x], bs[i + 3][x]};
#pragma unroll
      for (int r = 0; r < results; ++r) {
        const float4 row_of_a = *reinterpret_cast<const float4*>(&as[r * step + y][i]);
        sum[r] += row_of_a.x * some[0];
        sum[r] += row_of_a.y * some[1];
        sum[r] += row_of_a.z * some[2];
        sum[r] += row_of_a.w * some[3];
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int r = 0; r < results; ++r) c[(row + r * step + y) * side + column] = sum[r];
}

// Means of floats with a constant, computed as doubles.
constexpr int roots = 8;

__global__ void k50_a(float* out, const float* in) {
  float x = in[thread_index()];
#pragma unroll
  for (int j = 0; j < roots; ++j) {
    x = float(0.5 * (x + 2.0));  // planted
  }
  out[thread_index()] = x;
}
__global__ void k50_b(float* out, const float* in) {
  float x = in[thread_index()];
#pragma unroll
  for (int j = 0; j < roots; ++j) x = 0.5f * (x + 2.0f);
  out[thread_index()] = x;
}

}  // namespace

void k46(Bench& bench) {
  const auto whole = bench.integers(all, 16);
  std::vector<float> in(whole.begin(), whole.end()), wanted(kinds, 0);
  for (size_t i = 0; i < in.size(); ++i) wanted[i % kinds] += in[i];
  const DeviceBuffer<float> from(in), out(wanted.size());
  bench.run("k46_a", {blocks, threads}, k46_a, out, equal(wanted), from.data());
  bench.run("k46_b", {blocks / of_thread, threads}, k46_b, out, equal(wanted), from.data());
}

void k47(Bench& bench) {
  const auto in = bench.integers<unsigned>(all, 1u << 31);
  auto wanted = in;
  for (unsigned& key : wanted) {
    for (unsigned j = 0; j < rounds; ++j) key = key % (buckets + j) * 77777u + j;
  }
  const DeviceBuffer<unsigned> from(in), out(in.size());
  bench.run("k47_a", {blocks, threads}, k47_a, out, equal(wanted), from.data(), buckets);
  bench.run("k47_b", {blocks, threads}, k47_b, out, equal(wanted), from.data());
}

void k48(Bench& bench) {
  const auto in = bench.integers<unsigned>(size_t(all) * numbers, 1ull << 32);
  std::vector<int> wanted(all, 0);
  for (size_t i = 0; i < wanted.size(); ++i) {
    int counts[digits] = {};
    for (size_t n = 0; n < numbers; ++n) {
      for (unsigned left = in [n * all + i], j = 0; j < 8; ++j, left >>= 4) ++counts[left % digits];
    }
    for (const int count : counts) wanted[i] += count * count;
  }
  const DeviceBuffer<unsigned> from(in);
  const DeviceBuffer<int> out(wanted.size());
  bench.run("k48_a", {blocks, threads}, k48_a, out, equal(wanted), from.data());
  bench.run("k48_b", {blocks, threads}, k48_b, out, equal(wanted), from.data());
}

void k49(Bench& bench) {
  const auto a = bench.floats(size_t(side) * side, -1, 1), b = bench.floats(a.size(), -1, 1);
  std::vector<double> wanted(a.size(), 0);
  for (size_t i = 0; i < side; ++i) {
    for (size_t k = 0; k < side; ++k) {
      for (size_t j = 0; j < side; ++j)
        wanted[i * side + j] += double(a[i * side + k]) * double(b[k * side + j]);
    }
  }
  const DeviceBuffer<float> left(a), right(b), out(a.size());
  const dim3 grid(side / tile, side / tile);
  bench.run("k49_a", {grid, dim3(tile, tile)}, k49_a, out, close(wanted, 1e-4), left.data(),
            right.data());
  bench.run("k49_b", {grid, dim3(tile, 4)}, k49_b, out, close(wanted, 1e-4), left.data(),
            right.data());
}

void k50(Bench& bench) {
  const auto in = bench.floats(all, -1, 1);
  std::vector<double> wanted(in.size());
  for (size_t i = 0; i < in.size(); ++i) {
    double x = double(in[i]);
    for (int j = 0; j < roots; ++j) x = 0.5 * (x + 2);
    wanted[i] = x;
  }
  const DeviceBuffer<float> from(in), out(in.size());
  bench.run("k50_a", {blocks, threads}, k50_a, out, close(wanted, 1e-5), from.data());
  bench.run("k50_b", {blocks, threads}, k50_b, out, close(wanted, 1e-5), from.data());
}

}  // namespace advice
