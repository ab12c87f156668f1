#include "sim/cluster.h"

#include <bit>

#include "sim/check/checker.h"
#include "sim/machinery.h"
#include "sim/warp.h"

namespace headroom::sim {
namespace {

uint32_t& pending(const Warp& warp) {
  const BlockState& block = *warp.block;
  return block.cluster->pending[block.rank][warp.index];
}

// All threads that live have arrived: who waits goes on, and the next phase begins. Groups that go
// on from one place meet there, but for those of the warp whose last lanes are just arriving.
void complete(Cluster& cluster, const Warp* arriving) {
  if (cluster.arrived < cluster.live || cluster.arrived == 0) return;
  cluster.arrived = 0;
  auto* const checker = cluster.blocks.front()->machinery->checker;
  if (checker) checker->cluster_met(cluster);
  for (std::vector<uint32_t>& of_block : cluster.pending) of_block.assign(of_block.size(), 0);
  for (BlockState* block : cluster.blocks) {
    for (Warp& warp : block->warps) {
      bool any = false;
      for (Group& group : warp.groups) {
        if (group.state != Group::waiting || group.barrier != cluster_barrier) continue;
        group.state = Group::ready;
        if (checker) checker->cluster_waited(warp, group.mask);
        if (&warp == arriving) group.waits_at = no_operand;
        any = true;
      }
      if (any && &warp != arriving) merge_behind_barrier(warp);
    }
  }
}

}  // namespace

const BlockState* owner_of_shared(const BlockState& mine, uint64_t address) {
  const uint64_t rank = (address & rank_bits) >> rank_shift;
  if (rank == 0) return &mine;
  const std::vector<BlockState*>& blocks = mine.cluster->blocks;
  return rank <= blocks.size() ? blocks[rank - 1] : nullptr;
}

std::string describe_shared(const BlockState& mine, uint64_t address, uint64_t size) {
  const uint64_t rank = (address & rank_bits) >> rank_shift, blocks = mine.cluster->blocks.size();
  std::string text =
      "offset " + std::to_string(shared_offset(address)) + " of " + std::to_string(size) + " bytes";
  if (rank == 0) return text;
  text += " of block " + std::to_string(rank - 1) + " of the cluster";
  const BlockState* owner = owner_of_shared(mine, address);
  if (!owner) return text + ", which has " + std::to_string(blocks) + " blocks";
  return owner->live ? text
                     : text + ", which has ended: let it wait at the cluster's barrier first";
}

void begin_cluster(Cluster& cluster) {
  cluster.live = cluster.arrived = 0;
  cluster.pending.resize(cluster.blocks.size());
  for (const BlockState* block : cluster.blocks) {
    cluster.live += block->live;
    cluster.pending[block->rank].assign(block->warps.size(), 0);
  }
}

void arrive_at_cluster(Warp& warp, uint32_t instruction) {
  Cluster& cluster = *warp.block->cluster;
  uint32_t& arrived = pending(warp);
  if (auto* checker = warp.block->machinery->checker) checker->cluster_arrived(warp, instruction);
  cluster.arrived += uint32_t(std::popcount(warp.mask & ~arrived));
  arrived |= warp.mask;
  complete(cluster, &warp);
}

bool wait_for_cluster(Warp& warp, uint32_t group) {
  Group& mine = warp.groups[group];
  auto* const checker = warp.block->machinery->checker;
  if ((pending(warp) & mine.mask) == 0) {
    if (checker) checker->cluster_waited(warp, mine.mask);
    return true;
  }
  if (checker) checker->cluster_waits(warp);
  mine.state = Group::waiting;
  mine.barrier = cluster_barrier;
  mine.waits_at = mine.basic_block - 1;
  return false;
}

void leave_cluster(Warp& warp, uint32_t mask) {
  Cluster& cluster = *warp.block->cluster;
  uint32_t& arrived = pending(warp);
  cluster.arrived -= lanes_in(arrived & mask);
  arrived &= ~mask;
  cluster.live -= lanes_in(mask);
  complete(cluster, nullptr);
}

}  // namespace headroom::sim
