// The bytes behind the last whole tile: less than a tile, byte by byte.
//
//   launch_rest(request, done);      // nothing is launched where `done` is all
#pragma once
#include <cstdint>

#include "studies/copy/copy.h"

namespace copy {

static __global__ void copy_rest(uint8_t* to, const uint8_t* from, size_t first, size_t bytes) {
  const size_t i = first + size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < bytes) to[i] = from[i];
}

inline void launch_rest(const Request& request, size_t done) {
  if (done == request.bytes) return;
  copy_rest<<<unsigned((request.bytes - done + 255) / 256), 256>>>(
      static_cast<uint8_t*>(request.to), static_cast<const uint8_t*>(request.from), done,
      request.bytes);
}

}  // namespace copy
