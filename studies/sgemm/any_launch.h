// Launches any_tile_kernel: how many blocks, in clusters of how many.
//
//   launch_any<AnyTile<8, 8, 4, 2, 2, 16, 3, 5>, true>(product, {8, 4}, leftover);    // 8 blocks a tile, in clusters of 4
#pragma once
#include <algorithm>

#include "studies/common/check.h"
#include "studies/common/shared_memory.h"
#include "studies/sgemm/any_tile.h"

namespace sgemm {

// Clusters come to an SM as long as they fit, while others have nothing to do: more shared memory than is
// needed keeps them apart.
constexpr int shared_of_an_sm = 228 * 1024, shared_of_a_block = 1024 + 16;

inline int sms_of_device() {
  int device, sms;
  CHECK(cudaGetDevice(&device));
  CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device));
  return sms;
}

template <typename Sizes, bool fours>
void launch_any(const Product& p, Cut cut, const Leftover& leftover) {
  const auto kernel = any_tile_kernel<Sizes, fours>;
  static const bool allowed =
      (study::allow_shared(kernel, shared_of_an_sm - shared_of_a_block), true);
  (void)allowed;
  cudaLaunchConfig_t launch{};
  launch.gridDim = blocks_over(p.m, Sizes::rows) * blocks_over(p.n, Sizes::columns) * cut.splits;
  launch.blockDim = Sizes::threads;
  launch.dynamicSmemBytes = Sizes::shared;
  if (cut.cluster > 1) {
    const int resident = blocks_over(launch.gridDim.x, sms_for_clusters(sms_of_device()));
    const int share = shared_of_an_sm / resident - shared_of_a_block;
    launch.dynamicSmemBytes = std::max(Sizes::shared, share / 128 * 128);
  }
  cudaLaunchAttribute attribute;
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = cut.cluster;
  attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  launch.attrs = &attribute;
  launch.numAttrs = cut.cluster > 1;
  CHECK(cudaLaunchKernelEx(&launch, kernel, p, cut.splits, leftover));
}

}  // namespace sgemm
