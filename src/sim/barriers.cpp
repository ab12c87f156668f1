// Barriers of a block: who has arrived, and who is let go.
#include <bit>

#include "sim/check/checker.h"
#include "sim/cluster.h"
#include "sim/machinery.h"
#include "sim/warp.h"
#include "sim/warpgroup.h"

namespace headroom::sim {
namespace {

void release(BlockState& block, uint32_t id) {
  if (block.machinery->checker) block.machinery->checker->released(block, id);
  Barrier& barrier = block.barriers[id];
  barrier.result_count = barrier.count;
  barrier.result_total = barrier.total;
  barrier.arrived = barrier.count = barrier.total = barrier.expected = 0;
  barrier.by_warp = {};
  for (Warp& warp : block.warps) {
    bool any = false;
    for (Group& group : warp.groups) {
      if (group.state != Group::waiting || group.barrier != id) continue;
      group.state = Group::ready;
      any = true;
    }
    if (any) merge_behind_barrier(warp);
  }
}

// An expected count is in whole warps: lanes that ended, or never were, arrive with the others of
// their warp.
bool complete(const BlockState& block, const Barrier& barrier) {
  if (barrier.arrived == 0) return false;
  if (barrier.expected == 0) return barrier.arrived >= block.live;
  uint32_t arrived = 0;
  for (const Warp& warp : block.warps) {
    const uint32_t here = barrier.by_warp[warp.index];
    if (here) arrived += lanes_in(here | ~warp.live);
  }
  return arrived >= barrier.expected;
}

}  // namespace

bool arrive(Warp& warp, uint32_t group, uint32_t id, uint32_t threads, bool waits,
            uint32_t predicate) {
  BlockState& block = *warp.block;
  if (id == cluster_barrier) return wait_for_cluster(warp, group);
  const bool hidden =
      block.machinery->program->basic_blocks[warp.groups[group].basic_block - 1].warpgroup;
  if (id >= named_barriers && !hidden) {
    throw Fault{
        "illegal_barrier",
        "barrier " + std::to_string(id) + ": an SM has 16 barriers",
        719,
        std::nullopt,
        block.machinery->program->basic_blocks[warp.groups[group].basic_block - 1].instruction,
        std::countr_zero(warp.mask)};
  }
  Barrier& barrier = block.barriers[id];
  block.met |= 1u << id;
  // Before Volta a warp arrived as one, whoever of its lanes ran.
  const uint32_t here = block.machinery->lockstep ? warp.live : warp.mask;
  const uint32_t arriving = lanes_in(here & ~barrier.by_warp[warp.index]);
  barrier.expected = threads;
  barrier.arrived += arriving;
  barrier.total += arriving;
  barrier.by_warp[warp.index] |= here;
  barrier.count += lanes_in(predicate);
  if (waits) {
    warp.groups[group].state = Group::waiting;
    warp.groups[group].barrier = id;
    warp.groups[group].waits_at = warp.groups[group].basic_block - 1;
  }
  const bool alone = warp.groups.size() == 1;
  if (complete(block, barrier)) release(block, id);
  // Lanes of the warp that were let go here run on with this group, so it goes back to be picked.
  return alone && warp.groups[group].state == Group::ready;
}

void leave_barriers(BlockState& block, uint32_t threads) {
  block.live -= threads;
  for (uint32_t left = block.met; left; left &= left - 1) {
    const uint32_t id = uint32_t(std::countr_zero(left));
    // A warpgroup's hidden barrier waits for those of its warps that are left.
    Barrier& barrier = block.barriers[id];
    if (id >= named_barriers && barrier.arrived)
      barrier.expected = warpgroup_threads(block, id - named_barriers);
    if (block.live > 0 && complete(block, block.barriers[id])) release(block, id);
  }
}

uint32_t barrier_of(const Warp& warp, const Group& group) {
  const uint32_t basic_block = group.waits_at == no_operand ? group.basic_block : group.waits_at;
  return warp.block->machinery->program->basic_blocks[basic_block].instruction;
}

}  // namespace headroom::sim
