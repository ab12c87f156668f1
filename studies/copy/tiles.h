// What a warp moves at a time: a tile of N float4 a lane, neighbours side by side.
//
//   tile: | value 0 of lanes 0..31 | value 1 of lanes 0..31 | …      512 bytes each
//
//   float4 values[16];
//   warp_load(values, from, tile);      // 16 loads of 16 bytes in flight a lane, 8 KiB a warp
//   warp_store(to, tile, values);
#pragma once
#include <cstddef>

namespace copy {

constexpr int lanes = 32;
constexpr int max_threads = 256;  // of a block

__device__ inline unsigned warps_of_grid() { return gridDim.x * (blockDim.x / lanes); }
__device__ inline unsigned warp_of_grid() {
  return blockIdx.x * (blockDim.x / lanes) + threadIdx.x / lanes;
}

template <int N>
__device__ void warp_load(float4 (&values)[N], const float4* from, unsigned tile) {
  const float4* first = from + size_t(tile) * N * lanes + threadIdx.x % lanes;
#pragma unroll
  for (int i = 0; i < N; ++i) values[i] = first[i * lanes];
}

template <int N>
__device__ void warp_store(float4* to, unsigned tile, const float4 (&values)[N]) {
  float4* first = to + size_t(tile) * N * lanes + threadIdx.x % lanes;
#pragma unroll
  for (int i = 0; i < N; ++i) first[i * lanes] = values[i];
}

// What lies behind the last whole tile, by the first warp of the grid.
template <int N>
__device__ void copy_rest_of_tiles(float4* to, const float4* from, size_t values) {
  if (warp_of_grid() != 0) return;
  const size_t done = values / (N * lanes) * (N * lanes);
  for (size_t i = done + threadIdx.x % lanes; i < values; i += lanes) to[i] = from[i];
}

}  // namespace copy
