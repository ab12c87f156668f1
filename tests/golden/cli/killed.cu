// Launches once, then dies by a signal before its exit handlers ran.
#include <csignal>

__global__ void touch(int* x) { x[threadIdx.x] = 1; }

int main() {
  int* x;
  cudaMalloc(&x, 128);
  touch<<<1, 32>>>(x);
  cudaDeviceSynchronize();
  raise(SIGKILL);
}
