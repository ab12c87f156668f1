// The transform of 2, 4, 8 or 16 values that one thread holds in registers, in their natural order.
//
//   float2 x[16];
//   thread_dft(x);        // 16 = 4 x 4: columns, products with roots of 1, rows
#pragma once
#include "studies/fft/complex.h"

namespace fft {

__device__ inline void thread_dft(float2 (&x)[2]) {
  const float2 sum = x[0] + x[1];
  x[1] = x[0] - x[1];
  x[0] = sum;
}

__device__ inline void thread_dft(float2 (&x)[4]) {
  const float2 a = x[0] + x[2], b = x[0] - x[2], c = x[1] + x[3], d = times_minus_i(x[1] - x[3]);
  x[0] = a + c;
  x[1] = b + d;
  x[2] = a - c;
  x[3] = b - d;
}

// a exp(-2 pi i K / 16); products with 1, -i and their bisectors cost less.
template <int K>
__device__ float2 times_root_of_16(float2 a) {
  constexpr float half = 0.70710678118654752f;  // of the root of 2
  constexpr float c = 0.92387953251128674f, s = 0.38268343236508977f;
  if constexpr (K == 0) return a;
  if constexpr (K == 1) return a * float2{c, -s};
  if constexpr (K == 2) return {half * (a.x + a.y), half * (a.y - a.x)};
  if constexpr (K == 3) return a * float2{s, -c};
  if constexpr (K == 4) return times_minus_i(a);
  if constexpr (K == 6) return {half * (a.y - a.x), -half * (a.x + a.y)};
  if constexpr (K == 9) return a * float2{-c, s};
}

__device__ inline void thread_dft(float2 (&x)[8]) {
  float2 even[4] = {x[0], x[2], x[4], x[6]}, odd[4] = {x[1], x[3], x[5], x[7]};
  thread_dft(even);
  thread_dft(odd);
  odd[1] = times_root_of_16<2>(odd[1]);
  odd[2] = times_root_of_16<4>(odd[2]);
  odd[3] = times_root_of_16<6>(odd[3]);
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    x[k] = even[k] + odd[k];
    x[k + 4] = even[k] - odd[k];
  }
}

// Column `First`, from the values that lie four apart.
template <int First>
__device__ void column_of_16(float2 (&x)[16], float2 (&column)[4]) {
#pragma unroll
  for (int k = 0; k < 4; ++k) column[k] = x[4 * k + First];
  thread_dft(column);
  column[1] = times_root_of_16<First>(column[1]);
  column[2] = times_root_of_16<2 * First>(column[2]);
  column[3] = times_root_of_16<3 * First>(column[3]);
}

__device__ inline void thread_dft(float2 (&x)[16]) {
  float2 columns[4][4];
  column_of_16<0>(x, columns[0]);
  column_of_16<1>(x, columns[1]);
  column_of_16<2>(x, columns[2]);
  column_of_16<3>(x, columns[3]);
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    float2 row[4] = {columns[0][k], columns[1][k], columns[2][k], columns[3][k]};
    thread_dft(row);
#pragma unroll
    for (int r = 0; r < 4; ++r) x[k + 4 * r] = row[r];
  }
}

}  // namespace fft
