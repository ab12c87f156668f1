// Two launches of one kernel that reads and writes every element once.
#include <cstdio>

__global__ void saxpy(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

int main() {
  const int n = 1 << 16;
  float *x, *y;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  cudaMemset(x, 0, n * sizeof(float));
  cudaMemset(y, 0, n * sizeof(float));
  for (int i = 0; i < 2; ++i) saxpy<<<n / 256, 256>>>(n, 2.0f, x, y);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
