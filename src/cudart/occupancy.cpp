// The occupancy calls, answered by model/occupancy.h.
#include "model/occupancy.h"

#include <algorithm>

#include "cudart/function.h"
#include "cudart/launch.h"
#include "device/clusters.h"
#include "device/modules.h"

using namespace headroom;
using namespace headroom::cudart;
namespace {

int resident_blocks(Session& session, Kernel& kernel, int threads, size_t dynamic_shared) {
  Footprint footprint = footprint_of(session, kernel);
  if (footprint.max_dynamic_shared < dynamic_shared) return 0;
  return occupancy(session.machine, shape_of(footprint, threads, dynamic_shared)).blocks;
}

// The most dynamic shared memory with which `blocks` of them still fit, by halving.
size_t most_shared(Session& session, Kernel& kernel, int blocks, int threads) {
  size_t fits = 0, too_much = footprint_of(session, kernel).max_dynamic_shared + 1;
  while (too_much - fits > 1) {
    size_t middle = fits + (too_much - fits) / 2;
    (resident_blocks(session, kernel, threads, middle) >= blocks ? fits : too_much) = middle;
  }
  return fits;
}

// What a launch of that configuration would be asked for.
Request configured(const void* function, const cudaLaunchConfig_t& config) {
  Request request = request_of(function, config.gridDim, config.blockDim, nullptr,
                               config.dynamicSmemBytes, config.stream);
  for (unsigned i = 0; i < config.numAttrs; ++i)
    ask(request.shape, request.preferred, config.attrs[i]);
  return request;
}

int blocks_of_an_sm(Session& session, Kernel& kernel, headroom::LaunchShape shape) {
  shape.carveout.reset();  // a preference, which a driver need not follow
  const Footprint footprint = footprint_of(session, kernel);
  if (footprint.max_dynamic_shared < shape.dynamic_shared) return 0;
  return occupancy_of(session.machine, shape, footprint.resources).blocks;
}

bool is_empty(dim3 d) { return !d.x || !d.y || !d.z; }

}  // namespace

extern "C" {

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function,
                                                          int threads, size_t dynamic_shared) {
  return with_kernel(function, [&](Session& session, Kernel& kernel) {
    if (!blocks || threads <= 0) return cudaErrorInvalidValue;
    *blocks = resident_blocks(session, kernel, threads, dynamic_shared);
    return cudaSuccess;
  });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int* blocks, const void* function, int threads, size_t dynamic_shared, unsigned) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, threads, dynamic_shared);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, const void* function,
                                                      int blocks, int threads) {
  return with_kernel(function, [&](Session& session, Kernel& kernel) {
    if (!bytes || blocks <= 0 || threads <= 0) return cudaErrorInvalidValue;
    if (resident_blocks(session, kernel, threads, 0) < blocks) return cudaErrorInvalidValue;
    *bytes = most_shared(session, kernel, blocks, threads);
    return cudaSuccess;
  });
}

cudaError_t cudaOccupancyMaxPotentialClusterSize(int* size, const void* function,
                                                 const cudaLaunchConfig_t* config) {
  return with_kernel(function, [&](Session& session, Kernel& kernel) {
    if (!size || !config || is_empty(config->blockDim)) return cudaErrorInvalidValue;
    const headroom::LaunchShape shape = configured(function, *config).shape;
    const auto own = own_cluster(headroom::device::function(session, kernel));
    if (own && shape.cluster && *own != *shape.cluster) return cudaErrorInvalidClusterSize;
    const bool fits =
        session.machine.cc() >= first_with_clusters && blocks_of_an_sm(session, kernel, shape) > 0;
    *size = fits ? int(max_cluster(kernel)) : 0;
    return cudaSuccess;
  });
}

// A cluster lies within one group of SMs (a GPC); how many SMs each of them has differs from chip
// to chip, so this is what a machine without such borders would hold: the most there can be.
cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, const void* function,
                                           const cudaLaunchConfig_t* config) {
  return with_kernel(function, [&](Session& session, Kernel& kernel) {
    if (!clusters || !config || is_empty(config->gridDim) || is_empty(config->blockDim))
      return cudaErrorInvalidValue;
    const Request request = configured(function, *config);
    const headroom::LaunchShape& shape = request.shape;
    const bool beyond = shape.cluster && shape.cluster->count() > largest_cluster;
    if (beyond && kernel.non_portable_clusters) {
      *clusters = 0;
      return cudaSuccess;
    }
    const auto cluster = cluster_of(session, kernel, shape, request.preferred);
    const int64_t blocks =
        int64_t(blocks_of_an_sm(session, kernel, shape)) * session.machine.sm_count.value_or(0);
    *clusters = cluster ? int(blocks / int64_t(cluster->count())) : 0;
    return cudaSuccess;
  });
}
}
