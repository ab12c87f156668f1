// rung    warp_tile
// idea    a warp owns a tile, and its lanes lie in it so that neighbours share what they read
// expect  shared_load_wavefronts / 1.5 against double_buffering, shared_load_conflicts = 0
// next    few_threads: twice the results a thread, half the threads
//
// Before, a warp was two rows of 16 threads: it read 2 fours of A and 16 of B at a time. Now it
// owns 32 x 64 results with its lanes in 4 rows and 8 columns. Loads of 16 bytes take four passes,
// and two of them become one where lanes i and i ^ 1, or i and i ^ 2, have the same address: so the
// bits of a lane's number go to its row and its column in turn. The fours of a thread lie as far
// apart as the lanes of the warp are wide, so that a pass reads 128 bytes in a row, and B needs no
// gaps.
#include "studies/sgemm/warp_tiles.h"

namespace sgemm {

using Sizes = WarpTiles<128, 128, 8, 32, 64, 8, 8, 2, 7>;

template <bool aligned>
static __global__ __launch_bounds__(Sizes::threads,
                                    Sizes::blocks) void warp_tile_kernel(Problem p) {
  block_multiply<Sizes, aligned>(p);
}

const Rung warp_tile{
    "warp_tile", [](const Problem& p) {
      const dim3 grid(blocks_over(p.n, Sizes::columns), blocks_over(p.m, Sizes::rows));
      const auto kernel = fours_are_aligned(p) ? warp_tile_kernel<true> : warp_tile_kernel<false>;
      kernel<<<grid, Sizes::threads>>>(p);
    }};

}  // namespace sgemm
