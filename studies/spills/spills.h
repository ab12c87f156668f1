// How many values of a thread stay in registers, and what it costs where they do not: rounds over a ring of
// values that are all needed in every round.
//
//   round: every value moves towards the next one        a[i] += b * (a[i + 1] - a[i])
//
// A rung has so many values a thread and asks for so many resident blocks (__launch_bounds__), so that the
// compiler has 65 536 / (blocks x 256) registers for a thread and puts into local memory what is left.
//
// Source: S. Baxter, Modern GPU, 2013 (occupancy, launch bounds and spills).
#pragma once
#include <cmath>
#include <vector>

namespace spills {

constexpr int threads = 256;

// values: those of a block together, the first ones of its threads side by side, then the second ones …; replaced
// by what the rounds make of them.
struct Work {
  float* values;
  float b;
  int threads, rounds;
  int first = 0;  // of the ring; always 0, which the compiler does not know
};

struct Rung {
  int values;          // a thread
  int blocks;          // asked for an SM; 0: none
  const void* kernel;  // for its attributes
  void (*launch)(const Work&);
};

#ifdef __CUDACC__
template <int Values>
__device__ inline void thread_rounds(const Work& work) {
  float* const values = work.values + blockIdx.x * (Values * threads) + threadIdx.x;
  float a[Values];
#pragma unroll
  for (int v = 0; v < Values; ++v) a[v] = values[v * threads];
  for (int round = 0; round < work.rounds; ++round) {
    const float first = a[0];
#pragma unroll
    for (int v = 0; v < Values; ++v) {
      const float next = v + 1 < Values ? a[v + 1] : first;
      a[v] = __fmaf_rn(work.b, __fsub_rn(next, a[v]), a[v]);
    }
  }
#pragma unroll
  for (int v = 0; v < Values; ++v) values[v * threads] = a[v];
}

template <void (*Kernel)(Work)>
void launch(const Work& work) {
  Kernel<<<work.threads / threads, threads>>>(work);
}
#endif

// A thread's values after `rounds`: what a GPU gives, to the bit.
inline void rounds_on_host(std::vector<float>& a, float b, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    const float first = a[0];
    for (size_t v = 0; v < a.size(); ++v) {
      const float next = v + 1 < a.size() ? a[v + 1] : first;
      a[v] = std::fma(b, next - a[v], a[v]);
    }
  }
}

extern const Rung unbounded, two_blocks, four_blocks, six_blocks, eight_blocks, sixteen_values,
    dynamic_index;

}  // namespace spills
