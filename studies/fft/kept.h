// The factors of all stages in registers, for threads that transform one tile after the other.
//
//   Kept<N, V> kept(roots, t);       // 27 of them for 1024 points and 16 values
#pragma once
#include "studies/fft/plan.h"
#include "studies/fft/twiddles.h"

namespace fft {

template <int N, int V>
struct Kept {
  using plan = Plan<N, V>;
  // Factors of the stages from `Done` on.
  __host__ __device__ static constexpr int count(int done) {
    int sum = 0;
    for (; done < N; done *= plan::radix(done)) {
      if (done > 1) sum += V / plan::radix(done) * (plan::radix(done) - 1);
    }
    return sum;
  }
  static constexpr int all = count(1);
  float2 values[all > 0 ? all : 1];

  __device__ __forceinline__ Kept(const float2* roots, unsigned t) {
    fill<plan::radix(1)>(roots, t);
  }

  template <int, int Done, int R>
  __device__ __forceinline__ void factors(float2 (&w)[R], int b, unsigned) const {
#pragma unroll
    for (int r = 1; r < R; ++r) w[r] = values[all - count(Done) + b * (R - 1) + r - 1];
  }

 private:
  template <int Done>
  __device__ __forceinline__ void fill(const float2* roots, unsigned t) {
    if constexpr (Done < N) {
      constexpr int R = plan::radix(Done);
#pragma unroll
      for (int b = 0; b < V / R; ++b) {
        float2 w[R];
        FromTable::factors<N, Done, R>(w, t + b * plan::threads, roots);
#pragma unroll
        for (int r = 1; r < R; ++r) values[all - count(Done) + b * (R - 1) + r - 1] = w[r];
      }
      fill<Done * R>(roots, t);
    }
  }
};

// Of each butterfly's factors only the first, and its powers by products: 10 registers' worth for 8192
// points and 16 values.
template <int N, int V>
struct KeptRoots {
  using plan = Plan<N, V>;
  // Butterflies of the stages from `Done` on, save the first stage.
  __host__ __device__ static constexpr int count(int done) {
    int sum = 0;
    for (; done < N; done *= plan::radix(done)) sum += done > 1 ? V / plan::radix(done) : 0;
    return sum;
  }
  static constexpr int all = count(1);
  float2 values[all > 0 ? all : 1];

  __device__ __forceinline__ KeptRoots(const float2* roots, unsigned t) {
    fill<plan::radix(1)>(roots, t);
  }

  template <int, int Done, int R>
  __device__ __forceinline__ void factors(float2 (&w)[R], int b, unsigned) const {
    w[1] = values[all - count(Done) + b];
    Recurrence::powers(w);
  }

 private:
  template <int Done>
  __device__ __forceinline__ void fill(const float2* roots, unsigned t) {
    if constexpr (Done < N) {
      constexpr int R = plan::radix(Done);
#pragma unroll
      for (int b = 0; b < V / R; ++b) {
        values[all - count(Done) + b] = roots[(t + b * plan::threads) % Done * (N / (Done * R))];
      }
      fill<Done * R>(roots, t);
    }
  }
};

}  // namespace fft
