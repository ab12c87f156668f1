// What blocks that end soon take: how close the start of the next ones, their number on an SM and their own time come to each other.
//
//   nvcc -arch=sm_90 -O3 -std=c++20 scripts/measure/short_blocks.cu -o short_blocks && ./short_blocks
//
//   {"mode": 3, "threads": 256, "steps": 64, "blocks": 8448, "us": 9.42}
//
// A chain of `steps` dependent multiply-adds: 0: nothing else; 1: of a float that was loaded, each thread its own, of 16 MB that L2 has;
// 2: stored there; 3: loaded and stored. As many warps in all of each size of block. Medians of five launches, by events.
#include <cstdio>

#include "median_launch.cuh"

template <int mode>
__global__ void chain(float* data, int steps, float a, float b) {
  const unsigned at = (blockIdx.x * blockDim.x + threadIdx.x) % (4u << 20);
  float x = mode % 2 ? data[at] : threadIdx.x;
#pragma unroll 8
  for (int i = 0; i < steps; ++i) x = x * a + b;
  if (mode >= 2 || x == 1.5f) data[at] = x;
}

template <int mode>
void tell(float* data) {
  constexpr int warps = 132 * 512;
  for (const int threads : {32, 64, 128, 256, 512, 1024})
    for (const int steps : {0, 32, 64, 128, 256, 512}) {
      const int blocks = warps / (threads / 32);
      const float us = median_us([&] { chain<mode><<<blocks, threads>>>(data, steps, 1.f, 0.f); });
      if (us < 0) return;
      std::printf("{\"mode\": %d, \"threads\": %d, \"steps\": %d, \"blocks\": %d, \"us\": %.2f}\n",
                  mode, threads, steps, blocks, us);
    }
}

int main() {
  float* data;
  cudaMalloc(&data, size_t(16) << 20);
  cudaMemset(data, 0, size_t(16) << 20);
  tell<0>(data), tell<1>(data), tell<2>(data), tell<3>(data);
}
