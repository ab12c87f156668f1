// What ordinary stores take whose lanes lie in lines of their own, of few SMs and of all.
//
//   nvcc -arch=sm_90 -O3 -std=c++17 scripts/measure/few_stores.cu -o few_stores && ./few_stores
//
//   {"mode": 0, "blocks": 1, "threads": 256, "stride": 50, "us": 72.86}
//
// 256 rounds: 0: each lane along a row of its own, `stride` floats from the next one's, a word after the other; 1: the same word again and
// again; 2: a line after the other; 3: as 0, and loads the word that it comes to next. Medians of five launches, by events.
#include <cstdio>

#include "median_launch.cuh"

template <int mode>
__global__ void stores(float* out, int stride, int rounds) {
  float* row = out + (blockIdx.x * blockDim.x + threadIdx.x) * size_t(stride);
  float sum = threadIdx.x;
  for (int i = 0; i < rounds; ++i) {
    if (mode == 0) row[i % stride] = sum + i;
    if (mode == 1) row[0] = sum + i, __syncwarp();
    if (mode == 2) row[(i * 32) % stride] = sum + i;
    if (mode == 3) row[i % stride] = sum, sum += row[(i + stride - 1) % stride];
  }
  if (sum == 1.5f) out[0] = sum;
}

template <int mode>
void tell(float* out) {
  constexpr int rounds = 256;
  for (const int blocks : {1, 2, 4, 16, 132})
    for (const int threads : {32, 256})
      for (const int stride : {50, 256}) {
        const float us = median_us([&] { stores<mode><<<blocks, threads>>>(out, stride, rounds); });
        if (us < 0) return;
        std::printf(
            "{\"mode\": %d, \"blocks\": %d, \"threads\": %d, \"stride\": %d, \"us\": %.2f}\n", mode,
            blocks, threads, stride, us);
      }
}

int main() {
  float* out;
  cudaMalloc(&out, size_t(512) << 20);
  cudaMemset(out, 0, size_t(512) << 20);
  tell<0>(out), tell<1>(out), tell<2>(out), tell<3>(out);
}
