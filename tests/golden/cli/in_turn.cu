// Forty launches of one shape, which do a little and much in turn.
#include <cstdio>

__global__ void scale(int n, float* x) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    x[i] = 2 * x[i] + 1;
}

int main() {
  const int most = 1 << 16;
  float* x;
  cudaMalloc(&x, most * sizeof(float));
  cudaMemset(x, 0, most * sizeof(float));
  for (int i = 0; i < 40; ++i) scale<<<16, 256>>>(i % 2 ? most : most / 8, x);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
