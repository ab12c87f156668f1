// rung    bank_conflicts_linearised
// idea    what lanes read of B together lies together: no two fours in the same banks
// expect  shared_load_wavefronts / 1.67 against vectorised, shared_load_conflicts = 0
// next    bank_conflicts_padded: gaps instead of another order, and the stores collide no more
//
// Before, lanes read fours of B that lie 32 bytes apart: eight lanes, which pass together, found
// two fours in each bank. Now the first fours of all threads lie together, then the second ones. It
// costs nothing but another index. The loading thread writes its four to the place where it will be
// read, and neighbours among these threads now write to different halves: those stores take more
// passes; there is one for sixteen loads.
#include "studies/sgemm/tile.h"

namespace sgemm {

constexpr int rows = 128, columns = 128, depth = 8, side = 8;
constexpr int threads = rows / side * (columns / side);
static_assert(threads * 4 == rows * depth && threads * 4 == depth * columns,
              "each loads a four of A and one of B");

template <bool aligned>
static __global__ __launch_bounds__(threads) void bank_conflicts_linearised_kernel(Problem p) {
  __shared__ __align__(16) float a[depth][rows];
  __shared__ float4 b[depth][side / 4][columns / side];
  const int block_row = blockIdx.y * rows, block_column = blockIdx.x * columns;
  const int thread_row = threadIdx.x / (columns / side) * side;
  const int across = threadIdx.x % (columns / side), thread_column = across * side;
  const int a_row = threadIdx.x / (depth / 4), a_column = threadIdx.x % (depth / 4) * 4;
  const int b_row = threadIdx.x / (columns / 4), b_four = threadIdx.x % (columns / 4);
  float accumulators[side][side] = {};
  for (int first = 0; first < p.k; first += depth) {
    const float4 of_a = load_four<aligned>(p.a, block_row + a_row, first + a_column, p.m, p.k);
    a[a_column + 0][a_row] = of_a.x;
    a[a_column + 1][a_row] = of_a.y;
    a[a_column + 2][a_row] = of_a.z;
    a[a_column + 3][a_row] = of_a.w;
    b[b_row][b_four % (side / 4)][b_four / (side / 4)] =
        load_four<aligned>(p.b, first + b_row, block_column + b_four * 4, p.k, p.n);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < depth; ++k) {
      float a_values[side], b_values[side];
      for (int i = 0; i < side; i += 4)
        thread_take_four(&a_values[i], four_at(&a[k][thread_row + i]));
      for (int j = 0; j < side; j += 4) thread_take_four(&b_values[j], b[k][j / 4][across]);
      thread_add_product(accumulators, a_values, b_values);
    }
    __syncthreads();
  }
  thread_store_tile<aligned>(p, block_row + thread_row, block_column + thread_column, accumulators);
}

const Rung bank_conflicts_linearised{
    "bank_conflicts_linearised", [](const Problem& p) {
      const dim3 grid(blocks_over(p.n, columns), blocks_over(p.m, rows));
      const auto kernel = fours_are_aligned(p) ? bank_conflicts_linearised_kernel<true>
                                               : bank_conflicts_linearised_kernel<false>;
      kernel<<<grid, threads>>>(p);
    }};

}  // namespace sgemm
