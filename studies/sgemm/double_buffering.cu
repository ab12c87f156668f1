// rung    double_buffering
// idea    the next tiles travel to registers, then to a second buffer, while these are multiplied
// expect  barriers / 1.94, shared_load_wavefronts / 1 against bank_conflicts_padded
// next    autotuned: the sizes of tiles are numbers, to be chosen by measuring
//
// Loads of the next tiles are issued before the products of this one, and their values are stored
// after them: the latency of global memory lies behind 512 FMAs of each thread. They go to the
// other of two buffers, so that no warp has to wait until the rest has read the old one: a barrier
// a step remains. The kernel needs registers for eight more values. Without the second number of
// its launch bounds ptxas takes more than 128, one block fits an SM instead of two, and on an H200
// the whole gain is lost.
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
static __global__ __launch_bounds__(threads, 2) void double_buffering_kernel(Problem p) {
  __shared__ __align__(16) float a[2][depth][rows + gap];
  __shared__ float4 b[2][depth][place(columns / 4)];
  const int block_row = blockIdx.y * rows, block_column = blockIdx.x * columns;
  const int thread_row = threadIdx.x / (columns / side) * side;
  const int thread_column = threadIdx.x % (columns / side) * side;
  const int a_row = threadIdx.x / (depth / 4), a_column = threadIdx.x % (depth / 4) * 4;
  const int b_row = threadIdx.x / (columns / 4), b_four = threadIdx.x % (columns / 4);
  float4 of_a, of_b;
  const auto load = [&](int first) {
    of_a = load_four<aligned>(p.a, block_row + a_row, first + a_column, p.m, p.k);
    of_b = load_four<aligned>(p.b, first + b_row, block_column + b_four * 4, p.k, p.n);
  };
  const auto store = [&](int buffer) {
    a[buffer][a_column + 0][a_row] = of_a.x;
    a[buffer][a_column + 1][a_row] = of_a.y;
    a[buffer][a_column + 2][a_row] = of_a.z;
    a[buffer][a_column + 3][a_row] = of_a.w;
    b[buffer][b_row][place(b_four)] = of_b;
  };
  float accumulators[side][side] = {};
  load(0);
  store(0);
  __syncthreads();
  for (int first = 0, buffer = 0; first < p.k; first += depth, buffer ^= 1) {
    load(first + depth);  // zeros after the last
#pragma unroll
    for (int k = 0; k < depth; ++k) {
      float a_values[side], b_values[side];
      for (int i = 0; i < side; i += 4) {
        thread_take_four(&a_values[i], four_at(&a[buffer][k][thread_row + i]));
      }
      for (int j = 0; j < side; j += 4) {
        thread_take_four(&b_values[j], b[buffer][k][place((thread_column + j) / 4)]);
      }
      thread_add_product(accumulators, a_values, b_values);
    }
    store(buffer ^ 1);
    __syncthreads();
  }
  thread_store_tile<aligned>(p, block_row + thread_row, block_column + thread_column, accumulators);
}

const Rung double_buffering{"double_buffering", [](const Problem& p) {
                              const dim3 grid(blocks_over(p.n, columns), blocks_over(p.m, rows));
                              const auto kernel = fours_are_aligned(p)
                                                      ? double_buffering_kernel<true>
                                                      : double_buffering_kernel<false>;
                              kernel<<<grid, threads>>>(p);
                            }};

}  // namespace sgemm
