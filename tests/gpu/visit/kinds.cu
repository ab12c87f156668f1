// One launch or copy of every kind, and one kernel timed by CUDA events, each launch between two of
// its own: what headroom run --gpu has to list.
//
//   kinds  ->  events_us 812.3 811.9 …   (20 launches of `stream_copy`)
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                          \
  do {                                                                       \
    if (const cudaError_t error = (call)) {                                  \
      fprintf(stderr, "line %d: %s\n", __LINE__, cudaGetErrorString(error)); \
      exit(1);                                                               \
    }                                                                        \
  } while (0)

constexpr size_t values = size_t(1) << 26;  // 256 MiB

__global__ void stream_copy(float4* to, const float4* from) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  to[i] = from[i];
}

__global__ void on_a_stream(float* data) { data[threadIdx.x] += 1; }
__global__ void graph_first(float* data) { data[threadIdx.x] *= 2; }
__global__ void graph_second(float* data) { data[threadIdx.x] -= 1; }
__global__ void with_shared(float* data) {
  extern __shared__ float dynamic[];
  __shared__ float fixed[256];
  dynamic[threadIdx.x] = fixed[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = dynamic[255 - threadIdx.x] + fixed[threadIdx.x];
}
__global__ void together(float* data) {
  data[blockIdx.x] += 1;
  cooperative_groups::this_grid().sync();
  data[blockIdx.x] += data[(blockIdx.x + 1) % gridDim.x];
}
__global__ void __cluster_dims__(2, 1, 1) in_clusters(float* data) { data[blockIdx.x] += 1; }

int main() {
  float4 *from, *to;
  CHECK(cudaMalloc(&from, values * 4));
  CHECK(cudaMalloc(&to, values * 4));
  CHECK(cudaMemset(from, 0, values * 4));
  constexpr int repeats = 20;
  std::vector<cudaEvent_t> starts(repeats), stops(repeats);
  for (int i = 0; i < repeats; ++i) {
    CHECK(cudaEventCreate(&starts[i]));
    CHECK(cudaEventCreate(&stops[i]));
  }
  stream_copy<<<values / 4 / 256, 256>>>(to, from);
  for (int i = 0; i < repeats; ++i) {
    CHECK(cudaEventRecord(starts[i]));
    stream_copy<<<values / 4 / 256, 256>>>(to, from);
    CHECK(cudaEventRecord(stops[i]));
  }
  CHECK(cudaDeviceSynchronize());
  printf("events_us");
  for (int i = 0; i < repeats; ++i) {
    float milliseconds = 0;
    CHECK(cudaEventElapsedTime(&milliseconds, starts[i], stops[i]));
    printf(" %.3f", milliseconds * 1e3);
  }
  printf("\n");

  auto* data = reinterpret_cast<float*>(to);
  cudaStream_t one, two;
  CHECK(cudaStreamCreate(&one));
  CHECK(cudaStreamCreate(&two));
  on_a_stream<<<1, 256, 0, one>>>(data);
  on_a_stream<<<1, 256, 0, two>>>(data);
  CHECK(cudaDeviceSynchronize());
  with_shared<<<1, 256, 1024>>>(data);

  cudaGraph_t graph;
  cudaGraphExec_t executable;
  CHECK(cudaStreamBeginCapture(one, cudaStreamCaptureModeGlobal));
  graph_first<<<1, 256, 0, one>>>(data);
  graph_second<<<1, 256, 0, one>>>(data);
  CHECK(cudaStreamEndCapture(one, &graph));
  CHECK(cudaGraphInstantiate(&executable, graph, 0));
  for (int i = 0; i < 3; ++i) CHECK(cudaGraphLaunch(executable, one));
  CHECK(cudaStreamSynchronize(one));

  void* arguments[] = {&data};
  CHECK(cudaLaunchCooperativeKernel(together, dim3(8), dim3(64), arguments, 0, nullptr));
  in_clusters<<<4, 64>>>(data);
  CHECK(cudaDeviceSynchronize());

  constexpr size_t bytes = 1 << 20;
  std::vector<char> pageable(bytes);
  char *pinned, *managed;
  CHECK(cudaMallocHost(&pinned, bytes));
  CHECK(cudaMallocManaged(&managed, bytes));
  managed[0] = 1;
  CHECK(cudaMemcpy(to, pageable.data(), bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(pageable.data(), to, bytes, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpyAsync(to, pinned, bytes, cudaMemcpyHostToDevice, one));
  CHECK(cudaMemcpyAsync(pinned, to, bytes, cudaMemcpyDeviceToHost, one));
  CHECK(cudaMemcpy(from, to, bytes, cudaMemcpyDeviceToDevice));
  CHECK(cudaMemcpy(to, managed, bytes, cudaMemcpyDefault));
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaDeviceReset());
  return 0;
}
