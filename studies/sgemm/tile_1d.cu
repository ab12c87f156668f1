// rung    tile_1d
// idea    a thread computes 8 results below each other: a value of B, once read, serves 8 FMAs
// expect  shared_load_wavefronts / 2.4, global_load_sectors / 2 against shared_tile
// next    tile_2d: results in both directions, so that values of A serve several FMAs too
//
// The block's tile of C is 64 x 64 for 512 threads; the steps of k are 8 long, so that each thread
// still loads one element of A and one of B. A pass over k reads one value of B into a register and
// multiplies it with 8 of A: the eight accumulators are eight independent chains of FMAs as well.
// ptxas merges the 72 shared loads of a step to 24: four values of A, which lie along k, become one
// load. It does so in shared_tile too.
#include "studies/sgemm/tile.h"

namespace sgemm {

constexpr int rows = 64, columns = 64, depth = 8, results = 8;
constexpr int threads = rows / results * columns;
static_assert(threads == rows * depth && threads == depth * columns,
              "each loads one of A and of B");

static __global__ __launch_bounds__(threads) void tile_1d_kernel(Problem p) {
  __shared__ float a[rows][depth], b[depth][columns];
  const int block_row = blockIdx.y * rows, block_column = blockIdx.x * columns;
  const int thread_row = threadIdx.x / columns * results, thread_column = threadIdx.x % columns;
  const int a_row = threadIdx.x / depth, a_column = threadIdx.x % depth;
  const int b_row = threadIdx.x / columns, b_column = threadIdx.x % columns;
  float accumulators[results] = {};
  for (int first = 0; first < p.k; first += depth) {
    a[a_row][a_column] = load_or_zero(p.a, block_row + a_row, first + a_column, p.m, p.k);
    b[b_row][b_column] = load_or_zero(p.b, first + b_row, block_column + b_column, p.k, p.n);
    __syncthreads();
    for (int k = 0; k < depth; ++k) {
      const float b_value = b[k][thread_column];
      for (int i = 0; i < results; ++i) accumulators[i] += a[thread_row + i][k] * b_value;
    }
    __syncthreads();
  }
  const int column = block_column + thread_column;
  for (int i = 0; i < results; ++i) {
    const int row = block_row + thread_row + i;
    if (row < p.m && column < p.n) thread_store(p, row, column, accumulators[i]);
  }
}

const Rung tile_1d{"tile_1d", [](const Problem& p) {
                     const dim3 grid(blocks_over(p.n, columns), blocks_over(p.m, rows));
                     tile_1d_kernel<<<grid, threads>>>(p);
                   }};

}  // namespace sgemm
