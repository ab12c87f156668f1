// Kernels with one planted fault each, and the same without it. A line of the fault ends in
// "// here: NAME"; a race has one on either side, or one line for both.
//
//   template <bool Mended>
//   __global__ void neighbour(Memory m) {
//     …
//     words[t] = m.data[t];  // here: neighbour
//     if (Mended) __syncthreads();
//     m.out[t] = words[t ^ 32];  // here: neighbour
//   }
#pragma once

namespace check {

constexpr int words = 1 << 14;  // of each, zero before every launch but for data[i] = i and raw

struct Memory {
  int *data, *flags, *out;
  int* raw;  // nobody wrote them
};
using Kernel = void (*)(Memory);

struct Case {
  const char *name, *kind;
  int blocks, threads;
  Kernel faulty, mended;
  void (*work)(const Memory&, bool mended) = nullptr;  // instead of a launch
};

struct Cases {
  const Case* first;
  int count;
};
Cases shared_cases(), warp_cases(), global_cases(), fence_cases(), uninitialised_cases(),
    bounds_cases(), barrier_cases(), copy_cases(), stream_cases(), neighbour_cases(), bulk_cases(),
    product_cases(), cluster_cases();

#define CHECK_CASE(name, kind, blocks, threads) \
  { #name, kind, blocks, threads, name < false>, name < true> }
#define HOST_CASE(name, kind) \
  { #name, kind, 0, 0, nullptr, nullptr, name }

}  // namespace check
