// The copy of Volkov's experiment B: each thread loads N values of type T, then stores them. All
// loads come before the first store, so a warp has N * sizeof(T) * 32 bytes in flight.
//
//   block 0: | value 0 of threads 0..NT-1 | value 1 of threads 0..NT-1 | …   NT threads, N values
//
// Source: V. Volkov, "Better Performance at Lower Occupancy", 2010, p30-38.
#pragma once
#include <cstddef>

namespace copy {

struct Variant {
  const char* name;
  size_t bytes_per_thread;
  const void* kernel;  // for the runtime's occupancy and attribute calls
  void (*launch)(void* to, const void* from, size_t bytes, int block, int dynamic_shared);
};

#ifdef __CUDACC__
template <typename T, int N>
__global__ void copy_values(T* to, const T* from) {
  const size_t first = size_t(blockIdx.x) * blockDim.x * N + threadIdx.x;
  T values[N];
#pragma unroll
  for (int i = 0; i < N; ++i) values[i] = from[first + i * blockDim.x];
#pragma unroll
  for (int i = 0; i < N; ++i) to[first + i * blockDim.x] = values[i];
}

// `bytes` is a whole number of blocks: main sees to it, so the kernel needs no guard.
template <typename T, int N>
void launch(void* to, const void* from, size_t bytes, int block, int dynamic_shared) {
  const unsigned grid = unsigned(bytes / (sizeof(T) * N * block));
  copy_values<T, N>
      <<<grid, block, dynamic_shared>>>(static_cast<T*>(to), static_cast<const T*>(from));
}

template <typename T, int N>
Variant variant(const char* name) {
  return {name, sizeof(T) * N, reinterpret_cast<const void*>(copy_values<T, N>), launch<T, N>};
}
#endif

extern const Variant one_float, two_floats, four_floats, eight_floats, eight_float2, eight_float4;

}  // namespace copy
