// What a launch is refused for, with which code; none of it sticks.
#include <cstring>

#include "tests/programs/expect.cuh"

__global__ void plain(int* out) { out[threadIdx.x] = int(threadIdx.x); }
__global__ void __launch_bounds__(128) bounded(int* out) { out[threadIdx.x] = 1; }
__global__ void fixed_shared(int* out) {
  __shared__ int values[1024];
  values[threadIdx.x] = int(threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = values[threadIdx.x ^ 1];
}
__global__ void dynamic_shared(int* out) {
  extern __shared__ int values[];
  values[threadIdx.x] = int(threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = values[threadIdx.x ^ 1];
}

// 96 accumulators and their operands: more than 64 registers, so 1 024 threads do not fit an SM.
__global__ void many_registers(const float* in, float* out, int n) {
  float sum[12][8] = {};
  for (int k = 0; k < n; ++k) {
    float a[12], b[8];
#pragma unroll
    for (int i = 0; i < 12; ++i) a[i] = in[k * 20 + i];
#pragma unroll
    for (int j = 0; j < 8; ++j) b[j] = in[k * 20 + 12 + j];
#pragma unroll
    for (int i = 0; i < 12; ++i)
#pragma unroll
      for (int j = 0; j < 8; ++j) sum[i][j] += a[i] * b[j];
  }
  for (int i = 0; i < 12; ++i)
    for (int j = 0; j < 8; ++j) out[(i * 8 + j) * 1024 + threadIdx.x] = sum[i][j];
}

#define EXPECT_LAUNCH(code, ...)              \
  do {                                        \
    __VA_ARGS__;                              \
    EXPECT(cudaPeekAtLastError() == (code));  \
    EXPECT_CODE(code, cudaPeekAtLastError()); \
    EXPECT_OK(cudaDeviceSynchronize());       \
  } while (0)

int main() {
  int* out;
  float* values;
  EXPECT_OK(cudaMalloc(&out, 1024 * sizeof(int)));
  EXPECT_OK(cudaMalloc(&values, 1 << 20));
  auto bad = cudaErrorInvalidValue;
  EXPECT_LAUNCH(bad, plain<<<0, 32>>>(out));
  EXPECT_LAUNCH(bad, plain<<<1, 0>>>(out));
  EXPECT_LAUNCH(bad, plain<<<1, 1025>>>(out));
  EXPECT_LAUNCH(bad, plain<<<1, dim3(1, 1, 65)>>>(out));
  EXPECT_LAUNCH(bad, plain<<<dim3(1, 65536), 32>>>(out));
  EXPECT_LAUNCH(bad, plain<<<0x80000000u, 32>>>(out));
  EXPECT_LAUNCH(bad, plain<<<1, 32, 48 * 1024 + 1>>>(out));
  EXPECT_LAUNCH(bad, fixed_shared<<<1, 32, 44 * 1024 + 1>>>(out));
  EXPECT_LAUNCH(cudaSuccess, fixed_shared<<<1, 32, 44 * 1024>>>(out));
  EXPECT_LAUNCH(bad, bounded<<<1, 129>>>(out));
  EXPECT_LAUNCH(cudaSuccess, bounded<<<1, 128>>>(out));
  EXPECT_LAUNCH(cudaErrorLaunchOutOfResources, many_registers<<<1, 1024>>>(values, values, 1));
  EXPECT_LAUNCH(cudaSuccess, many_registers<<<1, 32>>>(values, values, 0));
  EXPECT_LAUNCH(cudaSuccess, plain<<<1, 1024>>>(out));

  auto most = cudaFuncAttributeMaxDynamicSharedMemorySize;
  int opt_in = 0;
  EXPECT_OK(cudaDeviceGetAttribute(&opt_in, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
  EXPECT_CODE(bad, cudaFuncSetAttribute(dynamic_shared, most, opt_in + 1));
  EXPECT_CODE(bad, cudaFuncSetAttribute(dynamic_shared, most, -1));
  EXPECT_CODE(bad, cudaFuncSetAttribute(fixed_shared, most, opt_in));
  EXPECT_OK(cudaFuncSetAttribute(fixed_shared, most, opt_in - 4096));
  EXPECT_OK(cudaFuncSetAttribute(dynamic_shared, most, opt_in));
  EXPECT_LAUNCH(cudaSuccess, dynamic_shared<<<1, 32, opt_in>>>(out));
  EXPECT_LAUNCH(bad, dynamic_shared<<<1, 32, opt_in + 1>>>(out));
  auto carveout = cudaFuncAttributePreferredSharedMemoryCarveout;
  EXPECT_CODE(bad, cudaFuncSetAttribute(plain, carveout, 101));
  EXPECT_OK(cudaFuncSetAttribute(plain, carveout, 50));

  int host[4];
  void* arguments[] = {&out};
  EXPECT_CODE(cudaErrorInvalidResourceHandle,
              cudaLaunchKernel(static_cast<void*>(host), dim3(1), dim3(1), arguments, 0, nullptr));
  EXPECT_CODE(cudaErrorInvalidDeviceFunction, cudaLaunchKernel(static_cast<void*>(nullptr), dim3(1),
                                                               dim3(1), arguments, 0, nullptr));
  EXPECT_OK(cudaLaunchKernel(plain, dim3(1), dim3(32), arguments, 0, nullptr));
  EXPECT_CODE(cudaErrorCooperativeLaunchTooLarge,
              cudaLaunchCooperativeKernel(plain, dim3(100000), dim3(32), arguments, 0, nullptr));

  EXPECT(!std::strcmp(cudaGetErrorName(cudaErrorIllegalAddress), "cudaErrorIllegalAddress"));
  EXPECT(!std::strcmp(cudaGetErrorString(cudaErrorLaunchOutOfResources),
                      "too many resources requested for launch"));
  EXPECT(!std::strcmp(cudaGetErrorString(cudaError_t(12345)), "unrecognized error code"));
  return failures != 0;
}
