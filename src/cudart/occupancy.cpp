// The occupancy calls (device/residency.h).
#include "cudart/function.h"
#include "cudart/launch.h"
#include "device/residency.h"

using namespace headroom::cudart;
namespace {

// What a launch of that configuration would be asked for.
Request configured(const void* function, const cudaLaunchConfig_t& config) {
  Request request = request_of(function, config.gridDim, config.blockDim, nullptr,
                               config.dynamicSmemBytes, config.stream);
  for (unsigned i = 0; i < config.numAttrs; ++i)
    ask(request.shape, request.preferred, config.attrs[i]);
  return request;
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
    *bytes = most_dynamic_shared(session, kernel, blocks, threads);
    return cudaSuccess;
  });
}

cudaError_t cudaOccupancyMaxPotentialClusterSize(int* size, const void* function,
                                                 const cudaLaunchConfig_t* config) {
  return with_kernel(function, [&](Session& session, Kernel& kernel) {
    if (!size || !config || is_empty(config->blockDim)) return cudaErrorInvalidValue;
    uint64_t blocks = 0;
    const Status status =
        largest_cluster_of(session, kernel, configured(function, *config).shape, blocks);
    if (!failed(status)) *size = int(blocks);
    return code_of(status);
  });
}

cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, const void* function,
                                           const cudaLaunchConfig_t* config) {
  return with_kernel(function, [&](Session& session, Kernel& kernel) {
    if (!clusters || !config || is_empty(config->gridDim) || is_empty(config->blockDim))
      return cudaErrorInvalidValue;
    const Request request = configured(function, *config);
    *clusters = int(resident_clusters(session, kernel, request.shape, request.preferred));
    return cudaSuccess;
  });
}
}
