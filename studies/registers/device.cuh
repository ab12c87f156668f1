// What the kernels of this study share: where nodes are read from, the start, and the end.
#pragma once
#include <headroom/launch_box.cuh>

#include "studies/registers/registers.h"

namespace registers {

struct FromShared {
  static constexpr const char* name = "shared";
  static constexpr bool staged = true;
};
struct FromL1 {  // a plain global load: L1 holds what an SM has read
  static constexpr const char* name = "L1";
  static constexpr bool staged = false;
};

// Brings a table of `rows` rows where the steps read it: into shared memory, or into L1. Returns a
// zero that the compiler does not know, so that the reads of L1 stay: no table holds that NaN.
template <class From, int rows, typename Node>
__device__ int load_shared(const Node* table, Node* shared) {
  bool seen = false;
  for (int i = threadIdx.x; i < rows * lanes; i += blockDim.x) {
    if constexpr (From::staged) {
      shared[i] = table[i];
    } else {
      const Node node = table[i];
      seen |= reinterpret_cast<const unsigned&>(node) == 0x7fc0dead;
    }
  }
  return seen;
}

// Chain i of this thread: the threads of the grid lie side by side.
__device__ inline int chain_at(int i) {
  return (i * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x;
}

__device__ inline void keep_span(const Work& work, long long start, long long stop) {
  if (threadIdx.x % lanes == 0) {
    work.spans[(blockIdx.x * blockDim.x + threadIdx.x) / lanes] = {start, stop};
  }
}

}  // namespace registers
