// Launches kernels of tiles: how many blocks, in clusters of how many.
//
//   launch_any<AnyTile<8, 8, 4, 2, 2, 16, 3, 5>, true>(product, {8, 4}, leftover);    // 8 blocks a tile, in clusters of 4
#pragma once
#include <algorithm>

#include "studies/common/check.h"
#include "studies/common/launch_early.h"
#include "studies/common/shared_memory.h"
#include "studies/sgemm/any_tile.h"

namespace sgemm {

// Clusters come to an SM as long as they fit, while others have nothing to do, and so do blocks of a launch that comes
// early: more shared memory than is needed keeps them apart.
constexpr int shared_of_an_sm = 228 * 1024, shared_of_a_block = 1024 + 16;

inline int sms_of_device() {
  int device, sms;
  CHECK(cudaGetDevice(&device));
  CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device));
  return sms;
}

template <auto kernel, typename Sizes>
void launch_tile(const Product& p, Cut cut, const Leftover& leftover) {
  static const bool allowed =
      (study::allow_shared(kernel, shared_of_an_sm - shared_of_a_block), true);
  (void)allowed;
  cudaLaunchConfig_t launch{};
  launch.gridDim = blocks_over(p.m, Sizes::rows) * blocks_over(p.n, Sizes::columns) * cut.splits;
  launch.blockDim = Sizes::threads;
  launch.dynamicSmemBytes = Sizes::shared;
  if (cut.cluster > 1 || Sizes::sums_terms) {
    const int sms = cut.cluster > 1 ? sms_for_clusters(sms_of_device()) : sms_of_device();
    const int resident = blocks_over(launch.gridDim.x, sms);
    const int share = shared_of_an_sm / resident - shared_of_a_block;
    launch.dynamicSmemBytes = std::max(Sizes::shared, share / 128 * 128);
  }
  cudaLaunchAttribute attributes[2];
  if (cut.cluster > 1) {
    cudaLaunchAttribute& cluster = attributes[launch.numAttrs++];
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim.x = cut.cluster;
    cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
  }
  if (Sizes::sums_terms) attributes[launch.numAttrs++] = study::early();
  launch.attrs = attributes;
  CHECK(cudaLaunchKernelEx(&launch, kernel, p, cut.splits, leftover));
}

template <typename Sizes, bool fours>
void launch_any(const Product& p, Cut cut, const Leftover& leftover) {
  launch_tile<any_tile_kernel<Sizes, fours>, Sizes>(p, cut, leftover);
}

}  // namespace sgemm
