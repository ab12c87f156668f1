// The stages of a transform whose values its threads hold; between two of them the values change hands
// through shared memory.
//
//   float2 values[V];                                            // value i: point t + i N / V
//   Stages<N, V, Padded<V>, Fresh<FromTable>> stages{{roots}, shared, t};
//   stages.run(values, inverse, [&] { … });                      // called once shared memory is free
#pragma once
#include "studies/fft/butterfly.h"
#include "studies/fft/plan.h"

namespace fft {

// Factors that are found anew for each butterfly.
template <typename Twiddles>
struct Fresh {
  const float2* roots;
  template <int N, int Done, int R>
  __device__ void factors(float2 (&w)[R], int, unsigned j) const {
    Twiddles::template factors<N, Done, R>(w, j, roots);
  }
};

struct Nothing {
  __device__ void operator()() const {}
};

template <int N, int V, typename Layout, typename Factors>
struct Stages {
  using plan = Plan<N, V>;
  Factors factors;
  float2* shared;  // of this transform
  unsigned t;      // this thread among those of the transform

  // An inverse transform is the conjugate of the transform of the conjugate.
  template <typename Free = Nothing>
  __device__ __forceinline__ void run(float2 (&values)[V], bool inverse,
                                      const Free& shared_is_free = {}) {
    if (inverse) conjugate(values);
    from_stage<1>(values, shared_is_free);
    if (inverse) conjugate(values);
  }

 private:
  __device__ static void conjugate(float2 (&values)[V]) {
#pragma unroll
    for (int i = 0; i < V; ++i) values[i].y = -values[i].y;
  }

  template <int Done, typename Free>
  __device__ __forceinline__ void from_stage(float2 (&values)[V], const Free& shared_is_free) {
    constexpr int R = plan::radix(Done);
    if constexpr (Done * R == N) shared_is_free();
#pragma unroll
    for (int b = 0; b < V / R; ++b) butterfly<Done, R>(values, b);
    if constexpr (Done * R < N) {
      exchange<Done>(values);
      from_stage<Done * R>(values, shared_is_free);
    }
  }

  // Threads of one warp at most need no barrier of the block.
  __device__ static void wait_for_others() {
    if constexpr (plan::threads <= 32) {
      __syncwarp();
    } else {
      __syncthreads();
    }
  }

  template <int Done, int R>
  __device__ __forceinline__ void butterfly(float2 (&values)[V], int b) {
    float2 x[R];
#pragma unroll
    for (int r = 0; r < R; ++r) x[r] = values[b + r * (V / R)];
    if constexpr (Done > 1) {
      float2 w[R];
      factors.template factors<N, Done, R>(w, b, t + b * plan::threads);
#pragma unroll
      for (int r = 1; r < R; ++r) x[r] = x[r] * w[r];
    }
    thread_dft(x);
#pragma unroll
    for (int r = 0; r < R; ++r) values[b + r * (V / R)] = x[r];
  }

  // Of a stage that is not the last, so of one butterfly a thread. The place of a point is that of its
  // first part plus that of the rest, which the compiler knows.
  template <int Done>
  __device__ __forceinline__ void exchange(float2 (&values)[V]) {
    wait_for_others();
    float2* to = shared + Layout::at(t / Done * (Done * V) + t % Done);
#pragma unroll
    for (int r = 0; r < V; ++r) to[Layout::at(r * Done)] = values[r];
    wait_for_others();
    const float2* from = shared + Layout::at(t);
#pragma unroll
    for (int i = 0; i < V; ++i) values[i] = from[Layout::at(i * plan::threads)];
  }
};

}  // namespace fft
