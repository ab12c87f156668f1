// What constants take that an SM reads for the first time in a launch, where all lanes have the same.
//
//   nvcc -arch=sm_90 -O3 -std=c++20 scripts/measure/cold_constants.cu -o cold_constants && ./cold_constants
//
//   {"copied": 1, "bytes": 65536, "blocks": 132, "warps": 2, "first": 257.4, "second": 189.7}
//
// All warps walk over the same bytes, four doubles after four, twice in a launch: cycles of 64 bytes of the first time and of the second, of
// the slowest block of the middle one of seven launches. copied: the host has written them since the launch before.
#include <algorithm>
#include <cstdio>
#include <utility>
#include <vector>

constexpr int doubles = 8192, launches = 7;
__constant__ double table[doubles];

__global__ void walk(long long* cycles, double* out, int bytes) {
  double x[4];
  for (int k = 0; k < 4; ++k) x[k] = double(threadIdx.x + k);
  long long times[3];
#pragma unroll 1
  for (int pass = 0; pass < 2; ++pass) {
    __syncthreads();
    times[pass] = clock64();
#pragma unroll 2
    for (int j = 0; j < bytes / 8; j += 4) {
      x[0] = x[0] * table[j] + 0.5, x[1] = x[1] * table[j + 1] + 0.5;
      x[2] = x[2] * table[j + 2] + 0.5, x[3] = x[3] * table[j + 3] + 0.5;
    }
  }
  __syncthreads();
  times[2] = clock64();
  if (threadIdx.x == 0) {
    cycles[2 * blockIdx.x] = times[1] - times[0];
    cycles[2 * blockIdx.x + 1] = times[2] - times[1];
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = x[0] + x[1] + x[2] + x[3];
}

int main() {
  long long* cycles;
  double* out;
  cudaMallocManaged(&cycles, 2 * 132 * sizeof *cycles);
  cudaMalloc(&out, 132 * 1024 * sizeof(double));
  std::vector<double> host(doubles, 0.5);
  cudaMemcpyToSymbol(table, host.data(), sizeof table);
  for (const int copied : {0, 1})
    for (const int bytes : {4096, 16384, 65536})
      for (const int blocks : {1, 132})
        for (const int warps : {1, 2, 4, 8, 16}) {
          std::vector<std::pair<long long, long long>> all;
          for (int i = 0; i <= launches; ++i) {
            if (copied) cudaMemcpyToSymbol(table, host.data(), sizeof table);
            walk<<<blocks, 32 * warps>>>(cycles, out, bytes);
            if (cudaDeviceSynchronize() != cudaSuccess) return 1;
            std::pair<long long, long long> slowest;
            for (int b = 0; b < blocks; ++b)
              slowest = std::max(slowest, {cycles[2 * b], cycles[2 * b + 1]});
            if (i > 0) all.push_back(slowest);
          }
          std::sort(all.begin(), all.end());
          const auto [first, second] = all[launches / 2];
          std::printf(
              "{\"copied\": %d, \"bytes\": %d, \"blocks\": %d, \"warps\": %d, \"first\": %.1f, "
              "\"second\": %.1f}\n",
              copied, bytes, blocks, warps, first * 64.0 / bytes, second * 64.0 / bytes);
        }
}
