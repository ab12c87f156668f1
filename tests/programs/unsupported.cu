// A call the stand-in does not have: a name on stderr, cudaErrorNotSupported, and the program goes
// on.
#include "tests/programs/expect.cuh"

int main() {
  cudaGraph_t graph;
  EXPECT_CODE(cudaErrorNotSupported, cudaGraphCreate(&graph, 0));
  EXPECT_CODE(cudaErrorNotSupported, cudaGraphCreate(&graph, 0));
  int* values;
  EXPECT_OK(cudaMalloc(&values, 4));
  return failures != 0;
}
