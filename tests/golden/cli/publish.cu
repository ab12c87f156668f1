// All threads of a warp but one wait in a loop for a flag that this one sets behind the loop: right
// for threads that get on by themselves, and a deadlock for a warp as it was before Volta.
#include <cstdio>

__global__ void publish(volatile int* flag, int* seen) {
  while (threadIdx.x != 0 && *flag == 0) {
  }
  if (threadIdx.x == 0) *flag = 1;
  seen[threadIdx.x] = *flag;
}

int main() {
  int *flag, *seen, last = 0;
  cudaMalloc(&flag, sizeof(int));
  cudaMalloc(&seen, 32 * sizeof(int));
  cudaMemset(flag, 0, sizeof(int));
  publish<<<1, 32>>>(flag, seen);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaMemcpy(&last, seen + 31, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%s, %d\n", cudaGetErrorString(error), last);
  return error == cudaSuccess ? 0 : 1;
}
