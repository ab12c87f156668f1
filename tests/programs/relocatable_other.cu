// The other file of tests/programs/relocatable.cu: it defines what that one declares.
#include "tests/programs/relocatable.h"

__device__ int total = 1;
__constant__ float scale[4] = {1, 1, 1, 1};
__managed__ int seen_by_both = 5;

static __device__ int hidden[4] = {10, 20, 30, 40};
static __device__ __noinline__ int own(int x) { return x + 2000; }

__device__ __noinline__ int weigh(const int* values, int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += values[i] * hidden[i];
  return sum;
}

__global__ void other_kernel(int* out) {
  *out = total + hidden[0] + own(twice(3) + 1);
  seen_by_both += shared_inline - 10;
}

int launch_other(int* out) {
  other_kernel<<<1, 1>>>(out);
  return cudaDeviceSynchronize();
}
