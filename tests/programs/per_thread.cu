// Built with --default-stream per-thread: the stream without a name is the thread's own, and can be
// captured.
#include "tests/programs/expect.cuh"

__global__ void add(int* value, int what) { *value += what; }

int main() {
  int *value, result = -1;
  EXPECT_OK(cudaMalloc(&value, 4));
  EXPECT_OK(cudaMemset(value, 0, 4));
  unsigned long long own = 0, named = 1, legacy = 0;
  EXPECT_OK(cudaStreamGetId(0, &own));
  EXPECT_OK(cudaStreamGetId(cudaStreamPerThread, &named));
  EXPECT_OK(cudaStreamGetId(cudaStreamLegacy, &legacy));
  EXPECT(own == named && own != legacy);
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  EXPECT_OK(cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal));
  add<<<1, 1>>>(value, 5);
  EXPECT_OK(cudaMemcpyAsync(&result, value, 4, cudaMemcpyDeviceToHost));
  EXPECT_OK(cudaStreamEndCapture(cudaStreamPerThread, &graph));
  EXPECT(result == -1);
  EXPECT_OK(cudaGraphInstantiate(&exec, graph, 0));
  EXPECT_OK(cudaGraphLaunch(exec, 0));
  EXPECT_OK(cudaGraphLaunch(exec, 0));
  EXPECT_OK(cudaStreamSynchronize(0));
  EXPECT(result == 10);
  EXPECT_OK(cudaMemcpy(&result, value, 4, cudaMemcpyDeviceToHost));
  EXPECT(result == 10);
  EXPECT_OK(cudaGraphExecDestroy(exec));
  EXPECT_OK(cudaGraphDestroy(graph));
  EXPECT_OK(cudaFree(value));
  return failures != 0;
}
