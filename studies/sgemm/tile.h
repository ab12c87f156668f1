// What the rungs with several results a thread share: elements and fours of elements of a matrix, zeros
// outside of it, and the product of a column and a row of values that a thread holds.
//
//   a[row][k] = load_or_zero(p.a, block_row + row, first + k, p.m, p.k);
//   four_at(b[k]) = load_four<true>(p.b, first + k, column, p.k, p.n);    // 16 bytes at once
//   thread_add_product(accumulators, a_values, b_values);         // accumulators[i][j] += a_values[i] * b_values[j]
#pragma once
#include "studies/sgemm/sgemm.h"

namespace sgemm {

// Zeros add nothing to a sum, so that only loads and stores need to know where the matrices end.
__device__ inline float load_or_zero(const float* matrix, int row, int column, int rows,
                                     int columns) {
  return row < rows && column < columns ? matrix[int64_t(row) * columns + column] : 0;
}

template <int rows, int columns>
__device__ inline void thread_add_product(float (&accumulators)[rows][columns],
                                          const float (&a)[rows], const float (&b)[columns]) {
#pragma unroll
  for (int i = 0; i < rows; ++i) {
#pragma unroll
    for (int j = 0; j < columns; ++j) accumulators[i][j] += a[i] * b[j];
  }
}

__device__ inline float4& four_at(float* first) { return *reinterpret_cast<float4*>(first); }
__device__ inline const float4& four_at(const float* first) {
  return *reinterpret_cast<const float4*>(first);
}

// Into registers.
__device__ inline void thread_take_four(float* values, const float4& four) {
  values[0] = four.x;
  values[1] = four.y;
  values[2] = four.z;
  values[3] = four.w;
}

// Whether fours of A, B and C that begin at a multiple of four columns lie at multiples of 16 bytes.
// Such a four is within its matrix or outside, as a whole.
inline bool fours_are_aligned(const Problem& p) {
  const auto aligned = [](const float* matrix, int columns) {
    return reinterpret_cast<uintptr_t>(matrix) % 16 == 0 && columns % 4 == 0;
  };
  return aligned(p.a, p.k) && aligned(p.b, p.n) && aligned(p.c, p.n);
}

template <bool aligned>
__device__ inline float4 load_four(const float* matrix, int row, int column, int rows,
                                   int columns) {
  if (aligned) {
    const bool inside = row < rows && column < columns;
    return inside ? four_at(matrix + int64_t(row) * columns + column) : float4{0, 0, 0, 0};
  }
  const float* from = matrix + int64_t(row) * columns + column;
  const int inside = row < rows ? columns - column : 0;
  return {inside > 0 ? from[0] : 0, inside > 1 ? from[1] : 0, inside > 2 ? from[2] : 0,
          inside > 3 ? from[3] : 0};
}

template <bool aligned>
__device__ inline void thread_store_four(const Problem& p, int row, int column,
                                         const float* accumulators) {
  if (row >= p.m || column >= p.n) return;
  if (!aligned) {
    for (int j = 0; j < 4; ++j) {
      if (column + j < p.n) thread_store(p, row, column + j, accumulators[j]);
    }
    return;
  }
  float4& c = four_at(p.c + int64_t(row) * p.n + column);
  float4 result{p.alpha * accumulators[0], p.alpha * accumulators[1], p.alpha * accumulators[2],
                p.alpha * accumulators[3]};
  if (p.beta != 0) {
    const float4 before = c;
    result.x += p.beta * before.x;
    result.y += p.beta * before.y;
    result.z += p.beta * before.z;
    result.w += p.beta * before.w;
  }
  c = result;
}

// The same of a Product, whose rows of C may end within a four.
template <bool>
__device__ inline void thread_store_four(const Product& p, int row, int column,
                                         const float* accumulators) {
  if (row >= p.m || column >= p.n) return;
  const bool fours = p.ldc % 4 == 0 && reinterpret_cast<uintptr_t>(p.c) % 16 == 0;
  if (!fours || column + 4 > p.n) {
    for (int j = 0; j < 4; ++j) {
      if (column + j < p.n) thread_store(p, row, column + j, accumulators[j]);
    }
    return;
  }
  float4& c = four_at(p.c + int64_t(row) * p.ldc + column);
  float4 result{p.alpha * accumulators[0], p.alpha * accumulators[1], p.alpha * accumulators[2],
                p.alpha * accumulators[3]};
  if (p.beta != 0) {
    const float4 before = c;
    result.x += p.beta * before.x;
    result.y += p.beta * before.y;
    result.z += p.beta * before.z;
    result.w += p.beta * before.w;
  }
  c = result;
}

// The results of a thread that lie together, from a row and a column on.
template <bool aligned, int rows, int columns>
__device__ inline void thread_store_tile(const Problem& p, int row, int column,
                                         const float (&accumulators)[rows][columns]) {
  static_assert(columns % 4 == 0);
#pragma unroll
  for (int i = 0; i < rows; ++i) {
#pragma unroll
    for (int j = 0; j < columns; j += 4) {
      thread_store_four<aligned>(p, row + i, column + j, &accumulators[i][j]);
    }
  }
}

}  // namespace sgemm
