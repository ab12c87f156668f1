// Clusters of blocks: what a launch and its kernel ask for, and what a driver refuses.
//
//   __global__ void __cluster_dims__(2, 1, 1) kernel(…)      the kernel's own, in its PTX
//   cudaLaunchAttributeClusterDimension                      the launch's
#pragma once
#include <optional>

#include "cudart/session.h"
#include "record/launch.h"

namespace headroom::cudart {

// The launch's cluster or its kernel's own; absent: neither has one. Throws Failure for one that does
// not fit the grid, the kernel or the machine.
std::optional<Dim3> cluster_of(Session&, Kernel&, const LaunchShape&,
                               const std::optional<Dim3>& preferred);

}  // namespace headroom::cudart
