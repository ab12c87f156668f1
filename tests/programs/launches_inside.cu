// Dynamic parallelism is refused by name: the launch fails, others of the program do not.
#include "tests/programs/expect.cuh"

__global__ void child(int* out) { *out = 1; }
__global__ void parent(int* out) { child<<<1, 1>>>(out); }

int main() {
  int *out, host = 0;
  EXPECT_OK(cudaMalloc(&out, 4));
  child<<<1, 1>>>(out);
  EXPECT_OK(cudaMemcpy(&host, out, 4, cudaMemcpyDeviceToHost));
  EXPECT(host == 1);
  parent<<<1, 1>>>(out);
  std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  return failures != 0;
}
