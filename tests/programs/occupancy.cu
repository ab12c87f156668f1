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

int main() {
  EXPECT(blocks(plain, 256, 0) == 8);
  EXPECT(blocks(plain, 32, 0) == 32);
  EXPECT(blocks(plain, 1024, 0) == 2);
  EXPECT(blocks(plain, 2048, 0) == 0);
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
