// rung    vectorised
// idea    16-byte accesses: A is transposed in shared memory, so that it is read by fours too
// expect  shared_load_instructions / 2.5, global_load_requests / 4 against tile_2d
// next    bank_conflicts_linearised: the lanes' fours of B collide in the banks
//
// Every thread now loads one four of A and one of B with a single instruction each, and writes the
// four of A down a column of the tile, so that the values a thread needs for one k lie side by
// side: two loads of 16 bytes for A where there were eight of four. For B only PTX changes: ptxas
// had merged those loads before. The unrolled loop lets ptxas read the values for the next k while
// it multiplies. Sizes whose rows do not begin at multiples of 16 bytes have a kernel of their own
// that loads the fours element by element.
#include "studies/sgemm/tile.h"

namespace sgemm {

constexpr int rows = 128, columns = 128, depth = 8, side = 8;
constexpr int threads = rows / side * (columns / side);
static_assert(threads * 4 == rows * depth && threads * 4 == depth * columns,
              "each loads a four of A and one of B");

template <bool aligned>
static __global__ __launch_bounds__(threads) void vectorised_kernel(Problem p) {
  __shared__ __align__(16) float a[depth][rows], b[depth][columns];
  const int block_row = blockIdx.y * rows, block_column = blockIdx.x * columns;
  const int thread_row = threadIdx.x / (columns / side) * side;
  const int thread_column = threadIdx.x % (columns / side) * side;
  const int a_row = threadIdx.x / (depth / 4), a_column = threadIdx.x % (depth / 4) * 4;
  const int b_row = threadIdx.x / (columns / 4), b_column = threadIdx.x % (columns / 4) * 4;
  float accumulators[side][side] = {};
  for (int first = 0; first < p.k; first += depth) {
    const float4 of_a = load_four<aligned>(p.a, block_row + a_row, first + a_column, p.m, p.k);
    a[a_column + 0][a_row] = of_a.x;
    a[a_column + 1][a_row] = of_a.y;
    a[a_column + 2][a_row] = of_a.z;
    a[a_column + 3][a_row] = of_a.w;
    four_at(&b[b_row][b_column]) =
        load_four<aligned>(p.b, first + b_row, block_column + b_column, p.k, p.n);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < depth; ++k) {
      float a_values[side], b_values[side];
      for (int i = 0; i < side; i += 4)
        thread_take_four(&a_values[i], four_at(&a[k][thread_row + i]));
      for (int j = 0; j < side; j += 4)
        thread_take_four(&b_values[j], four_at(&b[k][thread_column + j]));
      thread_add_product(accumulators, a_values, b_values);
    }
    __syncthreads();
  }
  thread_store_tile<aligned>(p, block_row + thread_row, block_column + thread_column, accumulators);
}

const Rung vectorised{"vectorised", [](const Problem& p) {
                        const dim3 grid(blocks_over(p.n, columns), blocks_over(p.m, rows));
                        const auto kernel = fours_are_aligned(p) ? vectorised_kernel<true>
                                                                 : vectorised_kernel<false>;
                        kernel<<<grid, threads>>>(p);
                      }};

}  // namespace sgemm
