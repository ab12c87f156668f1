// What an SM waits for the code of its warps, by how long it is: the first time in a launch, and again.
//
//   nvcc -arch=sm_90 -O3 -std=c++20 scripts/measure/code_lines.cu -o code_lines && ./code_lines
//
//   {"instructions": 4096, "blocks": 132, "warps": 4, "other_before": 1, "first": 2.91, "second": 1.26, "third": 1.26}
//
// Multiply-adds without a branch, in four chains, three times over: cycles an instruction of each time, of the slowest block of the middle
// one of seven launches. other_before: a kernel of 16 384 others ran since the launch before.
#include <algorithm>
#include <array>
#include <cstdio>
#include <vector>

constexpr int passes = 3, launches = 7, chains = 4;

template <int instructions>
__global__ void straight(long long* cycles, float* out, float a, float b) {
  float x[chains];
  for (int k = 0; k < chains; ++k) x[k] = threadIdx.x + k;
  long long times[passes + 1] = {};
#pragma unroll 1
  for (int pass = 0; pass < passes; ++pass) {
    __syncthreads();
    const long long now = clock64();
    if (pass == 0) times[0] = now;
    if (pass == 1) times[1] = now;
    if (pass == 2) times[2] = now;
#pragma unroll
    for (int i = 0; i < instructions; ++i) x[i % chains] = x[i % chains] * a + b;
  }
  __syncthreads();
  times[passes] = clock64();
  if (threadIdx.x == 0)
    for (int pass = 0; pass < passes; ++pass)
      cycles[passes * blockIdx.x + pass] = times[pass + 1] - times[pass];
  out[blockIdx.x * blockDim.x + threadIdx.x] = x[0] + x[1] + x[2] + x[3];
}

template <int instructions>
void tell(long long* cycles, float* out) {
  for (const int blocks : {1, 132})
    for (const int warps : {1, 4})
      for (const int other_before : {0, 1}) {
        std::vector<std::array<long long, passes>> all;
        for (int i = 0; i <= launches; ++i) {
          if (other_before) straight<16384><<<132, 32>>>(cycles, out, 0.5f, 0.25f);
          straight<instructions><<<blocks, 32 * warps>>>(cycles, out, 0.5f, 0.25f);
          if (cudaDeviceSynchronize() != cudaSuccess) return;
          std::array<long long, passes> slowest{};
          for (int b = 0; b < blocks; ++b)
            for (int pass = 0; pass < passes; ++pass)
              slowest[pass] = std::max(slowest[pass], cycles[passes * b + pass]);
          if (i > 0) all.push_back(slowest);
        }
        std::sort(all.begin(), all.end());
        const auto& middle = all[launches / 2];
        std::printf(
            "{\"instructions\": %d, \"blocks\": %d, \"warps\": %d, \"other_before\": %d, "
            "\"first\": %.3f, \"second\": %.3f, \"third\": %.3f}\n",
            instructions, blocks, warps, other_before, double(middle[0]) / instructions,
            double(middle[1]) / instructions, double(middle[2]) / instructions);
      }
}

int main() {
  long long* cycles;
  float* out;
  cudaMallocManaged(&cycles, passes * 132 * sizeof *cycles);
  cudaMalloc(&out, 132 * 1024 * sizeof(float));
  tell<128>(cycles, out), tell<256>(cycles, out), tell<512>(cycles, out), tell<1024>(cycles, out);
  tell<2048>(cycles, out), tell<4096>(cycles, out), tell<8192>(cycles, out);
  tell<16384>(cycles, out);
}
