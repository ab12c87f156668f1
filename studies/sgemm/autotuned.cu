// rung    autotuned
// idea    the sizes of the tiles are numbers: they are chosen by measuring
// expect  shared_load_wavefronts / 1 against double_buffering: an H200 likes the sizes so far best
// next    warp_tile: which lanes read what together is a choice too
//
// The kernel of double_buffering as a template over rows, columns and depth of a tile and the
// results of a thread, in a LaunchBox: the code's own row decides, when it is compiled and when it
// is launched. The rows of sm_80 and sm_86 are what the worklog found best on an A100 and an RTX
// A6000. Of those timed on an H200 at 4096 the best are the sizes that the rungs before began with:
// steps of 16, larger and smaller tiles were slower. On that GPU the rung gains nothing: it only
// shows that the sizes were right.
#include <headroom/launch_box.cuh>

#include "studies/sgemm/tile.h"

namespace sgemm {

template <int architecture, int block_rows, int block_columns, int block_depth,
          int rows_of_a_thread, int columns_of_a_thread, int blocks>
struct TileSizes
    : headroom::Row<architecture,
                    block_rows / rows_of_a_thread*(block_columns / columns_of_a_thread),
                    rows_of_a_thread * columns_of_a_thread, blocks> {
  static constexpr int rows = block_rows, columns = block_columns, depth = block_depth;
  static constexpr int thread_rows = rows_of_a_thread, thread_columns = columns_of_a_thread;
  static constexpr int across = columns / thread_columns;
  static constexpr int fours_of_a = rows * depth / 4 / TileSizes::NT;
  static constexpr int fours_of_b = depth * columns / 4 / TileSizes::NT;
  static_assert(fours_of_a * TileSizes::NT * 4 == rows * depth &&
                    fours_of_b * TileSizes::NT * 4 == depth * columns,
                "every thread loads as many fours");
  static constexpr int gap = 4;
  static constexpr __device__ int place(int four) { return four + four / 8; }
};

using Tiles =
    headroom::LaunchBox<TileSizes<80, 64, 64, 16, 4, 4, 4>,    // published for an A100
                        TileSizes<86, 128, 128, 16, 8, 8, 1>,  // published for an RTX A6000
                        TileSizes<90, 128, 128, 8, 8, 8, 2>>;  // measured on an H200

template <typename Tuning, bool aligned>
static __global__ __launch_bounds__(Tuning::here::NT,
                                    Tuning::here::OCC) void autotuned_kernel(Problem p) {
  using Sizes = typename Tuning::here;
  constexpr int depth = Sizes::depth, threads = Sizes::NT;
  __shared__ __align__(16) float a[2][depth][Sizes::rows + Sizes::gap];
  __shared__ float4 b[2][depth][Sizes::place(Sizes::columns / 4)];
  const int block_row = blockIdx.y * Sizes::rows, block_column = blockIdx.x * Sizes::columns;
  const int thread_row = threadIdx.x / Sizes::across * Sizes::thread_rows;
  const int thread_column = threadIdx.x % Sizes::across * Sizes::thread_columns;
  float4 of_a[Sizes::fours_of_a], of_b[Sizes::fours_of_b];
  const auto load = [&](int first) {
#pragma unroll
    for (int i = 0; i < Sizes::fours_of_a; ++i) {
      const int four = threadIdx.x + i * threads;
      of_a[i] = load_four<aligned>(p.a, block_row + four / (depth / 4),
                                   first + four % (depth / 4) * 4, p.m, p.k);
    }
#pragma unroll
    for (int i = 0; i < Sizes::fours_of_b; ++i) {
      const int four = threadIdx.x + i * threads;
      of_b[i] = load_four<aligned>(p.b, first + four / (Sizes::columns / 4),
                                   block_column + four % (Sizes::columns / 4) * 4, p.k, p.n);
    }
  };
  const auto store = [&](int buffer) {
#pragma unroll
    for (int i = 0; i < Sizes::fours_of_a; ++i) {
      const int four = threadIdx.x + i * threads;
      const int row = four / (depth / 4), column = four % (depth / 4) * 4;
      a[buffer][column + 0][row] = of_a[i].x;
      a[buffer][column + 1][row] = of_a[i].y;
      a[buffer][column + 2][row] = of_a[i].z;
      a[buffer][column + 3][row] = of_a[i].w;
    }
#pragma unroll
    for (int i = 0; i < Sizes::fours_of_b; ++i) {
      const int four = threadIdx.x + i * threads;
      b[buffer][four / (Sizes::columns / 4)][Sizes::place(four % (Sizes::columns / 4))] = of_b[i];
    }
  };
  float accumulators[Sizes::thread_rows][Sizes::thread_columns] = {};
  load(0);
  store(0);
  __syncthreads();
  for (int first = 0, buffer = 0; first < p.k; first += depth, buffer ^= 1) {
    load(first + depth);  // zeros after the last
#pragma unroll
    for (int k = 0; k < depth; ++k) {
      float a_values[Sizes::thread_rows], b_values[Sizes::thread_columns];
#pragma unroll
      for (int i = 0; i < Sizes::thread_rows; i += 4) {
        thread_take_four(&a_values[i], four_at(&a[buffer][k][thread_row + i]));
      }
#pragma unroll
      for (int j = 0; j < Sizes::thread_columns; j += 4) {
        thread_take_four(&b_values[j], b[buffer][k][Sizes::place((thread_column + j) / 4)]);
      }
      thread_add_product(accumulators, a_values, b_values);
    }
    store(buffer ^ 1);
    __syncthreads();
  }
  thread_store_tile<aligned>(p, block_row + thread_row, block_column + thread_column, accumulators);
}

const Rung autotuned{"autotuned", [](const Problem& p) {
                       const auto kernel = fours_are_aligned(p) ? autotuned_kernel<Tiles, true>
                                                                : autotuned_kernel<Tiles, false>;
                       headroom::at_row<Tiles>(kernel, [&](auto row) {
                         const dim3 grid(blocks_over(p.n, row.columns), blocks_over(p.m, row.rows));
                         kernel<<<grid, row.NT>>>(p);
                       });
                     }};

}  // namespace sgemm
