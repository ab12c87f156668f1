// k34 to k36: threads and data that do not lie the way the memory wants them.
#include "tests/advice/pairs.h"

namespace advice {
namespace {

// A matrix, scaled: which of a block's threads goes along a row?
constexpr int width = 2048, height = 2048;

__global__ void k34_a(float* out, const float* in, float factor) {
  const int row = int(blockIdx.x * blockDim.x + threadIdx.x);
  const int column = int(blockIdx.y * blockDim.y + threadIdx.y);
  out[row * width + column] = factor * in[row * width + column];  // planted
}
__global__ void k34_b(float* out, const float* in, float factor) {
  const int column = int(blockIdx.x * blockDim.x + threadIdx.x);
  const int row = int(blockIdx.y * blockDim.y + threadIdx.y);
  out[row * width + column] = factor * in[row * width + column];
}

// Sums of a block's numbers with those of threads far away: rows of 16 words, or of 17.
constexpr int threads = 256, rounds = 32, blocks = sms * 4;

template <int Row>
__device__ void sum_of_columns(int* out, const int* in) {
  __shared__ int words[threads / 16 * 16 * Row];
  const int t = int(threadIdx.x);
  for (int i = t; i < threads / 16 * 16 * Row; i += threads) words[i] = 0;
  __syncthreads();
  words[t * Row] = in[thread_index()];
  __syncthreads();
  int sum = 0;
#pragma unroll 4
  for (int j = 0; j < rounds; ++j) {
    sum += words[((t + j) % threads) * Row];  // planted
  }
  out[thread_index()] = sum;
}
__global__ void k35_a(int* out, const int* in) { sum_of_columns<16>(out, in); }
__global__ void k35_b(int* out, const int* in) { sum_of_columns<17>(out, in); }

// A histogram of bytes of which most are equal to few others.
constexpr int bins = 256, bytes_of_thread = 32, counted = sms * 4 * 256;

__global__ void k36_a(unsigned* out, const unsigned char* in) {
#pragma unroll 4
  for (int j = 0; j < bytes_of_thread; ++j) {
    atomicAdd(&out[in[thread_index() + j * counted]], 1u);  // planted
  }
}
__global__ void k36_b(unsigned* out, const unsigned char* in) {
  __shared__ unsigned counts[bins];
  counts[threadIdx.x] = 0;
  __syncthreads();
#pragma unroll 4
  for (int j = 0; j < bytes_of_thread; ++j)
    atomicAdd(&counts[in[thread_index() + j * counted]], 1u);
  __syncthreads();
  atomicAdd(&out[threadIdx.x], counts[threadIdx.x]);
}

}  // namespace

void k34(Bench& bench) {
  const auto in = bench.floats(size_t(width) * height, -1, 1);
  std::vector<float> wanted(in.size());
  for (size_t i = 0; i < wanted.size(); ++i) wanted[i] = 3 * in[i];
  const DeviceBuffer<float> from(in), out(in.size());
  const dim3 block(32, 8);
  bench.run("k34_a", {dim3(height / 32, width / 8), block}, k34_a, out, equal(wanted), from.data(),
            3.0f);
  bench.run("k34_b", {dim3(width / 32, height / 8), block}, k34_b, out, equal(wanted), from.data(),
            3.0f);
}

void k35(Bench& bench) {
  const auto in = bench.integers(size_t(blocks) * threads, 1000);
  std::vector<int> wanted(in.size(), 0);
  for (size_t i = 0; i < wanted.size(); ++i) {
    for (size_t j = 0; j < rounds; ++j) {
      wanted[i] += in[i / threads * threads + (i % threads + j) % threads];
    }
  }
  const DeviceBuffer<int> from(in), out(in.size());
  bench.run("k35_a", {blocks, threads}, k35_a, out, equal(wanted), from.data());
  bench.run("k35_b", {blocks, threads}, k35_b, out, equal(wanted), from.data());
}

void k36(Bench& bench) {
  const auto in = bench.integers<unsigned char>(size_t(counted) * bytes_of_thread, bins);
  std::vector<unsigned> wanted(bins, 0);
  for (const unsigned char each : in) ++wanted[each];
  const DeviceBuffer<unsigned char> from(in);
  const DeviceBuffer<unsigned> out(bins);
  const Shape shape{counted / 256, 256};
  bench.run("k36_a", shape, k36_a, out, equal(wanted), from.data());
  bench.run("k36_b", shape, k36_b, out, equal(wanted), from.data());
}

}  // namespace advice
