// One kernel launched in shapes that differ in what <<<>>> does not show: a preferred carve-out (of
// the kernel, of one launch), clusters, and a grid that meets at a barrier.
#include <cuda_runtime.h>

__global__ void fill(int* out) {
  __shared__ int tile[4096];
  tile[threadIdx.x] = int(threadIdx.x);
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

__global__ void __cluster_dims__(2, 1, 1) fill_in_pairs(int* out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

static void launch(cudaLaunchAttributeID id, const cudaLaunchAttributeValue& value, int* out) {
  cudaLaunchAttribute attribute{};
  attribute.id = id;
  attribute.val = value;
  cudaLaunchConfig_t config{};
  config.gridDim = 8, config.blockDim = 128, config.attrs = &attribute, config.numAttrs = 1;
  cudaLaunchKernelEx(&config, fill, out);
}

int main() {
  int* out;
  cudaMalloc(&out, 8 * 128 * sizeof(int));
  fill<<<8, 128>>>(out);
  cudaLaunchAttributeValue value{};
  value.sharedMemCarveout = 50;
  launch(cudaLaunchAttributePreferredSharedMemoryCarveout, value, out);
  value = {};
  value.clusterDim = {4, 1, 1};
  launch(cudaLaunchAttributeClusterDimension, value, out);
  value = {};
  value.cooperative = 1;
  launch(cudaLaunchAttributeCooperative, value, out);
  cudaFuncSetAttribute(fill, cudaFuncAttributePreferredSharedMemoryCarveout, 25);
  fill<<<8, 128>>>(out);
  fill_in_pairs<<<8, 128>>>(out);
  return cudaDeviceSynchronize();
}
