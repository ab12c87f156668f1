// Clusters of blocks through cooperative_groups: by the kernel's own attribute and by the launch's.
#include <cooperative_groups.h>

#include <cstring>

#include "tests/programs/expect.cuh"

namespace cg = cooperative_groups;

constexpr int threads = 64;

// Every block reads its neighbour's shared memory, and adds one to it.
__global__ void __cluster_dims__(4, 1, 1) ring(int* out) {
  __shared__ int values[threads];
  cg::cluster_group cluster = cg::this_cluster();
  values[threadIdx.x] = int(blockIdx.x * threads + threadIdx.x);
  cluster.sync();
  int next = int((cluster.block_rank() + 1) % cluster.num_blocks());
  int* theirs = cluster.map_shared_rank(values, next);
  int seen = theirs[threadIdx.x];
  cluster.sync();
  atomicAdd(&theirs[threadIdx.x], 1);
  cluster.sync();
  out[blockIdx.x * threads + threadIdx.x] =
      seen * 1000 + (values[threadIdx.x] - int(blockIdx.x * threads + threadIdx.x)) +
      10 * int(cluster.query_shared_rank(theirs));
}

// A histogram that is spread over the blocks of a cluster: every block holds some of its bins.
__global__ void histogram(int* bins, int per_block, const int* values, int count) {
  extern __shared__ int mine[];
  cg::cluster_group cluster = cg::this_cluster();
  for (int i = threadIdx.x; i < per_block; i += blockDim.x) mine[i] = 0;
  cluster.sync();
  for (int i = cg::this_grid().thread_rank(); i < count; i += blockDim.x * gridDim.x) {
    int* block = cluster.map_shared_rank(mine, values[i] / per_block);
    atomicAdd(block + values[i] % per_block, 1);
  }
  cluster.sync();
  int* to = bins + cluster.block_rank() * per_block;
  for (int i = threadIdx.x; i < per_block; i += blockDim.x) atomicAdd(to + i, mine[i]);
}

__global__ void place(int4* out) {
  cg::cluster_group cluster = cg::this_cluster();
  dim3 index = cluster.block_index(), size = cluster.dim_blocks();
  out[blockIdx.y * gridDim.x + blockIdx.x] =
      make_int4(int(index.x), int(index.y), int(cluster.block_rank()),
                int(size.x * 100 + size.y * 10 + cluster.num_blocks()));
}

template <class... Parameters, class... Arguments>
static cudaError_t launch(void (*kernel)(Parameters...), dim3 grid, dim3 block, size_t shared,
                          dim3 cluster, Arguments... arguments) {
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = cluster.x;
  attribute.val.clusterDim.y = cluster.y;
  attribute.val.clusterDim.z = cluster.z;
  cudaLaunchConfig_t config = {};
  config.gridDim = grid;
  config.blockDim = block;
  config.dynamicSmemBytes = shared;
  config.attrs = &attribute;
  config.numAttrs = 1;
  return cudaLaunchKernelEx(&config, kernel, Parameters(arguments)...);
}

static void rings() {
  constexpr int blocks = 8;
  int *out, back[blocks * threads];
  EXPECT_OK(cudaMalloc(&out, sizeof back));
  ring<<<blocks, threads>>>(out);
  EXPECT_OK(cudaMemcpy(back, out, sizeof back, cudaMemcpyDeviceToHost));
  for (int b = 0; b < blocks; ++b) {
    int next = b / 4 * 4 + (b + 1) % 4;
    for (int t = 0; t < threads; ++t)
      EXPECT(back[b * threads + t] == (next * threads + t) * 1000 + 1 + 10 * (next % 4));
  }
}

static void histograms() {
  constexpr int count = 4096, bins = 256;
  static int values[count], back[bins], expected[bins];
  for (int i = 0; i < count; ++i) ++expected[values[i] = (i * 37 + i / 7) % bins];
  int *in, *out;
  EXPECT_OK(cudaMalloc(&in, sizeof values));
  EXPECT_OK(cudaMalloc(&out, sizeof back));
  EXPECT_OK(cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice));
  for (int size : {1, 2, 8}) {
    EXPECT_OK(cudaMemset(out, 0, sizeof back));
    EXPECT_OK(
        launch(histogram, 8, 128, bins / size * sizeof(int), size, out, bins / size, in, count));
    EXPECT_OK(cudaMemcpy(back, out, sizeof back, cudaMemcpyDeviceToHost));
    EXPECT(std::memcmp(back, expected, sizeof back) == 0);
  }
}

static void places() {
  int4 *out, back[6 * 4];
  EXPECT_OK(cudaMalloc(&out, sizeof back));
  EXPECT_OK(launch(place, dim3(6, 4), 1, 0, dim3(2, 2), out));
  EXPECT_OK(cudaMemcpy(back, out, sizeof back, cudaMemcpyDeviceToHost));
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 6; ++x) {
      int4 at = back[y * 6 + x];
      EXPECT(at.x == x % 2 && at.y == y % 2 && at.z == x % 2 + 2 * (y % 2) && at.w == 224);
    }
}

// More than 8 blocks need the opt-in; what does not divide the grid is refused. Nothing of it sticks.
static void limits() {
  int* out;
  EXPECT_OK(cudaMalloc(&out, 4096));
  EXPECT_CODE(cudaErrorInvalidClusterSize, launch(place, 16, 1, 0, 16, (int4*)out));
  EXPECT_OK(cudaFuncSetAttribute(place, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
  EXPECT_OK(launch(place, 16, 1, 0, 16, (int4*)out));
  EXPECT_OK(cudaDeviceSynchronize());
  cudaFuncAttributes attributes;
  EXPECT_OK(cudaFuncGetAttributes(&attributes, ring));
  EXPECT(attributes.requiredClusterWidth == 4 && attributes.requiredClusterHeight == 1 &&
         attributes.requiredClusterDepth == 1);
  cudaLaunchConfig_t config = {};
  config.gridDim = 16;
  config.blockDim = 128;
  int size = 0;
  EXPECT_OK(cudaOccupancyMaxPotentialClusterSize(&size, histogram, &config));
  EXPECT(size == 8);
  EXPECT_OK(cudaFree(out));
}

// How many clusters run at once: at most what the SMs hold, a GPU's borders between groups of SMs take away some.
static void occupancy() {
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeClusterDimension;
  cudaLaunchConfig_t config = {};
  config.blockDim = 128, config.attrs = &attribute, config.numAttrs = 1;
  int resident = 0, sms = 0, clusters = -1;
  EXPECT_OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, histogram, 128, 0));
  EXPECT_OK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
  auto ask = [&](unsigned size, unsigned grid) {
    clusters = -1;
    attribute.val.clusterDim.x = size, attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    config.gridDim = grid;
    return cudaOccupancyMaxActiveClusters(&clusters, histogram, &config);
  };
  for (unsigned size : {1, 2, 4, 8}) {
    EXPECT_OK(ask(size, size * 64));
    EXPECT(clusters > 0 && clusters <= sms * resident / int(size));
  }
  EXPECT_CODE(cudaErrorInvalidClusterSize, ask(16, 16));  // needs the opt-in
  EXPECT_CODE(cudaErrorInvalidClusterSize, ask(3, 16));
  EXPECT_CODE(cudaErrorInvalidClusterSize, ask(0, 16));
  EXPECT_CODE(cudaErrorInvalidValue, ask(2, 0));
  config.dynamicSmemBytes = 300000;  // no block fits
  EXPECT_OK(ask(2, 16));
  EXPECT(clusters == 0);
  config.dynamicSmemBytes = 0, config.numAttrs = 0;
  EXPECT_OK(ask(2, 16));
  EXPECT(clusters == 0);  // nobody asks for a cluster
  EXPECT_OK(cudaOccupancyMaxActiveClusters(&clusters, ring, &config));
  EXPECT(clusters > 0);
  int size = 0;
  EXPECT_OK(cudaOccupancyMaxPotentialClusterSize(&size, ring, &config));
  EXPECT(size == 8);  // whatever its own
  config.numAttrs = 1;
  attribute.val.clusterDim.x = 2;
  EXPECT_CODE(cudaErrorInvalidClusterSize,
              cudaOccupancyMaxActiveClusters(&clusters, ring, &config));
  EXPECT_CODE(cudaErrorInvalidClusterSize,
              cudaOccupancyMaxPotentialClusterSize(&size, ring, &config));
  EXPECT_CODE(cudaErrorInvalidValue, cudaOccupancyMaxActiveClusters(nullptr, histogram, &config));
  config.blockDim = 0;
  EXPECT_CODE(cudaErrorInvalidValue,
              cudaOccupancyMaxPotentialClusterSize(&size, histogram, &config));
}

// A node keeps its clusters where its parameters change, and gets those that an attribute asks for.
static void nodes() {
  int4* out;
  EXPECT_OK(cudaMalloc(&out, 4 * sizeof(int4)));
  void* arguments[] = {&out};
  cudaKernelNodeParams how = {};
  how.func = (void*)place;
  how.gridDim = dim3(4);
  how.blockDim = dim3(32);
  how.kernelParams = arguments;
  cudaGraph_t graph;
  cudaGraphNode_t node, copied;
  EXPECT_OK(cudaGraphCreate(&graph, 0));
  EXPECT_OK(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &how));
  cudaLaunchAttributeValue pairs = {};
  pairs.clusterDim.x = 2, pairs.clusterDim.y = pairs.clusterDim.z = 1;
  EXPECT_OK(cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeClusterDimension, &pairs));
  EXPECT_OK(cudaGraphKernelNodeSetParams(node, &how));
  cudaGraphExec_t exec;
  EXPECT_OK(cudaGraphInstantiate(&exec, graph, 0));
  EXPECT_OK(cudaGraphLaunch(exec, 0));
  int4 seen[4];
  EXPECT_OK(cudaMemcpy(seen, out, sizeof seen, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 4; ++i) EXPECT(seen[i].z == i % 2 && seen[i].w == 212);
  EXPECT_OK(cudaGraphAddKernelNode(&copied, graph, nullptr, 0, &how));
  EXPECT_OK(cudaGraphKernelNodeCopyAttributes(copied, node));
  EXPECT_OK(cudaGraphKernelNodeGetAttribute(copied, cudaLaunchAttributeClusterDimension, &pairs));
  EXPECT(pairs.clusterDim.x == 2);
  EXPECT_OK(cudaGraphExecDestroy(exec));
  EXPECT_OK(cudaGraphDestroy(graph));
  EXPECT_OK(cudaFree(out));
}

int main() {
  nodes();
  limits();
  occupancy();
  rings();
  histograms();
  places();
  EXPECT_OK(cudaDeviceSynchronize());
  return failures != 0;
}
