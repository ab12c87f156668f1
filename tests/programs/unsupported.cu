// A call the stand-in does not have: a name on stderr, cudaErrorNotSupported, and the program goes
// on.
#include "tests/programs/expect.cuh"

int main() {
  int* values;
  EXPECT_OK(cudaMalloc(&values, 4));
  cudaIpcMemHandle_t handle;
  EXPECT_CODE(cudaErrorNotSupported, cudaIpcGetMemHandle(&handle, values));
  EXPECT_CODE(cudaErrorNotSupported, cudaIpcGetMemHandle(&handle, values));
  EXPECT_OK(cudaFree(values));
  return failures != 0;
}
