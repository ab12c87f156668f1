// Kernels launched when main is over: by an exit handler and by the destructors of static objects. Those
// that were there before the first CUDA call go after the runtime; those before the first launch when all
// that a launch makes for the next is gone, if it does not stay for good.
#include <cstdio>
#include <cstdlib>

#include "tests/programs/expect.cuh"

__global__ void store(int* to, int value) { *to = value; }
// Launched with many blocks it is worth compiling.
__global__ void count_up(unsigned* to, int turns) {
  unsigned sum = 0;
  for (int i = 0; i < turns; ++i) sum = sum * 3 + i;
  to[threadIdx.x] = sum;
}

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
struct BeforeLaunches {
  ~BeforeLaunches() { count(4000); }
  static void count(int blocks) {
    unsigned *to, back = 0, sum = 0;
    for (int i = 0; i < 100; ++i) sum = sum * 3 + i;
    EXPECT_OK(cudaMalloc(&to, 128));
    count_up<<<blocks, 32>>>(to, 100);
    EXPECT_OK(cudaMemcpy(&back, to, 4, cudaMemcpyDeviceToHost));
    EXPECT(back == sum);
    EXPECT_OK(cudaFree(to));
  }
};
struct Later {
  ~Later() { launch(3); }
};

int main() {
  static Earlier earlier;
  EXPECT_OK(cudaFree(nullptr));
  static BeforeLaunches before_launches;
  BeforeLaunches::count(1);
  launch(1);
  static Later later;
  std::atexit([] { launch(2); });
  return failures != 0;
}
