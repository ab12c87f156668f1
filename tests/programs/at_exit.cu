// Kernels launched when main is over: by an exit handler and by the destructor of a static object.
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

struct Last {
  ~Last() {
    launch(3);
    if (failures) std::_Exit(1);
  }
};

int main() {
  static Last last;
  launch(1);
  std::atexit([] { launch(2); });
  return failures != 0;
}
