// The barrier of a cluster, by what its threads know of each other. Arriving and waiting are two steps:
//
//   barrier.cluster.arrive;   all that came before is passed on, but with .relaxed only what was fenced
//   x = 1;                    nobody knows of this
//   barrier.cluster.wait;     all that others did before they arrived is known
#include <algorithm>
#include <bit>
#include <utility>

#include "sim/check/order.h"

namespace headroom::sim::check {

ClusterOrder& Order::of(const Cluster& cluster) {
  ClusterOrder& order = clusters_[&cluster];
  const uint64_t linear = cluster.blocks.front()->linear;
  if (order.linear == linear) return order;
  order = {};
  order.linear = linear;
  for (const BlockState* block : cluster.blocks) {
    const size_t warps = block->warps.size();
    order.blocks.push_back({std::vector<uint32_t>(warps), std::vector<uint32_t>(warps), 0, {}});
  }
  return order;
}

void Order::cluster_arrived(const Warp& warp, const Role& role) {
  BlockOrder& block = of(*warp.block);
  ClusterOrder& cluster = of(*warp.block->cluster);
  ClusterOrder::OfBlock& mine = cluster.blocks[warp.block->rank];
  const bool whole = role.releases && (warp.live & ~warp.mask) == 0;
  for (uint32_t left = warp.mask; left; left &= left - 1) {
    const auto lane = uint32_t(std::countr_zero(left));
    LaneOrder& one = block.warps[warp.index].lane[lane];
    if (role.releases) {
      meet(one, cluster.coming);
      if (!whole) mine.here.push_back({Whom::lane(block.linear, warp.index, lane), block.now});
    } else {
      cluster.coming.known = join(cluster.coming.known, one.fenced.gpu);
    }
  }
  if (whole) {
    mine.here.push_back({Whom::warp(block.linear, warp.index), block.now});
    mine.arrived[warp.index] = block.now;
  }
  block.arrived = {block.now, block.epoch};
  tick(block);
}

// Who waits at once has done nothing in between: the block's time stands still, so that its warps
// arrive at the same one.
void Order::cluster_waits(const Warp& warp) {
  BlockOrder& block = of(*warp.block);
  if (block.epoch || block.now != block.arrived.now + 1) return;
  block.now = block.arrived.now;
  block.epoch = block.arrived.epoch;
}

void Order::cluster_met(const Cluster& state) {
  ClusterOrder& cluster = of(state);
  std::vector<Entry> here;
  for (const BlockState* each : state.blocks) {
    ClusterOrder::OfBlock& block = cluster.blocks[each->rank];
    uint32_t least = ~0u;
    for (const Warp& warp : each->warps)
      if (warp.live) least = std::min(least, block.arrived[warp.index]);
    block.seen = least == ~0u ? 0 : least;
    if (block.seen) here.push_back({Whom::block(each->linear), block.seen});
    for (const Entry& entry : block.here)
      if (entry.time > block.seen) here.push_back(entry);
    block.here.clear();
    std::ranges::fill(block.arrived, 0);
    std::ranges::fill(block.waited, 0);
    tick(of(*each));
  }
  cluster.coming.known = join(cluster.coming.known, std::move(here));
  cluster.met = std::exchange(cluster.coming, {});
}

void Order::cluster_waited(const Warp& warp, uint32_t mask) {
  BlockOrder& block = of(*warp.block);
  ClusterOrder& cluster = of(*warp.block->cluster);
  KnownPtr before, after;
  for (uint32_t left = mask; left; left &= left - 1) {
    LaneOrder& one = block.warps[warp.index].lane[size_t(std::countr_zero(left))];
    if (!after || one.known != before) {
      before = one.known;
      after = join(before, cluster.met.known);
    }
    one.known = after;
    one.fenced.block = join(one.fenced.block, cluster.met.fenced.block);
    one.fenced.gpu = join(one.fenced.gpu, cluster.met.fenced.gpu);
  }
  ClusterOrder::OfBlock& mine = cluster.blocks[warp.block->rank];
  mine.waited[warp.index] |= mask;
  const bool all = std::ranges::all_of(warp.block->warps, [&](const Warp& each) {
    return (each.live & ~mine.waited[each.index]) == 0;
  });
  if (all) block.seen = std::max(block.seen, mine.seen);
}

}  // namespace headroom::sim::check
