// Calls of printf and assert, parameters as operands, sleeps: what the machine code of most programs has beside arithmetic.
#include <cassert>
#include <cstdio>

__global__ void said(int* out, long long wide, int n, unsigned nanoseconds) {
  assert(n > 0);
  __nanosleep(nanoseconds);
  printf("%d\n", n);
  out[threadIdx.x] = int(wide >> n) + __syncthreads_count(n > int(threadIdx.x));
}
