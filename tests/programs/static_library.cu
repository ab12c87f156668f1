// A library with a kernel and a CUDA runtime of its own, which launches it while it is loaded, as plug-ins of
// frameworks do. static_loads.c loads it.
#include <cstdio>

__device__ int three = 3;
__global__ void add(int* values) { values[threadIdx.x] = threadIdx.x + three; }

// 0: the kernel ran and the runtime answered.
extern "C" int library_works() {
  int* values = nullptr;
  int host[32] = {};
  if (cudaMalloc(&values, sizeof host) != cudaSuccess) return 1;
  add<<<1, 32>>>(values);
  if (cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost) != cudaSuccess) return 2;
  if (cudaFree(values) != cudaSuccess) return 3;
  for (int i = 0; i < 32; ++i)
    if (host[i] != i + 3) return 4;
  return cudaMalloc(&values, (size_t)-1) == cudaErrorMemoryAllocation ? 0 : 5;
}
