// Steps that walk through shared memory or L1: where a node says, the walk goes on. What else a
// node holds is multiplied and added up, so that every byte of it is used.
//
//   run_walk<FromShared, int4, 2>     two walks a thread, 16 bytes a step
#pragma once
#include "studies/registers/device.cuh"
#include "studies/registers/on_host.h"

namespace registers {

__device__ inline float add(int1, float sum, float) { return sum; }
__device__ inline float add(int2 node, float sum, float b) {
  return __fmaf_rn(__int_as_float(node.y), b, sum);
}
__device__ inline float add(int4 node, float sum, float b) {
  sum = __fmaf_rn(__int_as_float(node.y), b, sum);
  sum = __fmaf_rn(__int_as_float(node.z), b, sum);
  return __fmaf_rn(__int_as_float(node.w), b, sum);
}

// A node on its way, the sum where there is one, and an address of 64 bits where L1 needs it.
template <class From, typename Node, int chains>
constexpr int values_kept =
    (sizeof(Node) / 4 + (sizeof(Node) > 4) + (From::staged ? 0 : 2)) * chains;

// Fewer of wide nodes: the compiler puts their sums off until registers run out.
template <typename Node, int chains>
constexpr int steps_an_iteration = sizeof(Node) == 4
                                       ? 16
                                       : std::max(1, 64 / (chains * int(sizeof(Node))));

template <class From, typename Node, int chains>
__global__ void __launch_bounds__(Box<values_kept<From, Node, chains>>::here::NT,
                                  Box<values_kept<From, Node, chains>>::here::OCC)
    run_walk(Work work) {
  __shared__ Node shared[From::staged ? walk_rows * lanes : 1];
  const Node* table = static_cast<const Node*>(work.table);
  const int zero = load_shared<From, walk_rows>(table, shared);
  const char* nodes = reinterpret_cast<const char*>(From::staged ? shared : table) + zero;
  int place[chains];
  float sum[chains];
#pragma unroll
  for (int i = 0; i < chains; ++i) {
    place[i] = work.chains[chain_at(i)].place;
    sum[i] = sizeof(Node) > 4 ? work.chains[chain_at(i)].value : 0;
  }
  const float b = work.operands[0];
  constexpr int many = steps_an_iteration<Node, chains>;
  __syncthreads();
  const long long start = clock64();
#pragma unroll 1
  for (int s = 0; s < work.steps; s += many) {
#pragma unroll
    for (int t = 0; t < many; ++t) {
#pragma unroll
      for (int i = 0; i < chains; ++i) {
        const Node node = *reinterpret_cast<const Node*>(nodes + unsigned(place[i]));
        place[i] = node.x;
        sum[i] = add(node, sum[i], b);
      }
    }
  }
  const long long stop = clock64();
#pragma unroll
  for (int i = 0; i < chains; ++i) {
    work.chains[chain_at(i)].place = place[i];
    if (sizeof(Node) > 4) work.chains[chain_at(i)].value = sum[i];
  }
  keep_span(work, start, stop);
}

template <class From, typename Node, int chains>
Variant walk(const char* step) {
  constexpr int words = sizeof(Node) / 4;
  return {
      step,
      From::name,
      chains,
      int(sizeof(Node)) * chains,
      (words - 1) * chains,
      reinterpret_cast<const void*>(run_walk<From, Node, chains>),
      random_walk<words>,
      [](const Work& work) { run_walk<From, Node, chains><<<work.blocks, work.threads>>>(work); },
      walk_on_host<words>};
}

template <class From, typename Node>
Rung walk_rung(const char* step) {
  return {{walk<From, Node, 1>(step), walk<From, Node, 2>(step), walk<From, Node, 4>(step),
           walk<From, Node, 8>(step)}};
}

}  // namespace registers
