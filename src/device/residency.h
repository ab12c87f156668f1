// How many blocks of a kernel an SM holds, as the occupancy calls ask: model/occupancy.h for what the
// kernel takes on the session's machine.
//
//   resident_blocks(session, kernel, 256, 0)        8
//   most_dynamic_shared(session, kernel, 8, 256)    bytes with which it still is 8
//   set_carveout(kernel, 0)                         as much L1 as can be: fewer blocks fit
#pragma once
#include "device/footprint.h"
#include "record/launch.h"

namespace headroom::device {

// 0: it may not ask for that much.
int resident_blocks(Session&, Kernel&, int threads, uint64_t dynamic_shared);
uint64_t most_dynamic_shared(Session&, Kernel&, int blocks, int threads);

// Of a launch of that shape. The largest cluster is that of its kernel, 0 where none can run; the most
// clusters at once are what a machine without borders between groups of SMs (GPCs) would hold.
// invalid_cluster: not the kernel's own.
Status largest_cluster_of(Session&, Kernel&, const LaunchShape&, uint64_t& blocks);
int64_t resident_clusters(Session&, Kernel&, const LaunchShape&,
                          const std::optional<Dim3>& preferred);

}  // namespace headroom::device
