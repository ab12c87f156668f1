// What is left to gain in the mended twins k13_b, k14_b, k22_b and k36_b of tests/advice and in its sound kernel k30_a: the same work in
// fewer blocks, or with more loads in flight. For a profiler; every kernel four times.
//
//   nvcc -arch=sm_90 -O3 -std=c++20 scripts/measure/twins_left.cu -o twins_left
//   ncu --clock-control none --cache-control none --metrics gpu__time_duration.sum --csv --page raw ./twins_left
#include <cstdio>
#include <vector>
#define CHECK(c)                                          \
  do {                                                    \
    if (cudaError_t e = (c)) {                            \
      std::printf("%s: %s\n", #c, cudaGetErrorString(e)); \
      return 1;                                           \
    }                                                     \
  } while (0)
__device__ int index() { return int(blockIdx.x * blockDim.x + threadIdx.x); }
// k22: out = 3 in + 1
__global__ void k22_each(int* out, const int* in) { out[index()] = 3 * in[index()] + 1; }
__global__ void k22_four(int* out, const int* in) {
  const int at = int(blockIdx.x * blockDim.x * 4 + threadIdx.x);
#pragma unroll
  for (int k = 0; k < 4; ++k) out[at + k * int(blockDim.x)] = 3 * in[at + k * int(blockDim.x)] + 1;
}
__global__ void k22_loop(int* out, const int* in, int n) {
  for (int i = index(); i < n; i += int(gridDim.x * blockDim.x)) out[i] = 3 * in[i] + 1;
}
// k30: five points
constexpr int side = 2048;
__device__ void five(int* out, const int* in, int x, int y) {
  const int left = (x + side - 1) % side, right = (x + 1) % side, above = (y + side - 1) % side,
            below = (y + 1) % side;
  out[side * y + x] = 4 * in[side * y + x] - in[side * y + left] - in[side * y + right] -
                      in[side * above + x] - in[side * below + x];
}
__global__ void k30_each(int* __restrict__ out, const int* __restrict__ in) {
  five(out, in, int(64 * blockIdx.x + threadIdx.x), int(blockDim.y * blockIdx.y + threadIdx.y));
}
__global__ void k30_four(int* __restrict__ out, const int* __restrict__ in) {
#pragma unroll
  for (int k = 0; k < 4; ++k)
    five(out, in, int(64 * blockIdx.x + threadIdx.x), int(16 * blockIdx.y + 4 * k + threadIdx.y));
}
// k14: a sum, one atomic a block
__global__ void k14_sum(float* out, const float* in, int n) {
  __shared__ float sums[32];
  float sum = 0;
  for (int i = index(); i < n; i += int(gridDim.x * blockDim.x)) sum += in[i];
  for (int reach = 16; reach > 0; reach /= 2) sum += __shfl_xor_sync(~0u, sum, reach);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x > 0) return;
  for (int i = 1; i < int(blockDim.x) / 32; ++i) sum += sums[i];
  atomicAdd(out, sum);
}
__global__ void k14_once(float* out, const float* in) {
  __shared__ float sums[8];
  float sum = in[index()];
  for (int reach = 16; reach > 0; reach /= 2) sum += __shfl_xor_sync(~0u, sum, reach);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x > 0) return;
  for (int i = 1; i < 8; ++i) sum += sums[i];
  atomicAdd(out, sum);
}
// k36: a histogram of bytes
template <int Blocks>
__global__ void k36_hist(unsigned* out, const unsigned char* in, int n) {
  __shared__ unsigned counts[256];
  if (threadIdx.x < 256) counts[threadIdx.x] = 0;
  __syncthreads();
#pragma unroll 4
  for (int i = index(); i < n; i += Blocks * int(blockDim.x)) atomicAdd(&counts[in[i]], 1u);
  __syncthreads();
  if (threadIdx.x < 256) atomicAdd(&out[threadIdx.x], counts[threadIdx.x]);
}
// k13: values at places that are known beforehand
template <int at_once>
__global__ void k13_visit(unsigned* out, const unsigned* next, const unsigned* visited, int steps) {
  const int all = int(gridDim.x * blockDim.x);
  unsigned sum = 0;
#pragma unroll at_once
  for (int j = 0; j < steps; ++j) sum += next[visited[all * j + index()]];
  out[index()] = sum;
}
int main() {
  constexpr int n = 4 << 20, bytes = 132 * 4 * 256 * 32;
  int *in, *out;
  CHECK(cudaMalloc(&in, 4 * n));
  CHECK(cudaMalloc(&out, 4 * n));
  std::vector<int> host(n);
  unsigned s = 7;
  for (int& each : host) each = int((s = s * 1664525u + 1013904223u) ^ s >> 15);
  CHECK(cudaMemcpy(in, host.data(), 4 * n, cudaMemcpyHostToDevice));
  auto* chars = reinterpret_cast<unsigned char*>(in);
  auto* floats = reinterpret_cast<float*>(in);
  auto* sum = reinterpret_cast<float*>(out);
  auto* counts = reinterpret_cast<unsigned*>(out);
  // Places at random: 64 of each of 132 * 64 walkers, among two million.
  constexpr int places = 2 << 20, walkers = 132 * 64;
  unsigned* visited;
  std::vector<unsigned> at(size_t(walkers) * 64);
  for (unsigned& each : at) each = (s = s * 1664525u + 1013904223u) >> 8 & (places - 1);
  CHECK(cudaMalloc(&visited, 4 * at.size()));
  CHECK(cudaMemcpy(visited, at.data(), 4 * at.size(), cudaMemcpyHostToDevice));
  const auto* words = reinterpret_cast<const unsigned*>(in);
  for (int time = 0; time < 4; ++time) {
    k13_visit<8><<<132, 64>>>(counts, words, visited, 64);
    k13_visit<16><<<132, 64>>>(counts, words, visited, 64);
    k13_visit<32><<<132, 64>>>(counts, words, visited, 64);
    k22_each<<<n / 256, 256>>>(out, in);
    k22_each<<<n / 1024, 1024>>>(out, in);
    k22_four<<<n / 1024, 256>>>(out, in);
    k22_loop<<<132 * 8, 256>>>(out, in, n);
    k30_each<<<dim3(side / 64, side / 4), dim3(64, 4)>>>(out, in);
    k30_each<<<dim3(side / 64, side / 16), dim3(64, 16)>>>(out, in);
    k30_four<<<dim3(side / 64, side / 16), dim3(64, 4)>>>(out, in);
    k14_once<<<1024, 256>>>(sum, floats);
    k14_sum<<<256, 256>>>(sum, floats, 256 * 1024);
    k14_sum<<<132, 1024>>>(sum, floats, 256 * 1024);
    k36_hist<528><<<528, 256>>>(counts, chars, bytes);
    k36_hist<264><<<264, 512>>>(counts, chars, bytes);
    k36_hist<132><<<132, 1024>>>(counts, chars, bytes);
  }
  CHECK(cudaDeviceSynchronize());
  std::printf("done\n");
}
