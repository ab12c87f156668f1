// Kernels launched when main is over: by an exit handler and by the destructors of static objects. Those
// that were there before the first CUDA call go after the runtime.
#include <cstdio>
#include <cstdlib>

#include "tests/programs/expect.cuh"

__global__ void store(int* to, int value) { *to = value; }

static void launch(int value) {
  int *to, back = 0;
  EXPECT_OK(cudaMalloc(&to, 4));
  store<<<1, 1>>>(to, value);
  EXPECT_OK(cudaMemcpy(&back, to, 4, cudaMemcpyDeviceToHost));
  EXPECT(back == value);
  EXPECT_OK(cudaFree(to));
}

struct Earlier {
  ~Earlier() {
    int* to;
    EXPECT_CODE(cudaErrorCudartUnloading, cudaMalloc(&to, 4));
    std::fflush(stdout);
    if (failures) std::_Exit(1);
  }
};
struct Later {
  ~Later() { launch(3); }
};

int main() {
  static Earlier earlier;
  launch(1);
  static Later later;
  std::atexit([] { launch(2); });
  return failures != 0;
}
