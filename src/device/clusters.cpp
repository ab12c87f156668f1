#include "device/clusters.h"

#include <fmt/format.h>

#include <algorithm>

#include "device/modules.h"

namespace headroom::device {
namespace {

constexpr uint64_t portable_size = 8;

Failure misconfigured(std::string problem, std::string hint) {
  return {Status::invalid_cluster, Error{"", std::move(problem), std::move(hint)}};
}

void check_size(const Session& session, const Kernel& kernel, Dim3 shape) {
  if (shape.count() > 1 && session.machine.cc() < first_with_clusters)
    throw misconfigured(
        fmt::format("a cluster of {} blocks on {}", name_of(shape), session.machine.name),
        "clusters need compute capability 9.0");
  const uint64_t most = max_cluster(kernel);
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
        fmt::format("a grid of {} blocks in clusters of {}", name_of(grid), name_of(shape)),
        "make every dimension of the grid a multiple of the cluster's");
}

// Larger clusters, where there is room: made of the least ones. Here there are those only.
void check_preferred(Dim3 grid, const std::optional<Dim3>& least, Dim3 wish) {
  if (!least || !wish.count() || wish.x % least->x || wish.y % least->y || wish.z % least->z)
    throw misconfigured(fmt::format("preferred clusters of {} blocks", name_of(wish)),
                        "give cudaLaunchAttributeClusterDimension too, which divides them");
  check_grid(grid, wish);
}

}  // namespace

std::optional<Dim3> own_cluster(const ptx::Function& kernel) {
  const int* sizes = kernel.cluster;
  if (!sizes[0]) return std::nullopt;
  return Dim3{unsigned(sizes[0]), unsigned(std::max(1, sizes[1])), unsigned(std::max(1, sizes[2]))};
}

uint64_t max_cluster(const Kernel& kernel) {
  return kernel.non_portable_clusters ? largest_cluster : portable_size;
}

std::optional<Dim3> cluster_of(Session& session, Kernel& kernel, const LaunchShape& asked,
                               const std::optional<Dim3>& preferred) {
  const std::optional<Dim3> own = own_cluster(function(session, kernel));
  if (asked.cluster && asked.cluster->count() == 0)
    throw misconfigured("a cluster of no blocks", "give every dimension at least 1");
  if (asked.cluster && own && *own != *asked.cluster)
    throw misconfigured(fmt::format("clusters of {} blocks, and __cluster_dims__ says {}",
                                    name_of(*asked.cluster), name_of(*own)),
                        "launch the kernel with its own clusters, or without the attribute");
  const std::optional<Dim3> cluster = asked.cluster ? asked.cluster : own;
  if (preferred) check_preferred(asked.grid, cluster, *preferred);
  if (!cluster) return std::nullopt;
  check_size(session, kernel, *cluster);
  check_grid(asked.grid, *cluster);
  return cluster;
}

}  // namespace headroom::device
