// An illegal access: the launch itself succeeds, the next call that waits reports it, and from then
// on every call that needs the device does, while queries go on working.
#include "tests/programs/expect.cuh"

__global__ void store(int* to) { *to = 1; }

int main() {
  int *good, value, devices;
  void* more;
  EXPECT_OK(cudaMalloc(&good, 4));
  store<<<1, 1>>>(good);
  EXPECT_OK(cudaDeviceSynchronize());
  store<<<1, 1>>>(reinterpret_cast<int*>(16));
  EXPECT_CODE(cudaErrorIllegalAddress, cudaDeviceSynchronize());
  EXPECT_OK(cudaPeekAtLastError());
  EXPECT_CODE(cudaErrorIllegalAddress, cudaMalloc(&more, 16));
  EXPECT_CODE(cudaErrorIllegalAddress, cudaFree(good));
  EXPECT_CODE(cudaErrorIllegalAddress, cudaMemcpy(&value, good, 4, cudaMemcpyDeviceToHost));
  cudaStream_t stream;
  EXPECT_CODE(cudaErrorIllegalAddress, cudaStreamCreate(&stream));
  store<<<1, 1>>>(good);
  EXPECT_CODE(cudaErrorIllegalAddress, cudaPeekAtLastError());
  EXPECT_OK(cudaGetDeviceCount(&devices));
  EXPECT_OK(cudaGetDevice(&value));
  EXPECT_OK(cudaRuntimeGetVersion(&value));
  return failures != 0;
}
