// Forty launches of one shape, which do a little and much in turn; then forty that count the same, but whose accesses to shared
// memory meet at one address and at 32 in turn.
#include <cstdio>

__global__ void scale(int n, float* x) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    x[i] = 2 * x[i] + 1;
}

__global__ void count(const int* bins, int* sums) {
  __shared__ int sum[32];
  if (threadIdx.x < 32) sum[threadIdx.x] = 0;
  __syncthreads();
  for (int i = 0; i < 64; ++i) atomicAdd(&sum[bins[threadIdx.x % 32] & 31], i);
  __syncthreads();
  if (threadIdx.x < 32) sums[blockIdx.x * 32 + threadIdx.x] = sum[threadIdx.x];
}

int main() {
  const int most = 1 << 16, blocks = 16;
  float* x;
  cudaMalloc(&x, most * sizeof(float));
  cudaMemset(x, 0, most * sizeof(float));
  for (int i = 0; i < 40; ++i) scale<<<16, 256>>>(i % 2 ? most : most / 8, x);

  int all[2][32] = {}, *bins[2], *sums;
  for (int i = 0; i < 32; ++i) all[1][i] = i;
  for (int k = 0; k < 2; ++k) {
    cudaMalloc(&bins[k], sizeof all[k]);
    cudaMemcpy(bins[k], all[k], sizeof all[k], cudaMemcpyHostToDevice);
  }
  cudaMalloc(&sums, blocks * 32 * sizeof(int));
  for (int i = 0; i < 40; ++i) count<<<blocks, 256>>>(bins[i % 2], sums);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
