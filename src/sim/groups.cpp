// The lanes of a warp that share a program counter are a group. Who runs next, where groups part,
// and where they come together.
//
// Where lanes part at a branch they come together at its immediate post-dominator
// (BasicBlock::reconvergence_point), as at a convergence barrier of the hardware: not before,
// though some may pass the same basic blocks one after the other, and not in different calls of one
// function. A lane that waits there for lanes that wait for it is let go, so that spin locks make
// progress.
//
// Of machine code the side of a branch with fewer lanes goes first, and who falls through where both
// have as many: so count BSYNCs that are executed twice on an H200 (64 warps of a bitonic sort).
#include <algorithm>
#include <bit>

#include "sim/cluster.h"
#include "sim/machinery.h"
#include "sim/warp.h"

namespace headroom::sim {
namespace {

constexpr uint64_t rounds_to_wait = 4 * most_rounds;  // for lanes that only go round waiting loops
// … basic blocks for lanes that do so in loops not known to wait, or work for long
constexpr uint64_t apart_for = 4 * slice_basic_blocks;
// … basic blocks in short turns after which it no longer counts as waiting
constexpr uint64_t much_work = 4096;

// As on a stack: the latest split first; of its sides the one with the lowest counter.
bool before(const Group& a, const Group& b) {
  return a.order != b.order ? a.order > b.order : a.basic_block < b.basic_block;
}

bool lockstep(const Warp& warp) { return warp.block->machinery->lockstep; }

void note_waiting(Warp& warp) {
  warp.waits += warp.block->machinery->turn.rounds;
  warp.worked = 0;
  warp.spun = true;
}

void remove(Warp& warp, uint32_t group) {
  warp.groups[group] = warp.groups.back();
  warp.groups.pop_back();
}

template <class Wanted>
int first(const Warp& warp, Wanted&& wanted) {
  int best = -1;
  for (uint32_t g = 0; g < warp.groups.size(); ++g) {
    const Group& group = warp.groups[g];
    if (wanted(group) && (best < 0 || before(group, warp.groups[uint32_t(best)]))) best = int(g);
  }
  return best;
}

// Takes those in state `state` at the same place into `group`; true if there were any.
template <class Wanted>
bool take_in(Warp& warp, uint32_t& group, Group::State state, Wanted&& wanted) {
  bool any = false;
  for (uint32_t g = 0; g < warp.groups.size();) {
    Group &mine = warp.groups[group], &other = warp.groups[g];
    if (g == group || other.state != state || other.basic_block != mine.basic_block ||
        other.frame != mine.frame || !wanted(other)) {
      ++g;
      continue;
    }
    mine.mask |= other.mask;
    mine.order = std::max(mine.order, other.order);
    mine.spins = std::max(mine.spins, other.spins);
    if (group == warp.groups.size() - 1) group = g;
    remove(warp, g);
    any = true;
  }
  return any;
}

bool waits_here(const ConvergenceBarrier& at, const Group& group) {
  return at.basic_block == group.basic_block && at.frame == group.frame &&
         (at.lanes & group.mask) != 0;
}

void let_go(Warp& warp, Group& group) {
  for (ConvergenceBarrier& at : warp.convergence_barriers) {
    if (waits_here(at, group)) at.lanes &= ~group.mask;
  }
  std::erase_if(warp.convergence_barriers,
                [](const ConvergenceBarrier& at) { return at.lanes == 0; });
  group.state = Group::ready;
  group.forced |= warp.block->machinery->program->basic_blocks[group.basic_block].converges;
}

// All that could run only go round waiting loops, or round others for long: what they wait for may
// be done by lanes that wait for them.
bool let_all_go(Warp& warp) {
  note_waiting(warp);
  const bool long_enough =
      warp.waits >= rounds_to_wait || warp.apart >= apart_for || warp.impatient;
  if (lockstep(warp) || !long_enough) return false;
  bool any = false;
  for (Group& group : warp.groups) {
    if (group.state != Group::reconverging) continue;
    let_go(warp, group);
    any = true;
  }
  warp.impatient |= any;
  return any;
}

// Nobody can run: who waits for lanes that cannot come goes on with those that are here.
int force(Warp& warp) {
  int group = first(warp, [](const Group& g) { return g.state == Group::reconverging; });
  if (group >= 0) {
    let_go(warp, warp.groups[uint32_t(group)]);
    return group;
  }
  group = first(warp, [](const Group& g) { return g.state == Group::warp_sync; });
  if (group >= 0) {
    warp.groups[uint32_t(group)].state = Group::ready;
    warp.groups[uint32_t(group)].forced = true;
  }
  return group;
}

int pick_of_several(Warp& warp) {
  const auto can_run = [](const Group& g) { return g.state == Group::ready && g.spins < patience; };
  if (lockstep(warp)) {  // the top of the stack, or nobody
    const int top = first(warp, [](const Group& g) { return g.state != Group::reconverging; });
    if (top >= 0 && warp.groups[uint32_t(top)].state == Group::waiting) return nobody;
    if (top >= 0 && can_run(warp.groups[uint32_t(top)])) return top;
  } else {
    const int best = first(warp, can_run);
    if (best >= 0) return best;
  }
  bool spun = false;
  for (Group& group : warp.groups) {
    spun |= group.state == Group::ready;
    group.spins = 0;
  }
  if (!spun) return force(warp);
  return let_all_go(warp) ? first(warp, can_run) : gives_way;
}

}  // namespace

void note_work(Warp& warp, uint64_t basic_blocks) {
  warp.spun = false;
  warp.worked += basic_blocks;
  if (warp.worked >= much_work) warp.waits = 0;
  if (warp.groups.size() > 1) warp.apart += basic_blocks;
}

bool others_run(const Warp& warp) {
  return std::ranges::any_of(warp.block->warps, [&](const Warp& other) {
    return &other != &warp && !other.spun &&
           std::ranges::any_of(other.groups,
                               [](const Group& group) { return group.state == Group::ready; });
  });
}

int pick(Warp& warp) {
  int group = nobody;
  if (warp.groups.size() > 1) {
    group = pick_of_several(warp);
  } else if (warp.groups.size() == 1) {  // all lanes are here, so nobody else can come
    Group& all = warp.groups[0];
    warp.convergence_barriers.clear();
    warp.splits = all.order = warp.apart = 0;
    if (all.state == Group::waiting) return nobody;
    all.state = Group::ready;
    group = all.spins < patience ? 0 : gives_way;
    if (group == gives_way) {
      all.spins = 0;
      note_waiting(warp);
    }
  }
  if (group >= 0) warp.current = uint32_t(group);
  return group;
}

void part(Warp& warp, uint32_t group, uint32_t reconvergence_point) {
  if (reconvergence_point == no_operand) return;
  const Group& mine = warp.groups[group];
  ConvergenceBarrier at{reconvergence_point, mine.frame, mine.mask, mine.order};
  if (reconvergence_point == at_return) {
    const Frame& frame = warp.frames[mine.frame];
    if (frame.depth == 0) return;
    at.basic_block = warp.block->machinery->program->basic_blocks[frame.call_basic_block].next;
    at.frame = frame.parent;
  }
  for (const ConvergenceBarrier& known : warp.convergence_barriers) {
    if (known.basic_block == at.basic_block && known.frame == at.frame &&
        (at.lanes & ~known.lanes) == 0)
      return;
  }
  warp.convergence_barriers.push_back(at);
}

void split(Warp& warp, uint32_t group, uint32_t taken, uint32_t target, uint32_t next,
           uint32_t reconvergence_point) {
  part(warp, group, reconvergence_point);
  Group& mine = warp.groups[group];
  mine.order = ++warp.splits;
  Group other = mine;
  other.mask = taken;
  other.basic_block = target;
  mine.mask &= ~taken;
  mine.basic_block = next;
  if (warp.block->machinery->program->code)
    (std::popcount(other.mask) < std::popcount(mine.mask) ? other : mine).order = ++warp.splits;
  warp.groups.push_back(other);
}

bool split_indexed(Warp& warp, uint32_t group, const BasicBlock& basic_block,
                   const uint32_t* index) {
  const uint32_t all = warp.groups[group].mask;
  for (uint32_t left = all; left; left &= left - 1) {
    const int lane = std::countr_zero(left);
    if (index[lane] < basic_block.targets.size()) continue;
    throw Fault{"illegal_branch",
                "brx.idx: the index is past the last target",
                719,
                std::nullopt,
                basic_block.instruction,
                lane};
  }
  for (uint32_t left = all; left;) {
    const uint32_t target = basic_block.targets[index[std::countr_zero(left)]];
    uint32_t same = 0;
    for (uint32_t rest = left; rest; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      same |= uint32_t(basic_block.targets[index[lane]] == target) << lane;
    }
    if ((left &= ~same) == 0) {  // the last ones
      warp.groups[group].basic_block = target;
      return same != all;
    }
    split(warp, group, same, target, warp.groups[group].basic_block,
          basic_block.reconvergence_point);
  }
  return false;
}

bool reconverged(Warp& warp, uint32_t group) {
  uint32_t named = 0;
  bool joined = false;
  for (uint32_t before = ~0u; before != named;) {
    before = named;
    for (const ConvergenceBarrier& at : warp.convergence_barriers) {
      if (waits_here(at, warp.groups[group])) named |= at.lanes;
    }
    joined |= take_in(warp, group, Group::reconverging,
                      [&](const Group& other) { return (other.mask & named) != 0; });
  }
  if (named == 0) return true;
  Group& mine = warp.groups[group];
  mine.state = Group::reconverging;
  if (named & ~mine.mask) return false;
  for (const ConvergenceBarrier& at : warp.convergence_barriers) {
    if (waits_here(at, mine)) mine.order = std::min(mine.order, at.order);
  }
  std::erase_if(warp.convergence_barriers,
                [&](const ConvergenceBarrier& at) { return waits_here(at, mine); });
  mine.state = Group::ready;
  return !joined;
}

bool split_by_teams(Warp& warp, uint32_t group, const uint32_t* members) {
  const uint32_t all = warp.groups[group].mask;
  const auto team_of = [&](uint32_t left) {
    uint32_t team = 0;
    for (uint32_t rest = left; rest; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      team |= uint32_t(members[lane] == members[std::countr_zero(left)]) << lane;
    }
    return team;
  };
  uint32_t left = all & ~team_of(all);
  warp.groups[group].mask &= ~left;
  while (left) {
    Group other = warp.groups[group];
    other.mask = team_of(left);
    left &= ~other.mask;
    warp.groups.push_back(other);
  }
  return warp.groups[group].mask != all;
}

uint32_t warp_synced(Warp& warp, uint32_t group, uint32_t members) {
  if (lockstep(warp)) return warp.groups[group].mask;
  const BasicBlock& at =
      warp.block->machinery->program->basic_blocks[warp.groups[group].basic_block];
  const bool joined = take_in(warp, group, Group::warp_sync, [&](const Group& other) {
    return !at.by_teams || (other.mask & members) != 0;
  });
  Group& mine = warp.groups[group];
  const uint32_t named = members & warp.live;
  if ((named & ~mine.mask) == 0 || mine.forced) {
    mine.state = Group::ready;
    mine.forced = joined && mine.forced;
    return joined ? 0 : mine.mask;
  }
  mine.state = Group::warp_sync;
  uint32_t here = mine.mask;  // with those that came by other calls of the function
  for (const Group& other : warp.groups) {
    if (other.state == Group::warp_sync && other.basic_block == mine.basic_block)
      here |= other.mask;
  }
  return named & ~here ? 0 : here;
}

Converging converged(Warp& warp, uint32_t group, uint32_t named) {
  bool joined = take_in(warp, group, Group::reconverging,
                        [&](const Group& other) { return (other.mask & named) != 0; });
  // … and who was woken there, and has not looked again yet
  joined |= take_in(warp, group, Group::ready, [&](const Group& other) {
    return other.converging == other.basic_block && !other.forced && (other.mask & named) != 0;
  });
  Group& mine = warp.groups[group];
  if ((named & warp.live & ~mine.mask) != 0 && !mine.forced) {
    const bool first = mine.converging != mine.basic_block;
    mine.converging = mine.basic_block;
    mine.state = Group::reconverging;
    return first ? Converging::waits : Converging::again;
  }
  mine.state = Group::ready;
  mine.forced = joined && mine.forced;
  if (joined) return Converging::again;
  mine.converging = no_operand;
  return Converging::here;
}

void wake_converging(Warp& warp) {
  for (Group& group : warp.groups) {
    if (group.state == Group::warp_sync || group.state == Group::reconverging)
      group.state = Group::ready;
  }
}

Parted split_indirect(Warp& warp, uint32_t group, const BasicBlock& basic_block,
                      const uint64_t* address) {
  const auto& block_at = warp.block->machinery->program->block_at;
  Parted parted{0, uint32_t(std::popcount(warp.groups[group].mask))};
  for (uint32_t left = warp.groups[group].mask; left;) {
    const uint64_t to = address[std::countr_zero(left)];
    const auto found = block_at.find(to);
    if (found == block_at.end())
      throw Fault{"illegal_branch",
                  "a jump to where no instruction of the kernel is",
                  718,
                  to,
                  basic_block.instruction,
                  std::countr_zero(left)};
    uint32_t same = 0;
    for (uint32_t rest = left; rest; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      same |= uint32_t(address[lane] == to) << lane;
    }
    if ((left &= ~same) == 0) {  // the last ones
      warp.groups[group].basic_block = found->second;
      ++parted.targets;
      break;
    }
    split(warp, group, same, found->second, warp.groups[group].basic_block, no_operand);
    ++parted.targets;
  }
  return parted;
}

void pass_together(Warp& warp, uint32_t basic_block, uint32_t next) {
  for (Group& group : warp.groups) {
    if (group.state != Group::warp_sync || group.basic_block != basic_block) continue;
    group.state = Group::ready;
    group.basic_block = next;
  }
}

void merge_behind_barrier(Warp& warp) {
  for (uint32_t g = 0; g < warp.groups.size(); ++g) {
    uint32_t group = g;
    if (warp.groups[g].state == Group::ready && warp.groups[g].waits_at != no_operand) {
      const uint32_t at = warp.groups[g].waits_at;
      if (take_in(warp, group, Group::ready,
                  [&](const Group& other) { return other.waits_at == at; }))
        g = ~0u;  // indices moved
    }
  }
  for (Group& group : warp.groups) {
    if (group.state != Group::waiting) group.waits_at = no_operand;
  }
}

void leave(Warp& warp, uint32_t group, uint32_t mask) {
  warp.live &= ~mask;
  leave_frames(warp, warp.groups[group].frame, mask);
  warp.groups[group].mask &= ~mask;
  if (warp.groups[group].mask == 0) remove(warp, group);
  for (ConvergenceBarrier& at : warp.convergence_barriers) at.lanes &= ~mask;
  std::erase_if(warp.convergence_barriers,
                [](const ConvergenceBarrier& at) { return at.lanes == 0; });
  wake_converging(warp);
  leave_barriers(*warp.block, lanes_in(mask));
  leave_cluster(warp, mask);
}

}  // namespace headroom::sim
