// Calls that return an error which the program never looks at, and the same without a mistake.
//
//   unchecked_errors faulty | mended
#include <cuda_runtime.h>

#include <cstring>

__global__ void count(int* p) { atomicAdd(p, 1); }

int main(int argc, char** argv) {
  const bool mended = argc > 1 && !std::strcmp(argv[1], "mended");
  int *p, *host, values[16] = {};
  cudaMalloc(&p, sizeof values);
  cudaMallocHost(&host, sizeof values);
  const size_t bytes = mended ? sizeof values : 2 * sizeof values;
  cudaMemcpy(p, values, bytes, cudaMemcpyHostToDevice);  // unchecked
  cudaMemset(p, 0, bytes);                               // unchecked
  count<<<1, mended ? 1024 : 1025>>>(p);                 // unchecked
  const auto shared = cudaFuncAttributeMaxDynamicSharedMemorySize;
  cudaFuncSetAttribute(count, shared, mended ? 0 : 1 << 20);  // unchecked
  cudaDeviceSynchronize();
  cudaFree(mended ? p : p + 1);            // unchecked
  cudaFreeHost(mended ? host : host + 1);  // unchecked
  return 0;
}
