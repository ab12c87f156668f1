// rung    shared_tile
// idea    a block keeps tiles of 32 x 32 in shared memory: every element read serves 32 threads
// expect  global_load_sectors / 20 against coalesced; two shared loads per FMA are the new limit
// next    several results per thread, so that a value from shared memory serves more FMAs
//
// The sum is cut into steps of 32. In each the block first copies a tile of A and a tile of B to
// shared memory, each thread an element of both, waits, and then multiplies the tiles; a second
// barrier keeps fast warps from overwriting what slow ones still read. An element comes from global
// memory once per block instead of once per warp. In exchange there are two shared loads per FMA in
// PTX. The loop is unrolled, and ptxas merges the loads of four neighbours of A's row into one:
// machine code has 40 loads for 32 FMAs, not 64.
#include "studies/sgemm/sgemm.h"

namespace sgemm {

constexpr int tile = 32;

static __global__ void shared_tile_kernel(Problem p) {
  __shared__ float a[tile][tile], b[tile][tile];
  const int row = blockIdx.y * tile + threadIdx.y;
  const int column = blockIdx.x * tile + threadIdx.x;
  float sum = 0;
  for (int first = 0; first < p.k; first += tile) {
    // Outside the matrices the tiles hold zeros, which add nothing.
    const int a_column = first + threadIdx.x, b_row = first + threadIdx.y;
    a[threadIdx.y][threadIdx.x] =
        row < p.m && a_column < p.k ? p.a[int64_t(row) * p.k + a_column] : 0;
    b[threadIdx.y][threadIdx.x] =
        b_row < p.k && column < p.n ? p.b[int64_t(b_row) * p.n + column] : 0;
    __syncthreads();
    for (int k = 0; k < tile; ++k) sum += a[threadIdx.y][k] * b[k][threadIdx.x];
    __syncthreads();
  }
  if (row < p.m && column < p.n) thread_store(p, row, column, sum);
}

const Rung shared_tile{"shared_tile", [](const Problem& p) {
                         const dim3 block(tile, tile),
                             grid(blocks_over(p.n, tile), blocks_over(p.m, tile));
                         shared_tile_kernel<<<grid, block>>>(p);
                       }};

}  // namespace sgemm
