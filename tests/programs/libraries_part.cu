// One of the libraries of libraries.cu, compiled twice: the names of kernels and variables are the
// same in both, only what they do differs.
#include <cuda_runtime.h>

__device__ int counter = PART * 100;
static __global__ void step(int* out, int what) { *out = (counter += PART) + what; }

#if PART == 1
extern "C" int first_of_library(int what)
#else
extern "C" int second_of_library(int what)
#endif
{
  int *out, back = -1;
  if (cudaMalloc(&out, 4)) return -2;
  step<<<1, 1>>>(out, what);
  cudaMemcpy(&back, out, 4, cudaMemcpyDeviceToHost);
  cudaFree(out);
  return back;
}
