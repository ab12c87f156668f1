// rung    tile_2d
// idea    a thread computes 8 x 8 results: 16 values, once read, serve 64 FMAs
// expect  shared_load_instructions / 2.4, global_load_sectors / 2 against tile_1d
// next    vectorised: four neighbours with every load, from global and from shared memory
//
// The tile of C grows to 128 x 128 for 256 threads, and a thread has 8 rows and 8 columns of it.
// Per step of k it reads 8 values of A and 8 of B into registers and forms all their products. The
// lanes' columns are 8 apart, so that single loads of B collide in the banks. ptxas merges the
// eight of B, which are neighbours, into two loads of 16 bytes; those of A lie a row apart and stay
// eight. Loads from global memory still carry four bytes each.
#include "studies/sgemm/tile.h"

namespace sgemm {

constexpr int rows = 128, columns = 128, depth = 8, side = 8;
constexpr int threads = rows / side * (columns / side);

static __global__ __launch_bounds__(threads) void tile_2d_kernel(Problem p) {
  __shared__ float a[rows][depth], b[depth][columns];
  const int block_row = blockIdx.y * rows, block_column = blockIdx.x * columns;
  const int thread_row = threadIdx.x / (columns / side) * side;
  const int thread_column = threadIdx.x % (columns / side) * side;
  float accumulators[side][side] = {};
  for (int first = 0; first < p.k; first += depth) {
    for (int i = 0; i < rows * depth; i += threads) {
      const int row = (i + threadIdx.x) / depth, k = threadIdx.x % depth;
      a[row][k] = load_or_zero(p.a, block_row + row, first + k, p.m, p.k);
    }
    for (int i = 0; i < depth * columns; i += threads) {
      const int k = (i + threadIdx.x) / columns, column = threadIdx.x % columns;
      b[k][column] = load_or_zero(p.b, first + k, block_column + column, p.k, p.n);
    }
    __syncthreads();
    for (int k = 0; k < depth; ++k) {
      float a_values[side], b_values[side];
      for (int i = 0; i < side; ++i) a_values[i] = a[thread_row + i][k];
      for (int j = 0; j < side; ++j) b_values[j] = b[k][thread_column + j];
      thread_add_product(accumulators, a_values, b_values);
    }
    __syncthreads();
  }
  for (int i = 0; i < side; ++i) {
    for (int j = 0; j < side; ++j) {
      const int row = block_row + thread_row + i, column = block_column + thread_column + j;
      if (row < p.m && column < p.n) thread_store(p, row, column, accumulators[i][j]);
    }
  }
}

const Rung tile_2d{"tile_2d", [](const Problem& p) {
                     const dim3 grid(blocks_over(p.n, columns), blocks_over(p.m, rows));
                     tile_2d_kernel<<<grid, threads>>>(p);
                   }};

}  // namespace sgemm
