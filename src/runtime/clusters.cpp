#include "runtime/clusters.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "model/occupancy.h"
#include "runtime/function.h"
#include "runtime/modules.h"

namespace headroom::runtime {
namespace {

constexpr uint64_t portable_size = 8, largest_size = 16;
constexpr int first_with_clusters = 90;  // compute capability

std::string text(Dim3 d) { return fmt::format("{}×{}×{}", d.x, d.y, d.z); }

Failure misconfigured(std::string problem, std::string hint) {
  return {cudaErrorInvalidClusterSize, Error{"", std::move(problem), std::move(hint)}};
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

}  // namespace

Clusters clusters_of(Session& session, Kernel& kernel, const Request& request) {
  const std::optional<Dim3> own = required(function(session, kernel));
  std::optional<Dim3> shape = own;
  if (request.cluster) {
    shape = Dim3{request.cluster->x, request.cluster->y, request.cluster->z};
    if (shape->count() == 0)
      throw misconfigured("a cluster of no blocks", "give every dimension at least 1");
    if (own && !(*own == *shape))
      throw misconfigured(fmt::format("clusters of {} blocks, and __cluster_dims__ says {}",
                                      text(*shape), text(*own)),
                          "launch the kernel with its own clusters, or without the attribute");
  }
  if (!shape) return {};
  check_size(session, kernel, *shape);
  check_grid({request.grid.x, request.grid.y, request.grid.z}, *shape);
  return {*shape, true};
}

}  // namespace headroom::runtime

using namespace headroom::runtime;
extern "C" {

cudaError_t cudaOccupancyMaxPotentialClusterSize(int* size, const void* function,
                                                 const cudaLaunchConfig_t* config) {
  return with_kernel(function, [&](Session& session, Kernel& kernel) {
    if (!size || !config) return cudaErrorInvalidValue;
    const dim3 block = config->blockDim;
    const headroom::BlockShape shape = shape_of(
        footprint_of(session, kernel), int(block.x * block.y * block.z), config->dynamicSmemBytes);
    const auto own = required(headroom::runtime::function(session, kernel));
    const bool fits =
        occupancy(session.machine, shape).blocks > 0 && session.machine.cc() >= first_with_clusters;
    *size = !fits ? 0 : own ? int(own->count()) : int(most_of(kernel));
    return cudaSuccess;
  });
}
}
