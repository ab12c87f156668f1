// What stores of all SMs take to lines that all of them store to.
//
//   nvcc -arch=sm_90 -O3 -std=c++17 scripts/measure/same_stores.cu -o same_stores && ./same_stores
//
//   {"mode": 0, "blocks": 132, "threads": 256, "lines": 14, "us": 35.55}
//
// 256 rounds over `lines` of 128 bytes, one after the other: 0: all lanes store one word; 1: a row, each lane its own word; 2: as 0, and
// load the word before; 3: as 1, to lines of the block's own. Medians of five launches, by events.
#include <cstdio>

#include "median_launch.cuh"

template <int mode>
__global__ void stores(float* out, int lines, int rounds) {
  float sum = threadIdx.x;
  float* own = out + (mode == 3 ? blockIdx.x * 32 * size_t(lines) : 0);
  for (int i = 0; i < rounds; ++i) {
    const int word = mode % 2 ? threadIdx.x % 32 : i / lines % 32;
    float* at = own + i % lines * 32 + word;
    if (mode == 2) sum += *(volatile float*)at;
    *at = sum + i;
    __syncwarp();
  }
  if (sum == 1.5f) out[0] = sum;
}

template <int mode>
void tell(float* out) {
  constexpr int rounds = 256;
  for (const int blocks : {1, 16, 132, 1056})
    for (const int threads : {32, 256})
      for (const int lines : {1, 4, 14, 56, 448}) {
        const float us = median_us([&] { stores<mode><<<blocks, threads>>>(out, lines, rounds); });
        if (us < 0) return;
        std::printf(
            "{\"mode\": %d, \"blocks\": %d, \"threads\": %d, \"lines\": %d, \"us\": %.2f}\n", mode,
            blocks, threads, lines, us);
      }
}

int main() {
  float* out;
  cudaMalloc(&out, size_t(512) << 20);
  cudaMemset(out, 0, size_t(512) << 20);
  tell<0>(out), tell<1>(out), tell<2>(out), tell<3>(out);
}
