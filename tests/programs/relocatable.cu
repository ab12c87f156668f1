// Device code linked across files: variables and functions of the other file, names that both
// files have for themselves, kernels launched by name from either.
#include "tests/programs/expect.cuh"
#include "tests/programs/relocatable.h"

static __device__ int hidden[4] = {1, 2, 3, 4};
static __device__ __noinline__ int own(int x) { return x + 1000; }

__global__ void first_kernel(int* out) {
  extern __shared__ int scratch[];
  __shared__ int fixed[32];
  fixed[threadIdx.x] = hidden[threadIdx.x % 4];
  __syncthreads();
  scratch[threadIdx.x] = weigh(fixed, 4);
  __syncthreads();
  if (threadIdx.x != 0) return;
  out[0] = scratch[31];
  out[1] = total + own(int(scale[2]));
  out[2] = twice(21) + shared_inline;
  seen_by_both += 1;
  total = -1;
}

int main() {
  int *out, host[4] = {};
  EXPECT_OK(cudaMalloc(&out, sizeof host));
  const float scales[4] = {0, 0, 7, 0};
  EXPECT_OK(cudaMemcpyToSymbol(scale, scales, sizeof scales));
  const int start = 500;
  EXPECT_OK(cudaMemcpyToSymbol(total, &start, sizeof start));
  EXPECT(seen_by_both == 5);

  first_kernel<<<1, 32, 128>>>(out);
  EXPECT_OK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
  EXPECT(host[0] == 1 * 10 + 2 * 20 + 3 * 30 + 4 * 40);
  EXPECT(host[1] == 500 + 7 + 1000);
  EXPECT(host[2] == 42 + 11);
  EXPECT(seen_by_both == 6);

  EXPECT(launch_other(out) == cudaSuccess);
  other_kernel<<<1, 1>>>(out + 1);
  EXPECT_OK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
  EXPECT(host[0] == -1 + 10 + 2007);
  EXPECT(host[1] == host[0]);
  EXPECT(seen_by_both == 8);

  int now = 0;
  EXPECT_OK(cudaMemcpyFromSymbol(&now, total, sizeof now));
  EXPECT(now == -1);
  size_t bytes = 0;
  EXPECT_OK(cudaGetSymbolSize(&bytes, hidden));
  EXPECT(bytes == 16);
  int copy[4] = {};
  EXPECT_OK(cudaMemcpyFromSymbol(copy, hidden, sizeof copy));
  EXPECT(copy[3] == 4);

  cudaFuncAttributes attributes{};
  EXPECT_OK(cudaFuncGetAttributes(&attributes, first_kernel));
  EXPECT(attributes.numRegs > 0 && attributes.sharedSizeBytes == 128);
  return failures != 0;
}
