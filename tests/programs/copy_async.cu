// Asynchronous copies into shared memory: __pipeline_memcpy_async with padding, and a double buffer
// over cuda::pipeline's thread-local state.
#include <cuda_pipeline.h>

#include <cuda/pipeline>
#include <vector>

#include "tests/programs/expect.cuh"

// Sums of windows; what is past the end counts as zero, which zfill writes.
__global__ void windows(const float4* in, float* out, int n) {
  __shared__ float4 tile[64];
  const int i = blockIdx.x * 64 + threadIdx.x;
  const int valid = max(0, min(16, (n - 4 * i) * 4));
  __pipeline_memcpy_async(&tile[threadIdx.x], valid ? &in[i] : in, 16, 16 - valid);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  const float4 mine = tile[threadIdx.x], next = tile[(threadIdx.x + 1) % 64];
  out[i] = mine.x + mine.y + mine.z + mine.w + next.x;
}

__global__ void staged(const int* in, int* out, int tiles) {
  constexpr int stages = 3;
  __shared__ int buffer[stages][128];
  cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
  int sum = 0, fetched = 0;
  for (int tile = 0; tile < tiles; ++tile) {
    for (; fetched < tiles && fetched < tile + stages; ++fetched) {
      pipe.producer_acquire();
      cuda::memcpy_async(&buffer[fetched % stages][threadIdx.x], &in[fetched * 128 + threadIdx.x],
                         sizeof(int), pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    __syncthreads();
    sum += buffer[tile % stages][threadIdx.x ^ 1];
    __syncthreads();
    pipe.consumer_release();
  }
  out[threadIdx.x] = sum;
}

int main() {
  constexpr int n = 250;  // of 256
  float *in, *out;
  EXPECT_OK(cudaMalloc(&in, n * sizeof(float)));
  EXPECT_OK(cudaMalloc(&out, 64 * sizeof(float)));
  std::vector<float> host(n), sums(64);
  for (int i = 0; i < n; ++i) host[i] = float(i + 1);
  EXPECT_OK(cudaMemcpy(in, host.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  windows<<<1, 64>>>(reinterpret_cast<float4*>(in), out, n);
  EXPECT_OK(cudaMemcpy(sums.data(), out, 64 * sizeof(float), cudaMemcpyDeviceToHost));
  for (int i = 0; i < 64; ++i) {
    float expected = 0;
    for (int k = 4 * i; k < 4 * i + 5; ++k) expected += k % 256 < n ? float(k % 256 + 1) : 0.f;
    EXPECT(sums[i] == expected);
  }

  constexpr int tiles = 7;
  int *numbers, *total;
  EXPECT_OK(cudaMalloc(&numbers, tiles * 128 * sizeof(int)));
  EXPECT_OK(cudaMalloc(&total, 128 * sizeof(int)));
  std::vector<int> values(tiles * 128), totals(128);
  for (int i = 0; i < tiles * 128; ++i) values[i] = i * i % 1009;
  EXPECT_OK(
      cudaMemcpy(numbers, values.data(), values.size() * sizeof(int), cudaMemcpyHostToDevice));
  staged<<<1, 128>>>(numbers, total, tiles);
  EXPECT_OK(cudaMemcpy(totals.data(), total, 128 * sizeof(int), cudaMemcpyDeviceToHost));
  for (int i = 0; i < 128; ++i) {
    int expected = 0;
    for (int t = 0; t < tiles; ++t) expected += values[t * 128 + (i ^ 1)];
    EXPECT(totals[i] == expected);
  }
  return failures != 0;
}
