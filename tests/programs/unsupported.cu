// What the stand-in does not have: a name on stderr, cudaErrorNotSupported, and the program goes on.
// (All of it works on a GPU.)
#include <cuda.h>
#include <dlfcn.h>

#include "tests/programs/expect.cuh"

int main() {
  int* values;
  EXPECT_OK(cudaMalloc(&values, 4));
  cudaIpcMemHandle_t handle;
  EXPECT_CODE(cudaErrorNotSupported, cudaIpcGetMemHandle(&handle, values));
  EXPECT_CODE(cudaErrorNotSupported, cudaIpcGetMemHandle(&handle, values));
  auto* of_driver = (decltype(&cuIpcGetMemHandle))dlsym(RTLD_DEFAULT, "cuIpcGetMemHandle");
  CUipcMemHandle same;
  for (int again = 0; again < 2; ++again)
    EXPECT(of_driver && of_driver(&same, (CUdeviceptr)values) == CUDA_ERROR_NOT_SUPPORTED);
  EXPECT_OK(cudaFree(values));
  cudaGraph_t graph;
  cudaGraphNode_t node;
  cudaGraphConditionalHandle condition;
  EXPECT_OK(cudaGraphCreate(&graph, 0));
  EXPECT_CODE(cudaErrorNotSupported, cudaGraphConditionalHandleCreate(&condition, graph, 1, 0));
  cudaGraphNodeParams branch = {};
  branch.type = cudaGraphNodeTypeConditional;
  branch.conditional.type = cudaGraphCondTypeIf, branch.conditional.size = 1;
  EXPECT_CODE(cudaErrorNotSupported, cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &branch));
  EXPECT_OK(cudaGraphDestroy(graph));
  return failures != 0;
}
