// cuda::barrier and cuda::pipeline of a block: phases, drops, copies that arrive, and a pipeline whose
// producers are another warp than its consumers.
#include <cooperative_groups.h>

#include <cuda/barrier>
#include <cuda/pipeline>
#include <vector>

#include "tests/programs/expect.cuh"

namespace cg = cooperative_groups;
using block_barrier = cuda::barrier<cuda::thread_scope_block>;

#pragma nv_diag_suppress static_var_with_dynamic_init

// Neighbours exchange values round after round; the upper half leaves after round 3.
__global__ void rounds(int* out) {
  __shared__ block_barrier meeting;
  __shared__ int box[128];
  if (threadIdx.x == 0) init(&meeting, blockDim.x);
  __syncthreads();
  int value = int(threadIdx.x);
  for (int round = 0; round < 6; ++round) {
    box[threadIdx.x] = value;
    meeting.arrive_and_wait();
    if (round == 3 && threadIdx.x >= 64) {
      meeting.arrive_and_drop();
      out[threadIdx.x] = value;
      return;
    }
    const int next = box[(threadIdx.x + 1) % (round < 3 ? 128 : 64)];
    auto token = meeting.arrive();
    meeting.wait(std::move(token));
    value = next;
  }
  out[threadIdx.x] = value;
}

// Copies whose arrival the barrier counts.
__global__ void copied(const int* in, int* out) {
  __shared__ block_barrier arrived;
  __shared__ alignas(16) int tile[256];
  auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&arrived, block.size());
  block.sync();
  cuda::memcpy_async(block, tile, in, cuda::aligned_size_t<16>(sizeof tile), arrived);
  arrived.arrive_and_wait();
  out[threadIdx.x] = tile[255 - threadIdx.x];
}

// The first warp brings tiles, the other three add them up.
__global__ void specialised(const int* in, int* out, int tiles) {
  constexpr int stages = 2, width = 96;
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
  __shared__ int buffer[stages][width];
  auto block = cg::this_thread_block();
  const auto role =
      threadIdx.x < 32 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
  auto pipe = cuda::make_pipeline(block, &state, role);
  if (role == cuda::pipeline_role::producer) {
    for (int tile = 0; tile < tiles; ++tile) {
      pipe.producer_acquire();
      for (int i = int(threadIdx.x); i < width; i += 32)
        cuda::memcpy_async(&buffer[tile % stages][i], &in[tile * width + i], sizeof(int), pipe);
      pipe.producer_commit();
    }
  } else {
    int sum = 0;
    for (int tile = 0; tile < tiles; ++tile) {
      pipe.consumer_wait();
      sum += buffer[tile % stages][(threadIdx.x - 32 + 7) % width];
      pipe.consumer_release();
    }
    out[threadIdx.x - 32] = sum;
  }
}

int main() {
  int *in, *out;
  constexpr int tiles = 9;
  std::vector<int> values(tiles * 96), results(256);
  for (int i = 0; i < tiles * 96; ++i) values[i] = i * 37 % 1000;
  EXPECT_OK(cudaMalloc(&in, values.size() * sizeof(int)));
  EXPECT_OK(cudaMalloc(&out, 256 * sizeof(int)));
  EXPECT_OK(cudaMemcpy(in, values.data(), values.size() * sizeof(int), cudaMemcpyHostToDevice));

  rounds<<<1, 128>>>(out);
  EXPECT_OK(cudaMemcpy(results.data(), out, 128 * sizeof(int), cudaMemcpyDeviceToHost));
  for (int i = 0; i < 64; ++i) {
    int expected = i;  // three rounds among 64 after three among 128
    for (int round = 3; round < 6; ++round) expected = (expected + 1) % 64;
    EXPECT(results[i] == (expected + 3) % 128);
  }
  for (int i = 64; i < 128; ++i) EXPECT(results[i] == (i + 3) % 128);

  copied<<<1, 256>>>(in, out);
  EXPECT_OK(cudaMemcpy(results.data(), out, 256 * sizeof(int), cudaMemcpyDeviceToHost));
  for (int i = 0; i < 256; ++i) EXPECT(results[i] == values[255 - i]);

  specialised<<<1, 128>>>(in, out, tiles);
  EXPECT_OK(cudaMemcpy(results.data(), out, 96 * sizeof(int), cudaMemcpyDeviceToHost));
  for (int i = 0; i < 96; ++i) {
    int expected = 0;
    for (int t = 0; t < tiles; ++t) expected += values[t * 96 + (i + 7) % 96];
    EXPECT(results[i] == expected);
  }
  return failures != 0;
}
