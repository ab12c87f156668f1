#include "device/residency.h"

#include "device/clusters.h"
#include "device/modules.h"

namespace headroom::device {
namespace {

int blocks_of_an_sm(Session& session, Kernel& kernel, LaunchShape shape) {
  shape.carveout.reset();  // a preference, which a driver need not follow
  const Footprint footprint = footprint_of(session, kernel);
  if (footprint.max_dynamic_shared < shape.dynamic_shared) return 0;
  return occupancy_of(session.machine, shape, footprint.resources).blocks;
}

}  // namespace

// The carve-out that the kernel prefers counts, as with CUDA 13.0 on an H200.
int resident_blocks(Session& session, Kernel& kernel, int threads, uint64_t dynamic_shared) {
  const Footprint footprint = footprint_of(session, kernel);
  if (footprint.max_dynamic_shared < dynamic_shared) return 0;
  BlockShape shape = shape_of(footprint, threads, dynamic_shared);
  if (kernel.carveout >= 0 && session.machine.shared_per_sm)
    shape.carveout = *session.machine.shared_per_sm * kernel.carveout / 100;
  return occupancy(session.machine, shape).blocks;
}

// By halving.
uint64_t most_dynamic_shared(Session& session, Kernel& kernel, int blocks, int threads) {
  uint64_t fits = 0, too_much = footprint_of(session, kernel).max_dynamic_shared + 1;
  while (too_much - fits > 1) {
    const uint64_t middle = fits + (too_much - fits) / 2;
    (resident_blocks(session, kernel, threads, middle) >= blocks ? fits : too_much) = middle;
  }
  return fits;
}

Status largest_cluster_of(Session& session, Kernel& kernel, const LaunchShape& shape,
                          uint64_t& blocks) {
  const auto own = own_cluster(function(session, kernel));
  if (own && shape.cluster && *own != *shape.cluster) return Status::invalid_cluster;
  const bool fits =
      session.machine.cc() >= first_with_clusters && blocks_of_an_sm(session, kernel, shape) > 0;
  blocks = fits ? max_cluster(kernel) : 0;
  return Status::ok;
}

// How many SMs a GPC has differs from chip to chip.
int64_t resident_clusters(Session& session, Kernel& kernel, const LaunchShape& shape,
                          const std::optional<Dim3>& preferred) {
  const bool beyond = shape.cluster && shape.cluster->count() > largest_cluster;
  if (beyond && kernel.non_portable_clusters) return 0;
  const auto cluster = cluster_of(session, kernel, shape, preferred);
  const int64_t blocks =
      int64_t(blocks_of_an_sm(session, kernel, shape)) * session.machine.sm_count.value_or(0);
  return cluster ? blocks / int64_t(cluster->count()) : 0;
}

}  // namespace headroom::device
