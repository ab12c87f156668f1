// The product of a block whose warps own tiles: each lane has fours of rows times fours of columns of its
// warp's tile. Two buffers in shared memory, as in double_buffering.
//
//   using Sizes = WarpTiles<128, 128, 8,      // of a block
//                           32, 64, 8, 8,     // of a warp, of a thread
//                           2, 7>;            // blocks on an SM; the step that stores the next tiles
//   block_multiply<Sizes, true>(p);
#pragma once
#include "studies/sgemm/tile.h"

namespace sgemm {

template <int block_rows, int block_columns, int block_depth, int rows_of_a_warp,
          int columns_of_a_warp, int rows_of_a_thread, int columns_of_a_thread, int min_blocks,
          int storing_step>
struct WarpTiles {
  static constexpr int rows = block_rows, columns = block_columns, depth = block_depth;
  static constexpr int warp_rows = rows_of_a_warp, warp_columns = columns_of_a_warp;
  static constexpr int thread_rows = rows_of_a_thread, thread_columns = columns_of_a_thread;
  static constexpr int lanes_down = warp_rows / thread_rows;
  static constexpr int lanes_across = warp_columns / thread_columns;
  static_assert(lanes_down * lanes_across == 32, "a warp has 32 lanes");
  static constexpr int warps_across = columns / warp_columns;
  static constexpr int threads = rows / warp_rows * warps_across * 32;
  static constexpr int blocks = min_blocks;         // on an SM
  static constexpr int store_after = storing_step;  // of depth: what follows hides the stores
  static constexpr int fours_of_a = rows * depth / 4 / threads;
  static constexpr int fours_of_b = depth * columns / 4 / threads;
  static_assert(fours_of_a * threads * 4 == rows * depth &&
                    fours_of_b * threads * 4 == depth * columns,
                "every thread loads as many fours");
  static constexpr int gap = 4;
};

// Bits of the lane's number, for its row and its column in turn: of lanes 2 i and 2 i + 1 both read the
// same four of A, of lanes i and i ^ 2 the same of B.
template <typename Sizes>
__device__ inline int lane_row() {
  const int lane = threadIdx.x % 32;
  static_assert(Sizes::lanes_down == 2 || Sizes::lanes_down == 4 || Sizes::lanes_down == 8);
  return Sizes::lanes_down == 2   ? lane >> 1 & 1
         : Sizes::lanes_down == 4 ? (lane >> 1 & 1) | (lane >> 2 & 2)
                                  : (lane >> 1 & 1) | (lane >> 2 & 2) | (lane >> 2 & 4);
}
template <typename Sizes>
__device__ inline int lane_column() {
  const int lane = threadIdx.x % 32;
  return Sizes::lanes_down == 2   ? (lane & 1) | (lane >> 1 & 14)
         : Sizes::lanes_down == 4 ? (lane & 1) | (lane >> 1 & 2) | (lane >> 2 & 4)
                                  : (lane & 1) | (lane >> 1 & 2);
}

template <typename Sizes, bool aligned>
__device__ inline void block_multiply(const Problem& p) {
  constexpr int depth = Sizes::depth, threads = Sizes::threads;
  __shared__ __align__(16) float a[2][depth][Sizes::rows + Sizes::gap];
  __shared__ __align__(16) float b[2][depth][Sizes::columns];
  const int block_row = blockIdx.y * Sizes::rows, block_column = blockIdx.x * Sizes::columns;
  const int warp = threadIdx.x / 32;
  const int thread_row = warp / Sizes::warps_across * Sizes::warp_rows + lane_row<Sizes>() * 4;
  const int thread_column =
      warp % Sizes::warps_across * Sizes::warp_columns + lane_column<Sizes>() * 4;
  constexpr int down = Sizes::lanes_down * 4, across = Sizes::lanes_across * 4;  // to the next four
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
      four_at(&b[buffer][four / (Sizes::columns / 4)][four % (Sizes::columns / 4) * 4]) = of_b[i];
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
        thread_take_four(&a_values[i], four_at(&a[buffer][k][thread_row + i / 4 * down]));
      }
#pragma unroll
      for (int j = 0; j < Sizes::thread_columns; j += 4) {
        thread_take_four(&b_values[j], four_at(&b[buffer][k][thread_column + j / 4 * across]));
      }
      thread_add_product(accumulators, a_values, b_values);
      if (k == Sizes::store_after) store(buffer ^ 1);
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < Sizes::thread_rows; ++i) {
    const int row = block_row + thread_row + i / 4 * down + i % 4;
#pragma unroll
    for (int j = 0; j < Sizes::thread_columns; j += 4) {
      thread_store_four<aligned>(p, row, block_column + thread_column + j / 4 * across,
                                 &accumulators[i][j]);
    }
  }
}

}  // namespace sgemm
