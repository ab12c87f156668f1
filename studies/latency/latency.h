// Volkov's experiment A: one block on one SM, every thread runs `chains` independent chains of
// dependent operations. Each chain alone advances by one step a latency; what fills the SM is
// threads x chains.
//
//   chain 0 of a thread   a0 -> a0 * b + c -> (…) * b + c -> …        waits for itself at every step
//   chain 1               a1 -> a1 * b + c -> …                       does not wait for chain 0
//
// Source: V. Volkov, "Better Performance at Lower Occupancy", 2010, p15-23.
#pragma once
#include <cmath>

namespace latency {

// Clocks of the SM at which a warp began and ended its steps. All warps of a block share one clock.
struct Span {
  long long start, stop;
};

// values: chains x threads, replaced by what the chains end with; operands: b and c.
struct Work {
  float* values;
  const float* operands;
  Span* spans;  // one a warp
  int threads, steps;
};

struct Variant {
  const char* step;  // what one step computes
  int chains;
  void (*launch)(const Work&);
  float (*on_host)(float a, float b, float c);
};

// `steps` is a multiple. A loop iteration has as many steps as make a few hundred instructions: its
// branch then costs about 1 %, and the code still fits the instruction caches.
constexpr int unrolled = 256;
template <int chains>
constexpr int steps_an_iteration = unrolled / (chains <= 2   ? chains
                                               : chains <= 4 ? 4
                                                             : 8);

#ifdef __CUDACC__
struct MultiplyAdd {
  static constexpr const char* text = "a = a*b + c";
  __device__ static float next(float a, float b, float c) { return __fmaf_rn(a, b, c); }
};
struct SquareAdd {
  static constexpr const char* text = "a = a*a + a";
  __device__ static float next(float a, float, float) { return __fmaf_rn(a, a, a); }
};
struct Add {
  static constexpr const char* text = "a = a + b";
  __device__ static float next(float a, float b, float) { return __fadd_rn(a, b); }
};

template <typename Step, int chains>
__global__ void run_chains(Work work) {
  float a[chains];
#pragma unroll
  for (int i = 0; i < chains; ++i) a[i] = work.values[i * blockDim.x + threadIdx.x];
  const float b = work.operands[0], c = work.operands[1];
  __syncthreads();
  const long long start = clock64();
#pragma unroll steps_an_iteration < chains>
  for (int s = 0; s < work.steps; ++s) {
#pragma unroll
    for (int i = 0; i < chains; ++i) a[i] = Step::next(a[i], b, c);
  }
  const long long stop = clock64();
#pragma unroll
  for (int i = 0; i < chains; ++i) work.values[i * blockDim.x + threadIdx.x] = a[i];
  if (threadIdx.x % 32 == 0) work.spans[threadIdx.x / 32] = {start, stop};
}

template <typename Step, int chains>
Variant variant(float (*on_host)(float, float, float)) {
  return {Step::text, chains,
          [](const Work& work) { run_chains<Step, chains><<<1, work.threads>>>(work); }, on_host};
}
#endif

// What a step gives, for the check: std::fma rounds once, as the multiply-add of a GPU does.
inline float multiply_add_on_host(float a, float b, float c) { return std::fma(a, b, c); }

extern const Variant one_chain, two_chains, three_chains, four_chains, six_chains, eight_chains,
    one_register, no_product;

}  // namespace latency
