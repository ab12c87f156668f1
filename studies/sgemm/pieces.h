// Single-precision numbers as sums of shorter ones that tensor cores multiply, made before the product.
//
//   x = x0 + x1 + x2                  Bf16: 3 pieces of 8 bits with the exponents of floats, exact
//
// A matrix becomes as many matrices as there are pieces, one after the other, its rows at a pitch that
// bulk copies can take.
#pragma once
#include <cuda_bf16.h>

#include <cfloat>
#include <cstddef>
#include <cstdint>

namespace sgemm {

struct Bf16 {
  using Number = __nv_bfloat16;
  static constexpr int count = 3;
  // Products of pieces (of A, of B), the smallest first. The other three would be below 2^-24.
  static constexpr int products = 6;
  struct Order {
    int of_a[products] = {2, 0, 1, 1, 0, 0}, of_b[products] = {0, 2, 1, 0, 1, 0};
  };

  static __device__ void split(float x, Number (&piece)[count]) {
    piece[0] = __float2bfloat16_rn(x);
    // What would be rounded to infinity is cut off instead.
    if (__hisinf(piece[0]) && fabsf(x) <= FLT_MAX)
      piece[0] = __ushort_as_bfloat16(x < 0 ? 0xff7f : 0x7f7f);
    const float rest = x - __bfloat162float(piece[0]);
    piece[1] = __float2bfloat16_rn(rest);
    piece[2] = __float2bfloat16_rn(rest - __bfloat162float(piece[1]));
  }
};

__host__ __device__ inline int64_t pitch_of(int columns) {
  return (int64_t(columns) + 7) / 8 * 8;
}  // rows of 16 bytes

struct Whole {
  const float* from;
  int rows, columns;

  __host__ __device__ int64_t elements_of_a_piece() const { return rows * pitch_of(columns); }
};

// Eight neighbours a thread: two loads, a store for each piece.
template <class Pieces>
__device__ void thread_split(Whole whole, typename Pieces::Number* to, int64_t eighth) {
  const int64_t pitch = pitch_of(whole.columns), row = eighth * 8 / pitch;
  const int column = int(eighth * 8 - row * pitch);
  const float* from = whole.from + row * whole.columns + column;
  alignas(16) float x[8];
  if (whole.columns % 4 == 0 && column + 8 <= whole.columns) {
    reinterpret_cast<float4*>(x)[0] = reinterpret_cast<const float4*>(from)[0];
    reinterpret_cast<float4*>(x)[1] = reinterpret_cast<const float4*>(from)[1];
  } else {
    for (int i = 0; i < 8; ++i) x[i] = column + i < whole.columns ? from[i] : 0;
  }
  alignas(16) typename Pieces::Number y[Pieces::count][8];
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    typename Pieces::Number pieces[Pieces::count];
    Pieces::split(x[i], pieces);
#pragma unroll
    for (int piece = 0; piece < Pieces::count; ++piece) y[piece][i] = pieces[piece];
  }
#pragma unroll
  for (int piece = 0; piece < Pieces::count; ++piece) {
    reinterpret_cast<uint4*>(to + piece * whole.elements_of_a_piece())[eighth] =
        *reinterpret_cast<uint4*>(y[piece]);
  }
}

template <class Pieces>
__global__ void split_kernel(Whole a, typename Pieces::Number* a_pieces, Whole b,
                             typename Pieces::Number* b_pieces) {
  const int64_t of_a = a.elements_of_a_piece() / 8, all = of_a + b.elements_of_a_piece() / 8;
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < all;
       i += int64_t(gridDim.x) * blockDim.x) {
    if (i < of_a)
      thread_split<Pieces>(a, a_pieces, i);
    else
      thread_split<Pieces>(b, b_pieces, i - of_a);
  }
}

}  // namespace sgemm
