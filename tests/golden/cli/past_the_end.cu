// A kernel that reads one element past the end of its array.
#include <cstdio>

__global__ void shift(float* x) { x[threadIdx.x] = x[threadIdx.x + 1]; }

int main() {
  float* x;
  cudaMalloc(&x, 256 * sizeof(float));
  shift<<<1, 256>>>(x);
  const cudaError_t error = cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorString(error));
  return error == cudaSuccess ? 0 : 1;
}
