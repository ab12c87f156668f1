#include "cudart/clusters.h"

#include <fmt/format.h>

#include <algorithm>

#include "cudart/function.h"
#include "cudart/launch.h"
#include "cudart/modules.h"
#include "model/occupancy.h"

namespace headroom::cudart {
namespace {

constexpr uint64_t portable_size = 8, largest_size = 16;
constexpr int first_with_clusters = 90;  // compute capability

std::string text(Dim3 d) { return fmt::format("{}×{}×{}", d.x, d.y, d.z); }

Failure misconfigured(std::string problem, std::string hint) {
  return {Status::invalid_cluster, Error{"", std::move(problem), std::move(hint)}};
}

// .reqnctapercluster; absent dimensions are 1.
std::optional<Dim3> required(const ptx::Function& kernel) {
  const int* sizes = kernel.cluster;
  if (!sizes[0]) return std::nullopt;
  return Dim3{unsigned(sizes[0]), unsigned(std::max(1, sizes[1])), unsigned(std::max(1, sizes[2]))};
}

uint64_t most_of(const Kernel& kernel) {
  return kernel.non_portable_clusters ? largest_size : portable_size;
}

void check_size(const Session& session, const Kernel& kernel, Dim3 shape) {
  if (shape.count() > 1 && session.machine.cc() < first_with_clusters)
    throw misconfigured(
        fmt::format("a cluster of {} blocks on {}", text(shape), session.machine.name),
        "clusters need compute capability 9.0");
  const uint64_t most = most_of(kernel);
  if (shape.count() > most)
    throw misconfigured(
        fmt::format("a cluster of {} blocks, and {} are the most", shape.count(), most),
        kernel.non_portable_clusters
            ? "launch smaller clusters"
            : "opt in first: cudaFuncSetAttribute(kernel, "
              "cudaFuncAttributeNonPortableClusterSizeAllowed, 1), which allows 16");
}

void check_grid(Dim3 grid, Dim3 shape) {
  if (grid.x % shape.x || grid.y % shape.y || grid.z % shape.z)
    throw misconfigured(
        fmt::format("a grid of {} blocks in clusters of {}", text(grid), text(shape)),
        "make every dimension of the grid a multiple of the cluster's");
}

// Larger clusters, where there is room: made of the least ones. Here there are those only.
void check_preferred(Dim3 grid, const std::optional<Dim3>& least, Dim3 wish) {
  if (!least || !wish.count() || wish.x % least->x || wish.y % least->y || wish.z % least->z)
    throw misconfigured(fmt::format("preferred clusters of {} blocks", text(wish)),
                        "give cudaLaunchAttributeClusterDimension too, which divides them");
  check_grid(grid, wish);
}

// What a launch of that configuration would be asked for.
Request configured(const void* function, const cudaLaunchConfig_t& config) {
  Request request = request_of(function, config.gridDim, config.blockDim, nullptr,
                               config.dynamicSmemBytes, config.stream);
  for (unsigned i = 0; i < config.numAttrs; ++i)
    ask(request.shape, request.preferred, config.attrs[i]);
  return request;
}

int blocks_of_an_sm(Session& session, Kernel& kernel, LaunchShape shape) {
  shape.carveout.reset();  // a preference, which a driver need not follow
  const Footprint footprint = footprint_of(session, kernel);
  if (footprint.max_dynamic_shared < shape.dynamic_shared) return 0;
  return occupancy_of(session.machine, shape, footprint.resources).blocks;
}

bool is_empty(dim3 d) { return !d.x || !d.y || !d.z; }

}  // namespace

std::optional<Dim3> cluster_of(Session& session, Kernel& kernel, const LaunchShape& asked,
                               const std::optional<Dim3>& preferred) {
  const std::optional<Dim3> own = required(function(session, kernel));
  if (asked.cluster && asked.cluster->count() == 0)
    throw misconfigured("a cluster of no blocks", "give every dimension at least 1");
  if (asked.cluster && own && *own != *asked.cluster)
    throw misconfigured(fmt::format("clusters of {} blocks, and __cluster_dims__ says {}",
                                    text(*asked.cluster), text(*own)),
                        "launch the kernel with its own clusters, or without the attribute");
  const std::optional<Dim3> cluster = asked.cluster ? asked.cluster : own;
  if (preferred) check_preferred(asked.grid, cluster, *preferred);
  if (!cluster) return std::nullopt;
  check_size(session, kernel, *cluster);
  check_grid(asked.grid, *cluster);
  return cluster;
}

}  // namespace headroom::cudart

using namespace headroom::cudart;
extern "C" {

cudaError_t cudaOccupancyMaxPotentialClusterSize(int* size, const void* function,
                                                 const cudaLaunchConfig_t* config) {
  return with_kernel(function, [&](Session& session, Kernel& kernel) {
    if (!size || !config || is_empty(config->blockDim)) return cudaErrorInvalidValue;
    const headroom::LaunchShape shape = configured(function, *config).shape;
    const auto own = required(headroom::cudart::function(session, kernel));
    if (own && shape.cluster && *own != *shape.cluster) return cudaErrorInvalidClusterSize;
    const bool fits =
        session.machine.cc() >= first_with_clusters && blocks_of_an_sm(session, kernel, shape) > 0;
    *size = fits ? int(most_of(kernel)) : 0;
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
    const bool beyond = shape.cluster && shape.cluster->count() > largest_size;
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
