// rung    few_threads
// idea    twice the results a thread and half the threads: fewer reads of shared memory
// expect  shared_load_wavefronts / 1.33, barriers / 2 against warp_tile
// next    asynchronous: copies that need no registers on their way to shared memory
//
// Volkov's lesson: the same tile of C for 128 threads instead of 256, with 16 x 8 results each.
// Eight warps on an SM are an eighth of what fits, and they are enough: a thread has 128
// independent accumulators, and what it reads for them, 24 values for 128 FMAs instead of 16 for 64, is
// less. It takes over 200 registers, which only so few threads can have. The next tiles are stored
// before the last two steps of k, so that FMAs hide that; with 8 x 8 results a thread that costs
// more than it hides.
#include "studies/sgemm/warp_tiles.h"

namespace sgemm {

using Sizes = WarpTiles<128, 128, 8, 32, 128, 16, 8, 2, 5>;

template <bool aligned>
static __global__ __launch_bounds__(Sizes::threads,
                                    Sizes::blocks) void few_threads_kernel(Problem p) {
  block_multiply<Sizes, aligned>(p);
}

const Rung few_threads{
    "few_threads", [](const Problem& p) {
      const dim3 grid(blocks_over(p.n, Sizes::columns), blocks_over(p.m, Sizes::rows));
      const auto kernel =
          fours_are_aligned(p) ? few_threads_kernel<true> : few_threads_kernel<false>;
      kernel<<<grid, Sizes::threads>>>(p);
    }};

}  // namespace sgemm
