// Occupancy calls and kernel attributes on an H200.
#include "tests/programs/expect.cuh"

__global__ void plain(int* out) { out[threadIdx.x] = int(threadIdx.x); }
__global__ void __launch_bounds__(256) bounded(int* out) { out[threadIdx.x] = 1; }
__global__ void fixed_shared(int* out) {
  __shared__ int values[1024];
  values[threadIdx.x] = int(threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = values[threadIdx.x ^ 1];
}

template <class Kernel>
static int blocks(Kernel kernel, int threads, size_t shared) {
  int resident = -1;
  EXPECT_OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, threads, shared));
  return resident;
}

// A kernel's preferred carve-out bounds what fits: the least of the machine's that holds the wish,
// or else one block.
static void carveouts() {
  struct Case {
    int percent, small, with_shared, fixed;  // blocks of 32 threads; of 20000 bytes; of 4 KiB
  };
  for (auto [percent, small, with_shared, fixed] : {Case{0, 8, 1, 1},
                                                    {5, 16, 1, 3},
                                                    {25, 32, 3, 12},
                                                    {50, 32, 6, 26},
                                                    {100, 32, 11, 32},
                                                    {-1, 32, 11, 32}}) {
    constexpr auto carveout = cudaFuncAttributePreferredSharedMemoryCarveout;
    EXPECT_OK(cudaFuncSetAttribute(plain, carveout, percent));
    EXPECT_OK(cudaFuncSetAttribute(fixed_shared, carveout, percent));
    EXPECT(blocks(plain, 32, 0) == small);
    EXPECT(blocks(plain, 32, 20000) == with_shared);
    EXPECT(blocks(fixed_shared, 32, 0) == fixed);
  }
}

int main() {
  EXPECT(blocks(plain, 256, 0) == 8);
  EXPECT(blocks(plain, 32, 0) == 32);
  EXPECT(blocks(plain, 1024, 0) == 2);
  EXPECT(blocks(plain, 2048, 0) == 0);
  EXPECT(blocks(bounded, 256, 0) == 8);
  EXPECT(blocks(bounded, 288, 0) == 0);  // more than __launch_bounds__ allows
  EXPECT(blocks(plain, 256, 40000) == 5);
  EXPECT(blocks(plain, 256, 60000) == 0);  // needs an opt-in
  int resident;
  EXPECT_CODE(cudaErrorInvalidValue,
              cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, plain, 0, 0));
  size_t bytes = 0;
  EXPECT_OK(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, plain, 2, 256));
  EXPECT(bytes == 49152);
  EXPECT_OK(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, fixed_shared, 8, 256));
  // CUDA forgets the 1 KiB that the driver takes for each block: with its answer only 7 blocks fit.
  EXPECT(bytes == 25088 || bytes == 24064);
  carveouts();
  int grid = 0, block = 0;
  EXPECT_OK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, plain));
  EXPECT(block == 1024 && grid == 264);

  cudaFuncAttributes a;
  EXPECT_OK(cudaFuncGetAttributes(&a, plain));
  EXPECT(a.ptxVersion == 80 && a.maxThreadsPerBlock == 1024 && a.numRegs > 0 && a.numRegs <= 16);
  EXPECT(a.sharedSizeBytes == 0 && a.maxDynamicSharedSizeBytes == 49152 && a.localSizeBytes == 0);
  EXPECT_OK(cudaFuncGetAttributes(&a, bounded));
  EXPECT(a.maxThreadsPerBlock == 256);
  EXPECT_OK(cudaFuncGetAttributes(&a, fixed_shared));
  EXPECT(a.sharedSizeBytes == 4096 && a.maxDynamicSharedSizeBytes == 45056);
  EXPECT_CODE(cudaErrorInvalidDeviceFunction,
              cudaFuncGetAttributes(&a, static_cast<void*>(nullptr)));
  return failures != 0;
}
