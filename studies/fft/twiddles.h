// Where the factors between the stages come from: w^r for r below the radix, with w = exp(-2 pi i m / M),
// m = j % Done and M = Done R, j being the butterfly's number and R the radix.
//
//   FromTable: one read of the table of roots for each; Intrinsic: sine and cosine of the special function
//   units for each; Recurrence: w from the table, and its powers by products
#pragma once
#include "studies/fft/complex.h"

namespace fft {

struct FromTable {
  // w[r] for r of 1 to R - 1.
  template <int N, int Done, int R>
  __device__ static void factors(float2 (&w)[R], unsigned j, const float2* roots) {
#pragma unroll
    for (int r = 1; r < R; ++r) w[r] = roots[j % Done * r * (N / (Done * R))];
  }
};

struct Intrinsic {
  template <int N, int Done, int R>
  __device__ static void factors(float2 (&w)[R], unsigned j, const float2*) {
    constexpr float step = float(-2 * 3.14159265358979324 / (Done * R));
#pragma unroll
    for (int r = 1; r < R; ++r) __sincosf(step * float(j % Done * r), &w[r].y, &w[r].x);
  }
};

// Of two halves that are as long as they can be: the fourth product of a chain is w^15.
struct Recurrence {
  template <int N, int Done, int R>
  __device__ static void factors(float2 (&w)[R], unsigned j, const float2* roots) {
    w[1] = roots[j % Done * (N / (Done * R))];
    powers(w);
  }
  template <int R>
  __device__ static void powers(float2 (&w)[R]) {
#pragma unroll
    for (int r = 2; r < R; ++r) w[r] = w[r / 2] * w[r - r / 2];
  }
};

}  // namespace fft
