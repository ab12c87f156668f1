// Launches a kernel whose warps copy tiles (tiles.h), with as many blocks as are resident.
#pragma once
#include <headroom/launch_box.cuh>

#include "studies/copy/copy.h"
#include "studies/copy/rest.h"
#include "studies/copy/tiles.h"

namespace copy {

using TileKernel = void(float4* to, const float4* from, size_t values);

template <TileKernel* kernel>
void launch_tiles(const Request& request) {
  const size_t values = request.bytes / sizeof(float4);
  if (values > 0) {
    kernel<<<request.blocks, request.threads, request.dynamic_shared>>>(
        static_cast<float4*>(request.to), static_cast<const float4*>(request.from), values);
  }
  launch_rest(request, values * sizeof(float4));
}

// `batches`: tiles that a warp loads before it stores the first of them.
template <typename Tuning, TileKernel* kernel, int batches>
int tiles_in_flight(int threads, int) {
  const int bytes = headroom::configure<Tuning>(kernel).VT * int(sizeof(float4));
  return threads * batches * bytes;
}

template <typename Tuning, TileKernel* kernel, int batches = 1>
Variant tile_variant(const char* name) {
  return {name,
          name,
          reinterpret_cast<const void*>(kernel),
          launch_tiles<kernel>,
          tiles_in_flight<Tuning, kernel, batches>,
          true};
}

}  // namespace copy
