// The copy of Volkov's experiment B: each thread loads N values of type T, then stores them. All
// loads come before the first store, so a warp has N * sizeof(T) * 32 bytes in flight.
//
//   block 0: | value 0 of threads 0..NT-1 | value 1 of threads 0..NT-1 | …   NT threads, N values
//
// Source: V. Volkov, "Better Performance at Lower Occupancy", 2010, p30-38.
#pragma once
#include "studies/copy/copy.h"
#include "studies/copy/rest.h"

namespace copy {

template <typename T, int N>
__global__ void copy_values(T* to, const T* from) {
  const size_t first = size_t(blockIdx.x) * blockDim.x * N + threadIdx.x;
  T values[N];
#pragma unroll
  for (int i = 0; i < N; ++i) values[i] = from[first + i * blockDim.x];
#pragma unroll
  for (int i = 0; i < N; ++i) to[first + i * blockDim.x] = values[i];
}

// Whole blocks only, so the kernel needs no guard.
template <typename T, int N>
void launch_values(const Request& request) {
  const size_t block_bytes = sizeof(T) * N * request.threads;
  if (const size_t blocks = request.bytes / block_bytes) {
    copy_values<T, N><<<unsigned(blocks), request.threads, request.dynamic_shared>>>(
        static_cast<T*>(request.to), static_cast<const T*>(request.from));
  }
  launch_rest(request, request.bytes / block_bytes * block_bytes);
}

template <typename T, int N>
Variant variant(const char* name, const char* option) {
  Variant made{name, option, reinterpret_cast<const void*>(copy_values<T, N>), launch_values<T, N>,
               [](int threads, int) { return threads * int(sizeof(T)) * N; }};
  made.least = [](int threads) { return threads * int(sizeof(T)) * N; };
  return made;
}

}  // namespace copy
