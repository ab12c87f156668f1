// What a block moves at a time: a tile of one transform, or of several that are short.
//
//   const Place<N, V> place;                   // of this thread: q, its transform in the tile, and t
//   place.load(values, from, tile, batch);
//   place.store(to, tile, batch, values);
#pragma once
#include "studies/fft/complex.h"
#include "studies/fft/plan.h"

namespace fft {

template <int N, int V>
struct Place {
  using plan = Plan<N, V>;
  unsigned q = threadIdx.x / plan::threads, t = threadIdx.x % plan::threads;

  __device__ size_t transform(size_t tile) const { return tile * plan::transforms + q; }
  // Transforms that there are not: zeros.
  __device__ void load(float2 (&values)[V], const float2* from, size_t tile, size_t batch) const {
    const bool there = transform(tile) < batch;
    const float2* first = from + transform(tile) * N + t;
#pragma unroll
    for (int i = 0; i < V; ++i) {
      values[i] = there ? first[i * plan::threads] : float2{0, 0};
    }
  }
  __device__ void store(float2* to, size_t tile, size_t batch, const float2 (&values)[V]) const {
    if (transform(tile) >= batch) return;
    float2* first = to + transform(tile) * N + t;
#pragma unroll
    for (int i = 0; i < V; ++i) first[i * plan::threads] = values[i];
  }
};

template <int N, int V>
__host__ __device__ size_t tiles_of(size_t batch) {
  return (batch - 1) / Plan<N, V>::transforms + 1;
}

}  // namespace fft
