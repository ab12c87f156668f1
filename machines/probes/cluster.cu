// Clusters (compute capability 9.0): the barrier of a cluster by its size, and a load from another
// block's shared memory.
//
// Method: barriers in a row (barrier.cluster.arrive + wait: UCGABAR_ARV, UCGABAR_WAIT), the
// difference of two numbers of them, as cluster.sync() makes them (with MEMBAR.ALL.GPU, so that
// writes are seen) and relaxed (the barrier alone); and a walk along addresses in the next block's
// shared memory (ld.shared::cluster, LD.E) as in chase.cu, by clock64().
//
// Verified: what every block of the cluster finds in the next one's memory; where the walk ends.
#include <cooperative_groups.h>

#include <numeric>

#include "machines/probes/probe.cuh"

using namespace probe;
namespace cg = cooperative_groups;

template <int number, bool relaxed>
__device__ __forceinline__ void barriers() {
#pragma unroll
  for (int i = 0; i < number; ++i) {
    if (relaxed)
      asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
    else
      asm volatile("barrier.cluster.arrive.aligned;" ::: "memory");
    asm volatile("barrier.cluster.wait.aligned;" ::: "memory");
  }
}

template <bool relaxed>
__global__ void wait(uint32_t seed, uint32_t* found, long long* cycles) {
  __shared__ uint32_t own;
  cg::cluster_group cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank(), blocks = cluster.num_blocks();
  if (threadIdx.x == 0) own = seed * (rank + 1);
  cluster.sync();
  if (threadIdx.x == 0) found[rank] = *cluster.map_shared_rank(&own, (rank + 1) % blocks);
  cluster.sync();
  long long shorter = 0, longer = 0;
#pragma unroll 1
  for (int pass = 0; pass < 2; ++pass) {
    long long start = clock64();
    barriers<8, relaxed>();
    shorter = clock64() - start;
    start = clock64();
    barriers<40, relaxed>();
    longer = clock64() - start;
  }
  if (threadIdx.x == 0 && rank == 0) *cycles = longer - shorter;
}

constexpr int stops = 512;

__device__ __forceinline__ uint32_t walk(uint32_t at, int steps) {
#pragma unroll 1
  for (int i = 0; i < steps; i += 16)
#pragma unroll
    for (int j = 0; j < 16; ++j)
      asm volatile("ld.shared::cluster.u32 %0, [%0];" : "+r"(at) : : "memory");
  return at;
}

// Block 0 walks along the ring that lies in block 1.
__global__ void chase(const uint32_t* next, uint32_t* end, int shorter, int longer,
                      long long* cycles) {
  __shared__ uint32_t ring[stops];
  cg::cluster_group cluster = cg::this_cluster();
  const uint32_t own = uint32_t(__cvta_generic_to_shared(ring));
  uint32_t base;
  asm("mapa.shared::cluster.u32 %0, %1, 1;" : "=r"(base) : "r"(own));
  for (int i = threadIdx.x; i < stops; i += blockDim.x) ring[i] = base + 4 * next[i];
  cluster.sync();
  if (cluster.block_rank() == 0 && threadIdx.x == 0) {
    uint32_t at = walk(base, shorter);
    long long t = clock64();
    at = walk(at, shorter);
    const long long less = clock64() - t;
    t = clock64();
    at = walk(at, longer);
    *cycles = clock64() - t - less;
    *end = (at - base) / 4;
  }
  cluster.sync();
}

template <typename... Parameters, typename... Arguments>
void launch(void (*kernel)(Parameters...), int blocks, Arguments... arguments) {
  cudaLaunchConfig_t configuration{};
  configuration.gridDim = dim3(blocks);
  configuration.blockDim = dim3(32);
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = unsigned(blocks);
  attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  configuration.attrs = &attribute;
  configuration.numAttrs = 1;
  PROBE_CALL(cudaLaunchKernelEx(&configuration, kernel, Parameters(arguments)...));
}

int main(int count, char** arguments) {
  Probe probe(count, arguments);
  if (probe.device.major < 9) {
    probe.caveat("clusters were not measured", "this GPU has none",
                 "they come with compute capability 9.0");
    probe.check("none", true, 1);
    return probe.end();
  }
  const int repeat = probe.small ? 1 : 15;
  for (const int blocks : {2, 4, 8}) {
    const uint32_t seed = probe.bits();
    Array<uint32_t> found(blocks);
    Array<long long> cycles(1);
    std::vector<double> samples, relaxed;
    for (int i = 0; i < repeat; ++i) {
      launch(wait<false>, blocks, seed, found.data(), cycles.data());
      samples.push_back(double(cycles.first()) / 32);
      launch(wait<true>, blocks, seed, found.data(), cycles.data());
      relaxed.push_back(double(cycles.first()) / 32);
    }
    bool passed = true;
    const auto values = found.read();
    for (int rank = 0; rank < blocks; ++rank)
      passed &= values[rank] == seed * uint32_t((rank + 1) % blocks + 1);
    probe.check("cluster_barrier", passed, blocks);
    const At at{{"blocks", double(blocks)}};
    probe.value("cluster_barrier", "cycles", "MEMBAR.ALL.GPU + UCGABAR_ARV + UCGABAR_WAIT", samples,
                at);
    probe.value("cluster_barrier_relaxed", "cycles", "UCGABAR_ARV + UCGABAR_WAIT", relaxed, at);
  }

  std::vector<uint32_t> order(stops), next(stops);
  std::iota(order.begin(), order.end(), 0u);
  std::shuffle(order.begin(), order.end(), probe.random);
  for (int i = 0; i < stops; ++i) next[order[i]] = order[(i + 1) % stops];
  Array<uint32_t> ring(next), end(1);
  Array<long long> cycles(1);
  const int shorter = probe.small ? 16 : 512, longer = probe.small ? 32 : 2560;
  std::vector<double> samples;
  uint32_t expected = 0;
  for (int i = 0; i < 2 * shorter + longer; ++i) expected = next[expected];
  bool passed = true;
  for (int i = 0; i < repeat; ++i) {
    launch(chase, 2, ring.data(), end.data(), shorter, longer, cycles.data());
    samples.push_back(double(cycles.first()) / (longer - shorter));
    passed &= end.first() == expected;
  }
  probe.check("distributed_shared", passed, repeat);
  probe.value("distributed_shared", "cycles", "LD.E + MOV, of another block", samples);
  return probe.end();
}
