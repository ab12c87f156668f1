// How many blocks of a rung an occupancy means, and what keeps further ones away.
//
//   Residency r = residency(eight_float4, 64, 6.25, 0, device);    // {2, 115712}
//
// Blocks that come and go are kept away by dynamic shared memory that they do not use, as the source
// does it. It is taken from the L1, where loads in flight land. A rung whose blocks stay asks for as
// many blocks as are wanted and needs no such thing.
#pragma once
#include <algorithm>
#include <cmath>

#include "studies/common/check.h"
#include "studies/copy/copy.h"

namespace copy {

struct Residency {
  int blocks = 0;  // on each SM; 0: out of reach
  int dynamic_shared = 0;
};

// The most dynamic shared memory with which `blocks` blocks fit on an SM, so that one more does not.
inline int shared_for(int blocks, const cudaDeviceProp& device) {
  const size_t share = device.sharedMemPerMultiprocessor / blocks / 1024 * 1024;
  const size_t usable =
      share > device.reservedSharedMemPerBlock ? share - device.reservedSharedMemPerBlock : 0;
  return int(std::min(usable, std::max(device.sharedMemPerBlockOptin, device.sharedMemPerBlock)));
}

inline Residency residency(const Variant& variant, int threads, double occupancy, int chunk,
                           const cudaDeviceProp& device) {
  const double wanted = occupancy / 100 * device.maxThreadsPerMultiProcessor / threads;
  const int blocks = int(std::lround(wanted));  // 8.33 % of 1536 threads are two blocks of 64
  if (blocks < 1 || std::abs(blocks - wanted) > 0.005 * blocks) return {};
  const int room = shared_for(blocks, device);
  const int dynamic_shared = variant.stays ? variant.shared({threads, room, chunk}) : room;
  if (dynamic_shared < 0) return {};
  CHECK(cudaFuncSetAttribute(variant.kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             dynamic_shared));
  int resident = 0;
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, variant.kernel, threads,
                                                      dynamic_shared));
  const bool right = variant.stays ? resident >= blocks : resident == blocks;
  return right ? Residency{blocks, dynamic_shared} : Residency{};
}

}  // namespace copy
