// What the two files of tests/programs/relocatable.cu share: one program, compiled file by file
// with -rdc=true.
#pragma once

extern __device__ int total;  // defined in the other file
extern __constant__ float scale[4];
extern __managed__ int seen_by_both;
__device__ int weigh(const int* values, int n);
__global__ void other_kernel(int* out);
inline __device__ int shared_inline = 11;  // weak, in both
template <class T>
__device__ __noinline__ T twice(T x) {  // weak, in both
  return x + x;
}
int launch_other(int* out);
