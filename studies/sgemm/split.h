// What is done to A and B before their product on tensor cores: they are split into terms (split_terms.h),
// a matrix for each term, one after the other, rows at a pitch that bulk copies can take.
//
// For terms with few exponents, rows of A and columns of B are divided by powers of two first, so that
// the greatest number of each lies below 2^15. Rows and columns that hold numbers too small beside it
// are marked, by tiles.
#pragma once
#include <cstddef>
#include <cstdint>

#include "studies/common/launch_early.h"
#include "studies/sgemm/split_terms.h"

namespace sgemm {

constexpr int tensor_rows = 128, tensor_columns = 256;  // of a tile of C

__host__ __device__ inline int64_t pitch_of(int columns) {
  return (int64_t(columns) + 7) / 8 * 8;  // rows of 16 bytes
}

struct Whole {
  const float* from;
  int rows, columns, row;  // row: elements from one to the next

  __host__ __device__ int64_t elements_of_a_term() const { return rows * pitch_of(columns); }
  __device__ bool lies_in_fours() const {
    return row % 4 == 0 && reinterpret_cast<uintptr_t>(from) % sizeof(float4) == 0;
  }
};

// The exponents of rows of A and columns of B, and the marks.
struct Scale {
  int *rows = nullptr, *columns = nullptr;  // null: nothing is divided
  int* wide = nullptr;                      // is there a mark? then of tiles: rows, columns

  __host__ __device__ int* wide_rows() const { return wide + 1; }
  __host__ __device__ int* wide_columns(int m) const { return wide + 2 + (m - 1) / tensor_rows; }
  static size_t count(int m, int n) {
    return size_t(m) + n + 3 + (m - 1) / tensor_rows + (n - 1) / tensor_columns;
  }
};

constexpr int greatest_threads = 1024,
              greatest_rows = 32;  // rows of A, or columns of B, of a block

__device__ inline float power_of_2(int exponent) {  // -126 to 127
  return __int_as_float((exponent + 127) << 23);
}
__device__ inline int exponent_of(uint32_t greatest) {  // bits of |x|
  const int field = int(greatest >> 23);
  return field == 255 ? 0 : max(field - 127 - 14, -126);
}
__device__ inline uint32_t magnitude_of(float x) { return __float_as_uint(x) & 0x7fffffff; }

// A warp takes a row of A.
__device__ inline void warp_find_row(Whole a, int row, int* exponents) {
  if (row >= a.rows) return;
  const float* from = a.from + int64_t(row) * a.row;
  const int lane = threadIdx.x % 32, quads = a.lies_in_fours() ? a.columns / 4 : 0;
  uint32_t greatest = 0;
#pragma unroll 4
  for (int i = lane; i < quads; i += 32) {
    const float4 x = reinterpret_cast<const float4*>(from)[i];
    greatest = max(max(greatest, max(magnitude_of(x.x), magnitude_of(x.y))),
                   max(magnitude_of(x.z), magnitude_of(x.w)));
  }
  for (int i = quads * 4 + lane; i < a.columns; i += 32)
    greatest = max(greatest, magnitude_of(from[i]));
  greatest = __reduce_max_sync(~0u, greatest);
  if (lane == 0) exponents[row] = exponent_of(greatest);
}

// A block takes 32 columns of B, a warp every 32nd row of them.
__device__ inline void block_find_columns(Whole b, int first, int* exponents) {
  __shared__ uint32_t of_warp[greatest_threads / 32][33];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, column = first + lane;
  uint32_t greatest = 0;
  if (column < b.columns) {
#pragma unroll 8
    for (int row = warp; row < b.rows; row += greatest_threads / 32)
      greatest = max(greatest, magnitude_of(b.from[int64_t(row) * b.row + column]));
  }
  of_warp[warp][lane] = greatest;
  __syncthreads();
  greatest = __reduce_max_sync(~0u, of_warp[lane][warp]);
  if (lane == 0 && first + warp < b.columns) exponents[first + warp] = exponent_of(greatest);
}

static __global__ void __launch_bounds__(greatest_threads)
    scale_kernel(Whole a, Whole b, Scale scale) {
  study::wait_for_launch_before();
  const int of_a = (a.rows - 1) / greatest_rows + 1, block = blockIdx.x;
  const int marks = 3 + (a.rows - 1) / tensor_rows + (b.columns - 1) / tensor_columns;
  if (block == 0) {
    for (int i = threadIdx.x; i < marks; i += greatest_threads) scale.wide[i] = 0;
  }
  if (block < of_a)
    warp_find_row(a, block * greatest_rows + int(threadIdx.x) / 32, scale.rows);
  else
    block_find_columns(b, (block - of_a) * greatest_rows, scale.columns);
}

// Eight neighbours of a row that begins at no multiple of 16 bytes: twelve that do, moved by the shift of the row.
__device__ inline void thread_load_shifted(float (&x)[8], const float* from) {
  const int shift = int(reinterpret_cast<uintptr_t>(from) / sizeof(float) % 4);
  float y[12];
#pragma unroll
  for (int i = 0; i < 12; i += 4)
    reinterpret_cast<float4&>(y[i]) = reinterpret_cast<const float4*>(from - shift)[i / 4];
#pragma unroll
  for (int i = 0; i < 11; ++i) y[i] = shift & 1 ? y[i + 1] : y[i];
#pragma unroll
  for (int i = 0; i < 8; ++i) x[i] = shift & 2 ? y[i + 2] : y[i];
}

// Eight neighbours a thread: two loads, a store for each term.
template <class Split>
__device__ void thread_split(Whole whole, typename Split::Number* to, uint32_t eighth,
                             const int* by_row, const int* by_column, int* wide, int* wide_tile,
                             int tile) {
  using Number = typename Split::Number;
  const uint32_t in_row = uint32_t(pitch_of(whole.columns) / 8);
  const int row = int(eighth / in_row), column = int(eighth % in_row) * 8;
  const float* from = whole.from + int64_t(row) * whole.row + column;
  alignas(16) float x[8];
  if (whole.lies_in_fours() && column + 8 <= whole.columns) {
    reinterpret_cast<float4*>(x)[0] = reinterpret_cast<const float4*>(from)[0];
    reinterpret_cast<float4*>(x)[1] = reinterpret_cast<const float4*>(from)[1];
  } else if (row > 0 && column + 12 <= whole.columns) {
    thread_load_shifted(x, from);
  } else {
    for (int i = 0; i < 8; ++i) x[i] = column + i < whole.columns ? from[i] : 0;
  }
  const int of_row = by_row ? by_row[row] : 0;
  bool is_wide = false;
  alignas(16) Number y[Split::count][8];
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    if (by_row) x[i] *= power_of_2(-of_row);
    if (by_column) x[i] *= power_of_2(-by_column[min(column + i, whole.columns - 1)]);
    if constexpr (Split::factor != 1) is_wide |= x[i] != 0 && fabsf(x[i]) < Split::least;
    Number terms[Split::count];
    Split::split(x[i], terms);
#pragma unroll
    for (int term = 0; term < Split::count; ++term) y[term][i] = terms[term];
  }
  if (is_wide) wide[0] = wide_tile[(by_row ? row : column) / tile] = 1;
#pragma unroll
  for (int term = 0; term < Split::count; ++term) {
    reinterpret_cast<uint4*>(to + term * whole.elements_of_a_term())[eighth] =
        *reinterpret_cast<uint4*>(y[term]);
  }
}

// `only_wide`: nothing is done where nothing is marked.
template <class Split>
__global__ void split_kernel(Whole a, typename Split::Number* a_terms, Whole b,
                             typename Split::Number* b_terms, Scale scale, bool only_wide) {
  study::wait_for_launch_before();
  if (only_wide && !*scale.wide) return;
  // 32 bits are enough: 2^35 elements are more than a device holds.
  const uint32_t of_a = uint32_t(a.elements_of_a_term() / 8);
  const uint32_t all = of_a + uint32_t(b.elements_of_a_term() / 8);
  for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < all; i += gridDim.x * blockDim.x) {
    if (i < of_a)
      thread_split<Split>(a, a_terms, i, scale.rows, nullptr, scale.wide, scale.wide_rows(),
                          tensor_rows);
    else
      thread_split<Split>(b, b_terms, i - of_a, nullptr, scale.columns, scale.wide,
                          scale.wide_columns(a.rows), tensor_columns);
  }
}

}  // namespace sgemm
