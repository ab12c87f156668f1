// What a launch takes to load again what the launch before it loaded or stored: each SM what it had itself, or what another had.
//
//   nvcc -arch=sm_90 -O3 -std=c++17 scripts/measure/l2_again.cu -o l2_again && ./l2_again
//
//   {"mode": 0, "shift": 1, "MiB": 8, "waits": 1, "us": 41.2}
//
// 132 blocks of 256 threads, each of which goes through a part of its own. Mode 0: loads; 1: loads and stores in place, as a step of a sort
// does. shift: in each launch a block has the part of the one so many before it. waits 1: a load waits for the one before; 0: four are on
// their way. Medians of five launches, by events.
#include <cstdio>

#include "median_launch.cuh"

constexpr int blocks = 132, threads = 256;

template <int mode, bool waits>
__global__ void again(float* data, int part, int rounds) {
  float* mine = data + size_t((blockIdx.x + part) % blocks) * rounds * threads + threadIdx.x;
  float sum = 0;
  int next = 0;
#pragma unroll 4
  for (int i = 0; i < rounds; ++i) {
    const float had = __ldcg(&mine[size_t(i) * threads + next]);
    sum += had;
    if (mode == 1) mine[size_t(i) * threads] = had;
    if (waits) next = had != 0;  // all are 0
  }
  if (sum == 1.5f) data[0] = sum;
}

template <int mode, bool waits>
void tell(float* data) {
  for (const int mebibytes : {1, 4, 8, 16, 24, 32, 48})
    for (const int shift : {0, 1, 2, 66}) {
      const int rounds = int((size_t(mebibytes) << 20) / (blocks * threads * sizeof(float)));
      int part = 0;
      const float us = median_us([&] {
        again<mode, waits><<<blocks, threads>>>(data, part, rounds);
        part = (part + shift) % blocks;
      });
      if (us < 0) return;
      std::printf("{\"mode\": %d, \"shift\": %d, \"MiB\": %d, \"waits\": %d, \"us\": %.2f}\n", mode,
                  shift, mebibytes, int(waits), us);
    }
}

int main() {
  float* data;
  cudaMalloc(&data, size_t(64) << 20);
  cudaMemset(data, 0, size_t(64) << 20);
  tell<0, true>(data), tell<0, false>(data), tell<1, true>(data), tell<1, false>(data);
}
