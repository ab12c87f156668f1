// Clusters of blocks: what a launch and its kernel ask for, and what a driver refuses.
//
//   __global__ void __cluster_dims__(2, 1, 1) kernel(…)      the kernel's own, in its PTX
//   cudaLaunchAttributeClusterDimension                      the launch's
#pragma once
#include "record/launch.h"
#include "runtime/launch.h"
#include "runtime/session.h"

namespace headroom::runtime {

struct Clusters {
  Dim3 shape;  // 1 × 1 × 1: a block is a cluster of its own
  bool asked_for = false;
};

// Throws Failure for a cluster that does not fit the grid, the kernel or the machine.
Clusters clusters_of(Session&, Kernel&, const Request&);

}  // namespace headroom::runtime
