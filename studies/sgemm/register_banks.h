// The order of products, and the registers of accumulators, that avoid conflicts between the two banks
// of the register file.
//
// An FMA reads three registers. Each bank, the even registers and the odd ones, gives one a cycle; an operand that
// the FMA before had in the same place costs nothing. So one of a and b is always that of the FMA before, and the
// accumulator must lie in the other bank than the one of a and b that is new. Loads of four put a's even rows into
// even registers: accumulators of even rows belong in odd registers.
#pragma once
#include "studies/sgemm/ring.h"

namespace sgemm {

// Down one column of results and up the next: b stays for eight products, at a turn a does.
struct Serpentine {
  __device__ void operator()(float (&accumulators)[8][16], const Fragment& of) const {
#pragma unroll
    for (int j = 0; j < 16; ++j) {
#pragma unroll
      for (int step = 0; step < 8; ++step) {
        const int i = j % 2 ? 7 - step : step;
        accumulators[i][j] = fmaf(of.a[i], of.b[j], accumulators[i][j]);
      }
    }
  }
};

// Four rows of a column with neighbours swapped. No language says where a value lies, but a four that is
// stored at once lies in four registers in this order: what leaves the loop as such fours was summed there.
__device__ inline float4 swapped_four(const float (&accumulators)[8][16], int i, int j) {
  return {accumulators[i + 1][j], accumulators[i][j], accumulators[i + 3][j],
          accumulators[i + 2][j]};
}

// Through shared memory, each thread by its own place, from fours of rows to fours of columns.
template <bool aligned, typename AnyProblem>
__device__ inline void thread_store_swapped(const AnyProblem& p, int block_row, int block_column,
                                            const float (&accumulators)[8][16], float4* shared) {
  const Place place;
  float4* const mine = shared + threadIdx.x;
#pragma unroll
  for (int j = 0; j < 16; j += 4) {
#pragma unroll
    for (int i = 0; i < 8; i += 4) {
#pragma unroll
      for (int column = 0; column < 4; ++column) {
        mine[(i + column) * wide_threads] = swapped_four(accumulators, i, j + column);
      }
    }
#pragma unroll 1
    for (int i = 0; i < 8; i += 4) {
      float4 of[4];
      for (int column = 0; column < 4; ++column) of[column] = mine[(i + column) * wide_threads];
      const float rows[4][4] = {{of[0].y, of[1].y, of[2].y, of[3].y},
                                {of[0].x, of[1].x, of[2].x, of[3].x},
                                {of[0].w, of[1].w, of[2].w, of[3].w},
                                {of[0].z, of[1].z, of[2].z, of[3].z}};
      for (int row = 0; row < 4; ++row) {
        thread_store_four<aligned>(p, block_row + place.row + Place::row_of(i) + row,
                                   block_column + place.column + Place::column_of(j), rows[row]);
      }
    }
  }
}

}  // namespace sgemm
