// A cooperative grid meets at its barrier; blocks that wait for flags of other blocks get on.
#include <cooperative_groups.h>

#include "tests/programs/expect.cuh"

namespace cg = cooperative_groups;

// Every round a thread takes the value of the thread that is its mirror image in the grid.
__global__ void mirror(int* from, int* to, int rounds) {
  cg::grid_group grid = cg::this_grid();
  int me = int(grid.thread_rank()), there = int(grid.size()) - 1 - me;
  for (int r = 0; r < rounds; ++r) {
    to[me] = from[there] + 1;
    grid.sync();
    int* other = from;
    from = to;
    to = other;
  }
}

// Sums before each block, by looking back along the blocks: block b waits for block b - 1.
__global__ void look_back(const int* in, int* sum, volatile int* ready, int* next) {
  __shared__ int block;
  if (threadIdx.x == 0) block = atomicAdd(next, 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    int before = 0;
    if (block > 0) {
      while (ready[block - 1] == 0) {
      }
      __threadfence();
      before = sum[block - 1];
    }
    sum[block] = before + in[block];
    __threadfence();
    ready[block] = 1;
  }
}

static void mirrors() {
  constexpr int blocks = 12, threads = 64, count = blocks * threads;
  int *a, *b, back[count], rounds = 5;
  EXPECT_OK(cudaMalloc(&a, sizeof back));
  EXPECT_OK(cudaMalloc(&b, sizeof back));
  for (int i = 0; i < count; ++i) back[i] = i;
  EXPECT_OK(cudaMemcpy(a, back, sizeof back, cudaMemcpyHostToDevice));
  void* arguments[] = {&a, &b, &rounds};
  EXPECT_OK(cudaLaunchCooperativeKernel((const void*)mirror, dim3(blocks), dim3(threads), arguments,
                                        0, nullptr));
  EXPECT_OK(cudaMemcpy(back, b, sizeof back, cudaMemcpyDeviceToHost));
  for (int i = 0; i < count; ++i) EXPECT(back[i] == count - 1 - i + rounds);
}

static void chains() {
  constexpr int blocks = 200;
  int *in, *sum, *ready, *next, values[blocks], back[blocks];
  EXPECT_OK(cudaMalloc(&in, sizeof values));
  EXPECT_OK(cudaMalloc(&sum, sizeof values));
  EXPECT_OK(cudaMalloc(&ready, sizeof values));
  EXPECT_OK(cudaMalloc(&next, sizeof(int)));
  EXPECT_OK(cudaMemset(ready, 0, sizeof values));
  EXPECT_OK(cudaMemset(next, 0, sizeof(int)));
  for (int i = 0; i < blocks; ++i) values[i] = i * i % 17;
  EXPECT_OK(cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice));
  look_back<<<blocks, 32>>>(in, sum, ready, next);
  EXPECT_OK(cudaMemcpy(back, sum, sizeof back, cudaMemcpyDeviceToHost));
  for (int i = 0, all = 0; i < blocks; ++i) EXPECT(back[i] == (all += values[i]));
}

int main() {
  mirrors();
  chains();
  int count = 0;
  EXPECT_OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&count, mirror, 64, 0));
  cudaDeviceProp device;
  EXPECT_OK(cudaGetDeviceProperties(&device, 0));
  int *none = nullptr, rounds = 0;
  void* arguments[] = {&none, &none, &rounds};
  EXPECT_CODE(
      cudaErrorCooperativeLaunchTooLarge,
      cudaLaunchCooperativeKernel((const void*)mirror, dim3(count * device.multiProcessorCount + 1),
                                  dim3(64), arguments, 0, nullptr));
  return failures != 0;
}
