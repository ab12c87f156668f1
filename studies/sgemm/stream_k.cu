// rung    stream_k
// idea    the tiles that would fill a wave only in part are cut along k: every SM ends at the same time
// expect  fp32_instructions / 1, global_store_sectors / 0.5 against register_banks: two tiles are four halves
// next    any_shape: where a side or k is short, other tiles and cuts are faster
//
// One block an SM stays and takes tile after tile. At 4096 there are 512 tiles for 132 SMs: a fourth
// wave of 116 would take as long as a full one, and cost 3 %. So the last wave and what remains of
// it are one line of steps, cut into equal shares. The block with the head of a tile stores its
// partials in memory; the block with the tail adds them, in a fixed order, so that the result is always
// the same bits.
// A product with few tiles, 32 at 1024, is cut altogether. The loop is that of register_banks; in
// this kernel 78 of 1024 FMAs take two cycles, and the issue of instructions allows 84 % of the peak.
// Measured on an H200: 81 % at 4096, and 1.04 to 1.07 times cuBLAS of CUDA 13 at 1024, 2048, 4096
// and 8192, in one run with it. It loses where rows are no multiple of 16 bytes, which it copies by
// fours of bytes, and where there are few rows.
#include <algorithm>
#include <cuda/atomic>

#include "studies/sgemm/any_shape.h"
#include "studies/sgemm/register_banks.h"

namespace sgemm {

// A unit of work: steps [from, to) of a tile.
struct WorkUnit {
  int tile, from, to;
};

// What a block does. Most tiles are taken whole, a wave at a time. The steps of the others, less than
// two waves, are one line that the blocks share evenly: a share begins within a tile, whose end makes
// this block the one that stores it, and ends within one that a later block stores. This head of a
// tile comes first, so that who waits for it does not wait long; the blocks before come before.
class Schedule {
 public:
  __device__ explicit Schedule(const Problem& p)
      : tile_(blockIdx.x), end_(begin_of(p, blockIdx.x + 1)) {}

  // Where on the line a block's share begins.
  __device__ static int64_t begin_of(const Problem& p, int block) {
    return int64_t(tiles_of(p) - whole_of(p)) * steps_of(p) * block / gridDim.x;
  }

  __device__ bool next(const Problem& p, WorkUnit& unit) {
    const int steps = steps_of(p), whole = whole_of(p);
    const int64_t begin = begin_of(p, blockIdx.x);
    const bool head_is_left = end_ > begin && end_ % steps != 0;
    if (!head_is_left && tile_ < whole) {
      unit = {tile_, 0, steps};
      tile_ += gridDim.x;
      return true;
    }
    if (end_ == begin) return false;
    const int64_t tile = (end_ - 1) / steps, from = max(begin, tile * steps);
    unit = {whole + int(tile), int(from - tile * steps), int(end_ - tile * steps)};
    end_ = from;
    return true;
  }

 private:
  __device__ static int tiles_of(const Problem& p) {
    return blocks_over(p.n, wide_columns) * blocks_over(p.m, wide_rows);
  }
  __device__ static int whole_of(const Problem& p) {
    const int tiles = tiles_of(p), waves = tiles / gridDim.x;
    return tiles % gridDim.x == 0 ? tiles : max(waves - 1, 0) * int(gridDim.x);
  }

  int tile_;     // the next of those that are taken whole
  int64_t end_;  // of what is left of the share
};

// The workspace: the partials that each block leaves to another, then a semaphore for each, 0 before a
// launch and after it.
constexpr int fours = 32;  // of a thread's accumulators
static size_t workspace_bytes(int blocks) {
  return blocks * (fours * wide_threads * sizeof(float4) + sizeof(int));
}

template <bool aligned, typename AnyProblem>
static __device__ __forceinline__ void block_stream_k(const AnyProblem& p) {
  extern __shared__ Stage ring[];
  const int steps = steps_of(p), across = blocks_over(p.n, wide_columns);
  Schedule schedule(p);
  float4* const partials = static_cast<float4*>(p.workspace);
  int* const semaphores =
      reinterpret_cast<int*>(partials + int64_t(gridDim.x) * fours * wide_threads);
  for (WorkUnit unit; schedule.next(p, unit);) {
    const int block_row = unit.tile / across * wide_rows,
              block_column = unit.tile % across * wide_columns;
    Feed<aligned> feed(p, block_row, block_column, unit.from, ring);
    float accumulators[8][16] = {};
    block_add_product(accumulators, feed, ring, unit.to - unit.from, Serpentine{});
    if (unit.to < steps) {
      float4* mine = partials + int64_t(blockIdx.x) * fours * wide_threads + threadIdx.x;
#pragma unroll
      for (int i = 0; i < fours; ++i)
        __stcg(mine + i * wide_threads, swapped_four(accumulators, i % 2 * 4, i / 2));
      __threadfence();
      __syncthreads();
      if (threadIdx.x == 0) {
        cuda::atomic_ref<int, cuda::thread_scope_device>(semaphores[blockIdx.x])
            .store(1, cuda::memory_order_release);
      }
      continue;
    }
    // Always in the same order, so that the result is always the same.
    int64_t from = unit.from;
    for (int other = blockIdx.x - 1; from > 0; --other) {
      if (threadIdx.x == 0) {
        cuda::atomic_ref<int, cuda::thread_scope_device> flag(semaphores[other]);
        while (flag.load(cuda::memory_order_acquire) == 0) {
        }
        flag.store(0, cuda::memory_order_relaxed);  // as the next launch must find it
      }
      __syncthreads();
      const float4* theirs = partials + int64_t(other) * fours * wide_threads + threadIdx.x;
#pragma unroll
      for (int i = 0; i < fours; ++i) {
        const float4 four = __ldcg(theirs + i * wide_threads);
        float(*rows)[16] = &accumulators[i % 2 * 4];
        rows[1][i / 2] += four.x, rows[0][i / 2] += four.y, rows[3][i / 2] += four.z,
            rows[2][i / 2] += four.w;
      }
      from -= Schedule::begin_of(p, other + 1) - Schedule::begin_of(p, other);
    }
    thread_store_swapped<aligned>(p, block_row, block_column, accumulators,
                                  reinterpret_cast<float4*>(ring));
    __syncthreads();
  }
}

template <bool aligned>
static __global__ __launch_bounds__(wide_threads, 1) void stream_k_kernel(Problem p) {
  block_stream_k<aligned>(p);
}

// Of matrices with any distance between their rows.
template <bool aligned>
static __global__ __launch_bounds__(wide_threads, 1) void strided_stream_k_kernel(Product p) {
  block_stream_k<aligned>(p);
}

// One an SM, but none for less than 16 steps, which are sooner done than added.
static int blocks_for(const Problem& p) {
  constexpr int least = 16;
  int device, sms;
  CHECK(cudaGetDevice(&device));
  CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device));
  const int64_t tiles = int64_t(blocks_over(p.n, wide_columns)) * blocks_over(p.m, wide_rows);
  return int(std::min<int64_t>(sms, (tiles * steps_of(p) - 1) / least + 1));
}

const Rung stream_k{"stream_k",
                    [](const Problem& p) {
                      launch_on_ring(
                          fours_are_aligned(p) ? stream_k_kernel<true> : stream_k_kernel<false>,
                          blocks_for(p), p);
                    },
                    [](const Problem& p) { return workspace_bytes(blocks_for(p)); }};

void launch_stream_k(const Product& p, bool fours_of_b) {
  launch_on_ring(fours_of_b ? strided_stream_k_kernel<true> : strided_stream_k_kernel<false>,
                 blocks_for(p), p);
}
size_t workspace_of_stream_k(const Problem& p) { return workspace_bytes(blocks_for(p)); }

}  // namespace sgemm
