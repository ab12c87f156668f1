// Clusters of blocks: what a launch and its kernel ask for, and what a driver refuses.
//
//   __global__ void __cluster_dims__(2, 1, 1) kernel(…)      the kernel's own, in its PTX
//   LaunchShape::cluster                                     the launch's
#pragma once
#include <optional>

#include "device/session.h"
#include "ptx/module.h"
#include "record/launch.h"

namespace headroom::device {

inline constexpr uint64_t largest_cluster = 16;  // blocks, of a kernel that opted in
inline constexpr int first_with_clusters = 90;   // compute capability

std::optional<Dim3> own_cluster(const ptx::Function&);  // .reqnctapercluster; 1 where it is silent
uint64_t max_cluster(const Kernel&);                    // blocks

// The launch's cluster or its kernel's own; absent: neither has one. Throws Failure for one that does
// not fit the grid, the kernel or the machine.
std::optional<Dim3> cluster_of(Session&, Kernel&, const LaunchShape&,
                               const std::optional<Dim3>& preferred);

}  // namespace headroom::device
