// rung    bank_conflicts_padded
// idea    a gap of one four after every eighth turns the same places to other banks
// expect  shared_load_conflicts = 0, shared_store_conflicts = 0; loads are as in the rung before
// next    double_buffering: load the next tiles while these are multiplied
//
// The order of vectorised comes back; after every eight fours of B there is room for one more, so
// that fours that are eight apart begin four banks further. A row of the transposed A is one four
// longer too: the values that a thread writes into it, down a column, then go to different banks
// than its neighbour's. No access to shared memory takes more passes than its width needs.
#include "studies/sgemm/tile.h"

namespace sgemm {

constexpr int rows = 128, columns = 128, depth = 8, side = 8;
constexpr int threads = rows / side * (columns / side);
constexpr int gap = 4;  // values after every row of A
// Where a four of B lies: every eighth is followed by a gap.
constexpr __device__ int place(int four) { return four + four / 8; }
static_assert(threads * 4 == rows * depth && threads * 4 == depth * columns,
              "each loads a four of A and one of B");

template <bool aligned>
static __global__ __launch_bounds__(threads) void bank_conflicts_padded_kernel(Problem p) {
  __shared__ __align__(16) float a[depth][rows + gap];
  __shared__ float4 b[depth][place(columns / 4)];
  const int block_row = blockIdx.y * rows, block_column = blockIdx.x * columns;
  const int thread_row = threadIdx.x / (columns / side) * side;
  const int thread_column = threadIdx.x % (columns / side) * side;
  const int a_row = threadIdx.x / (depth / 4), a_column = threadIdx.x % (depth / 4) * 4;
  const int b_row = threadIdx.x / (columns / 4), b_four = threadIdx.x % (columns / 4);
  float accumulators[side][side] = {};
  for (int first = 0; first < p.k; first += depth) {
    const float4 of_a = load_four<aligned>(p.a, block_row + a_row, first + a_column, p.m, p.k);
    a[a_column + 0][a_row] = of_a.x;
    a[a_column + 1][a_row] = of_a.y;
    a[a_column + 2][a_row] = of_a.z;
    a[a_column + 3][a_row] = of_a.w;
    b[b_row][place(b_four)] =
        load_four<aligned>(p.b, first + b_row, block_column + b_four * 4, p.k, p.n);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < depth; ++k) {
      float a_values[side], b_values[side];
      for (int i = 0; i < side; i += 4)
        thread_take_four(&a_values[i], four_at(&a[k][thread_row + i]));
      for (int j = 0; j < side; j += 4)
        thread_take_four(&b_values[j], b[k][place((thread_column + j) / 4)]);
      thread_add_product(accumulators, a_values, b_values);
    }
    __syncthreads();
  }
  thread_store_tile<aligned>(p, block_row + thread_row, block_column + thread_column, accumulators);
}

const Rung bank_conflicts_padded{
    "bank_conflicts_padded", [](const Problem& p) {
      const dim3 grid(blocks_over(p.n, columns), blocks_over(p.m, rows));
      const auto kernel = fours_are_aligned(p) ? bank_conflicts_padded_kernel<true>
                                               : bank_conflicts_padded_kernel<false>;
      kernel<<<grid, threads>>>(p);
    }};

}  // namespace sgemm
