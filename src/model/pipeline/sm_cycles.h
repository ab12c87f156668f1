// Cycles that an SM takes for what is no instruction's own: branches, barriers, starts of blocks.
//
//   branch_latency   10: from a branch to the first instruction at its target
//
// Measured on an H200 where nothing else is said.
#pragma once

namespace headroom {

// To the first instruction at the target of a branch; more where some lanes leave the others, and where they meet again, by
// what a lone warp's loop takes (results/h200/branches.json).
inline constexpr double branch_latency = 10, lanes_part = 20, lanes_meet = 20;

// Each warp takes so many at a barrier; and from the last that comes to the first that goes (results/h200/model_probe.json).
inline constexpr double barrier_warp = 2, barrier_latency = 11;

// From one block's start to the next one's, for the block and for each of its warps (results/h200/model_probe.json).
inline constexpr double block_start = 157, warp_start = 5.6;

// Assumed: until a bulk copy has read its registers; from an arrival at an mbarrier to who waits for it; at a cluster's
// barrier beyond those at a block's; and at a grid's for each of its blocks, whose atomics go to one place.
inline constexpr double copy_begins = 20, arrival_latency = 24, cluster_latency = 180,
                        grid_turn = 1.3;

}  // namespace headroom
