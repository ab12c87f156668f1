// Machine code with the toolkit's device runtime (libcudadevrt) inside, built for debugging: what Numba and others link
// for a cooperative grid.
#include <cuda_device_runtime_api.h>

#include "tests/programs/expect.cuh"

__device__ unsigned long long whole_grid() { return cudaCGGetIntrinsicHandle(cudaCGScopeGrid); }

// A call of its own in a debug build: it looks where its stack ends.
__device__ __noinline__ int next(int value, int n) {
  int local[4];
  for (int i = 0; i < 4; ++i) local[i] = value + i;
  return local[n % 4];
}

__global__ void mirror(int* from, int* to, int rounds, unsigned* status) {
  const unsigned long long grid = whole_grid();
  const int me = blockIdx.x * blockDim.x + threadIdx.x, there = gridDim.x * blockDim.x - 1 - me;
  for (int r = 0; r < rounds; ++r) {
    to[me] = next(from[there], 1);
    atomicOr(status, (unsigned)cudaCGSynchronize(grid, 0));
    int* other = from;
    from = to;
    to = other;
  }
}

__global__ void alone(unsigned* status) {
  const unsigned long long grid = whole_grid();
  *status = grid ? 0 : (unsigned)cudaCGSynchronize(grid, 0);
}

int main() {
  constexpr int blocks = 6, threads = 40, count = blocks * threads;
  int *a, *b, back[count], rounds = 5;
  unsigned *status, said = 1;
  EXPECT_OK(cudaMalloc(&a, sizeof back));
  EXPECT_OK(cudaMalloc(&b, sizeof back));
  EXPECT_OK(cudaMalloc(&status, sizeof said));
  EXPECT_OK(cudaMemset(status, 0, sizeof said));
  for (int i = 0; i < count; ++i) back[i] = i;
  EXPECT_OK(cudaMemcpy(a, back, sizeof back, cudaMemcpyHostToDevice));
  for (int again = 0; again < 2; ++again) {
    void* arguments[] = {&a, &b, &rounds, &status};
    EXPECT_OK(cudaLaunchCooperativeKernel(mirror, dim3(blocks), dim3(threads), arguments));
    EXPECT_OK(cudaMemcpy(back, b, sizeof back, cudaMemcpyDeviceToHost));
    for (int i = 0; i < count; ++i)
      EXPECT(back[i] == (again ? i + 2 * rounds : count - 1 - i + rounds));
    EXPECT_OK(cudaMemcpy(a, b, sizeof back, cudaMemcpyDeviceToDevice));
  }
  EXPECT_OK(cudaMemcpy(&said, status, sizeof said, cudaMemcpyDeviceToHost));
  EXPECT(said == 0);
  alone<<<1, 1>>>(status);
  EXPECT_OK(cudaMemcpy(&said, status, sizeof said, cudaMemcpyDeviceToHost));
  EXPECT(said == cudaErrorUnknown);
  return failures != 0;
}
