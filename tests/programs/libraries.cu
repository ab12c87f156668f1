// Kernels in several shared objects, by the same names: each library has its own, with variables of
// its own, and so has the program. What is loaded a second time is what was there.
#include <dlfcn.h>

#include "tests/programs/expect.cuh"

__device__ int counter = 7;
static __global__ void step(int* out, int what) { *out = counter++ + what; }

extern "C" int first_of_library(int);
extern "C" int second_of_library(int);

int main() {
  int *out, back = 0;
  EXPECT(first_of_library(1) == 102);
  EXPECT(second_of_library(2) == 204);
  EXPECT_OK(cudaMalloc(&out, 4));
  step<<<1, 1>>>(out, 10);
  EXPECT_OK(cudaMemcpy(&back, out, 4, cudaMemcpyDeviceToHost));
  EXPECT(back == 17);
  EXPECT(first_of_library(1) == 103);  // the same variable, one step on
  EXPECT(second_of_library(2) == 206);
  int seen = 0;
  EXPECT_OK(cudaMemcpyFromSymbol(&seen, counter, 4));
  EXPECT(seen == 8);
  void* again = dlopen("libpart1.so", RTLD_NOW);
  EXPECT(again != nullptr);
  auto* found = again ? reinterpret_cast<int (*)(int)>(dlsym(again, "first_of_library")) : nullptr;
  EXPECT(found && found(0) == 103);
  EXPECT_OK(cudaFree(out));
  return failures != 0;
}
