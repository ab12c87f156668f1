// What a wait costs that no control word tells: at an mbarrier, for a bulk copy, at a cluster's barrier and at a
// grid's. Rows of JSON, in cycles of one SM's clock.
//
//   nvcc -arch=sm_90 -std=c++20 -O3 scripts/measure/waits_probe.cu -o waits_probe && ./waits_probe > rows.json
//
//   {"probe": "mbarrier", "warps": 8, "cycles": …},      all arrive and wait, a round
//   {"probe": "bulk", "bytes": 16384, "cycles": …},      a copy from L2 that one thread begins and waits for
//   {"probe": "cluster", "blocks": 2, "cycles": …},      cluster.sync()
//   {"probe": "grid", "blocks": 132, "cycles": …},       grid.sync()
//
// Every value is the median of five runs after one that does not count.
#include <cooperative_groups.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda/ptx>
#include <vector>

#define CHECK(call)                                                                       \
  do {                                                                                    \
    if (cudaError_t error = (call)) {                                                     \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
      std::exit(1);                                                                       \
    }                                                                                     \
  } while (0)

namespace {

namespace ptx = cuda::ptx;
namespace groups = cooperative_groups;

constexpr int rounds = 256, runs = 5;
long long* taken;  // cycles of the first block

__device__ void wait(uint64_t* barrier, int phase) {
  while (!ptx::mbarrier_try_wait_parity(barrier, phase & 1)) {
  }
}

__global__ void mbarrier_rounds(long long* cycles) {
  __shared__ uint64_t barrier;
  if (threadIdx.x == 0) ptx::mbarrier_init(&barrier, blockDim.x);
  __syncthreads();
  const long long begin = clock64();
  for (int round = 0; round < rounds; ++round) {
    ptx::mbarrier_arrive(&barrier);
    wait(&barrier, round);
  }
  if (threadIdx.x == 0) *cycles = clock64() - begin;
}

__global__ void bulk_copies(long long* cycles, const char* from, unsigned bytes) {
  extern __shared__ __align__(128) char to[];
  __shared__ uint64_t barrier;
  ptx::mbarrier_init(&barrier, 1);
  ptx::fence_proxy_async(ptx::space_shared);
  long long begin = 0;
  for (int round = 0; round <= rounds; ++round) {
    if (round == 1) begin = clock64();  // the first brings it to L2
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &barrier,
                                   bytes);
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, to, from, bytes, &barrier);
    wait(&barrier, round);
  }
  *cycles = clock64() - begin;
}

__global__ void cluster_rounds(long long* cycles) {
  const auto cluster = groups::this_cluster();
  cluster.sync();
  const long long begin = clock64();
  for (int round = 0; round < rounds; ++round) cluster.sync();
  if (blockIdx.x == 0 && threadIdx.x == 0) *cycles = clock64() - begin;
}

__global__ void grid_rounds(long long* cycles) {
  const auto grid = groups::this_grid();
  grid.sync();
  const long long begin = clock64();
  for (int round = 0; round < rounds; ++round) grid.sync();
  if (blockIdx.x == 0 && threadIdx.x == 0) *cycles = clock64() - begin;
}

template <class Launch>
double cycles_a_round(const Launch& launch) {
  std::vector<double> all;
  for (int run = 0; run <= runs; ++run) {
    launch();
    CHECK(cudaGetLastError());
    long long cycles = 0;
    CHECK(cudaMemcpy(&cycles, taken, sizeof cycles, cudaMemcpyDeviceToHost));
    if (run > 0) all.push_back(double(cycles) / rounds);
  }
  std::sort(all.begin(), all.end());
  return all[all.size() / 2];
}

const char* before = "[";
void row(const char* probe, const char* of, int number, double cycles) {
  std::printf("%s{\"probe\": \"%s\", \"%s\": %d, \"cycles\": %.5g}", before, probe, of, number,
              cycles);
  before = ",\n ";
}

void launch_cluster(unsigned blocks) {
  cudaLaunchAttribute size{};
  size.id = cudaLaunchAttributeClusterDimension;
  size.val.clusterDim = {blocks, 1, 1};
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(blocks);
  config.blockDim = dim3(128);
  config.attrs = &size;
  config.numAttrs = 1;
  CHECK(cudaLaunchKernelEx(&config, cluster_rounds, taken));
}

}  // namespace

int main() {
  constexpr int most = 96 << 10;
  char* memory;
  int sms = 0;
  CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
  CHECK(cudaMalloc(&memory, most));
  CHECK(cudaMemset(memory, 0, most));
  CHECK(cudaMalloc(&taken, sizeof *taken));
  CHECK(cudaFuncSetAttribute(bulk_copies, cudaFuncAttributeMaxDynamicSharedMemorySize, most));
  for (int warps = 1; warps <= 32; warps *= 2)
    row("mbarrier", "warps", warps,
        cycles_a_round([&] { mbarrier_rounds<<<1, 32 * warps>>>(taken); }));
  for (int bytes = 16; bytes <= most; bytes *= 4)
    row("bulk", "bytes", bytes,
        cycles_a_round([&] { bulk_copies<<<1, 1, most>>>(taken, memory, unsigned(bytes)); }));
  for (int blocks = 2; blocks <= 8; blocks *= 2)
    row("cluster", "blocks", blocks, cycles_a_round([&] { launch_cluster(unsigned(blocks)); }));
  void* arguments[] = {&taken};
  for (const int blocks : {1, sms})
    row("grid", "blocks", blocks, cycles_a_round([&] {
          CHECK(cudaLaunchCooperativeKernel(grid_rounds, dim3(unsigned(blocks)), dim3(256),
                                            arguments));
        }));
  std::printf("]\n");
}
