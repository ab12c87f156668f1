// What kernels print reaches the program's output, in order with what the program prints itself.
//
//   before / block 0 thread 0: 0.50 / block 1 thread 0: 1.50 / after
#include "tests/programs/expect.cuh"

__global__ void print() {
  printf("block %u thread %d: %.2f\n", blockIdx.x, int(threadIdx.x), blockIdx.x + 0.5);
}

int main() {
  std::printf("before\n");
  std::fflush(stdout);
  print<<<2, 1>>>();
  EXPECT_OK(cudaDeviceSynchronize());
  std::printf("after\n");
  return failures != 0;
}
