// Steps that multiply and add: a = a * b + c with b from a register, shared memory or L1.
//
//   run_multiply<FromShared, 4, each_its_own>    four chains, a load a step of each
//   run_multiply<FromShared, 4, one_for_all>     four chains, a load a step of all of them
#pragma once
#include "studies/registers/device.cuh"
#include "studies/registers/on_host.h"

namespace registers {

struct FromRegister {
  static constexpr const char* name = "registers";
  static constexpr bool staged = false;
};

// The sums, and loads on their way.
template <int chains, Loads loads>
constexpr int values_kept = loads == Loads::none ? chains : chains + 16;

template <class From, int chains, Loads loads>
__global__ void __launch_bounds__(Box<values_kept<chains, loads>>::here::NT,
                                  Box<values_kept<chains, loads>>::here::OCC)
    run_multiply(Work work) {
  __shared__ float shared[From::staged ? multiply_rows * lanes : 1];
  const float* table = static_cast<const float*>(work.table);
  int zero = 0;
  if constexpr (loads != Loads::none) zero = load_shared<From, multiply_rows>(table, shared);
  float a[chains];
#pragma unroll
  for (int i = 0; i < chains; ++i) a[i] = work.chains[chain_at(i)].value;
  const float b = work.operands[0], c = work.operands[1];
  const float* words = (From::staged ? shared : table) + threadIdx.x % lanes + zero;
  constexpr int many = multiplies_an_iteration<chains, loads>;
  __syncthreads();
  const long long start = clock64();
#pragma unroll 1
  for (int s = 0; s < work.steps; s += many) {
    const float* half = words + s / many % 2 * (loads_an_iteration * lanes);
#pragma unroll
    for (int t = 0; t < many; ++t) {
#pragma unroll
      for (int i = 0; i < chains; ++i) {
        if constexpr (loads == Loads::none) {
          a[i] = __fmaf_rn(a[i], b, c);
        } else {
          a[i] = __fmaf_rn(a[i], half[load_at<chains, loads>(t, i) * lanes], c);
        }
      }
    }
  }
  const long long stop = clock64();
#pragma unroll
  for (int i = 0; i < chains; ++i) work.chains[chain_at(i)].value = a[i];
  keep_span(work, start, stop);
}

template <class From, int chains, Loads loads>
Variant multiply(const char* step) {
  // Of a step: three registers a chain, or a word a load.
  constexpr int bytes = loads == Loads::none ? 12 * chains : 4 * loads_a_step<chains, loads>;
  return {step,
          From::name,
          chains,
          bytes,
          chains,
          reinterpret_cast<const void*>(run_multiply<From, chains, loads>),
          random_words,
          [](const Work& work) {
            run_multiply<From, chains, loads><<<work.blocks, work.threads>>>(work);
          },
          multiply_on_host<chains, loads>};
}

template <class From, Loads loads>
Rung multiply_rung(const char* step) {
  return {{multiply<From, 1, loads>(step), multiply<From, 2, loads>(step),
           multiply<From, 4, loads>(step), multiply<From, 8, loads>(step)}};
}

}  // namespace registers
