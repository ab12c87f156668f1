// The execution body: one warp, straight line after straight line. Everything that decides who runs
// next is in the terminator of a basic block; before it there is nothing but operations.
#pragma once
#include <utility>

#include "sim/engine.h"
#include "sim/lanes/lift.h"
#include "sim/lanes/tell.h"
#include "sim/machinery.h"
#include "sim/warp.h"
#include "sim/warpgroup.h"

namespace headroom::sim::HEADROOM_ISA {
namespace {

inline uint32_t value_of(Warp& warp, uint32_t operand, uint32_t otherwise) {
  return operand == no_operand ? otherwise : at<uint32_t>(warp, operand)[__builtin_ctz(warp.mask)];
}

// The lanes that those that run name: tiles of a warp each name their own.
inline uint32_t named_lanes(Warp& warp, uint32_t members) {
  uint32_t named = 0;
  for (int i = 0; i < lanes; ++i) named |= at<uint32_t>(warp, members)[i] & warp.lane_mask[i];
  return named;
}

// The lanes that leave straight line at a terminator: those whose predicate holds.
inline uint32_t taken_lanes(Warp& warp, const BasicBlock& basic_block) {
  if (basic_block.predicate == no_operand) return warp.mask;
  const uint32_t bits = *at<uint32_t>(warp, basic_block.predicate);
  return warp.mask & (basic_block.negated ? ~bits : bits);
}

// A guarded operation runs for the lanes whose predicate holds.
template <Observer O>
void guarded(Warp& warp, const Operation& operation) {
  const uint32_t all = warp.mask, bits = *at<uint32_t>(warp, operation.guard);
  const uint32_t some = all & (operation.guard_negated ? ~bits : bits);
  tell<O>(warp, Guarded{warp, operation, some});
  if (some == 0) return;
  if (some == all) return operation.inner(warp, operation);
  set_mask(warp, some);
  operation.inner(warp, operation);
  set_mask(warp, all);
}

// An observer with steps(warp, basic_block) sees each operation of the basic blocks for which it says
// so, by step(warp, operation), before it runs.
template <Observer O>
bool steps(Warp& warp, uint32_t basic_block) {
  if constexpr (requires(O & observer) { observer.steps(warp, basic_block); })
    return static_cast<O*>(warp.observer)->steps(warp, basic_block);
  else
    return false;
}

template <Observer O>
void run_by_steps(Warp& warp, const Operation* operation, const Operation* last) {
  for (; operation != last; ++operation) {
    if constexpr (requires(O & observer) { observer.step(warp, *operation); })
      static_cast<O*>(warp.observer)->step(warp, *operation);
    operation->part(warp, *operation);
  }
}

// A .sync instruction of lanes that came into its function by different calls.
template <Observer O>
void run_together(Warp& warp, const BasicBlock& basic_block, uint32_t at_basic_block,
                  const Operation* operations, uint32_t mask) {
  set_mask(warp, mask);
  tell<O>(warp, Entered{warp, at_basic_block});
  ++warp.basic_blocks_entered;
  const Operation* const last = operations + basic_block.last;
  if (steps<O>(warp, at_basic_block))
    run_by_steps<O>(warp, operations + basic_block.first, last);
  else
    for (const Operation* operation = operations + basic_block.first; operation != last;
         ++operation)
      operation->part(warp, *operation);
  pass_together(warp, at_basic_block, basic_block.next);
}

// All lanes run. Compiled code may go on from basic block to basic block: which one's operations have ended.
inline uint32_t run_full(Warp& warp, const BasicBlock* basic_blocks, const Operation* operations,
                         uint32_t basic_block) {
  const Operation *operation = operations + basic_blocks[basic_block].first,
                  *last = operations + basic_blocks[basic_block].last;
  warp.chained = nowhere;
  while (operation != last) {
    operation->full(warp, *operation);
    if (warp.chained != nowhere) {
      basic_block = std::exchange(warp.chained, nowhere);
      const BasicBlock& came_to = basic_blocks[basic_block];
      operation = operations + came_to.first;
      last = operations + came_to.last;
      if (operation == last) break;
    }
    operation += operation->together;
  }
  return basic_block;
}

template <Observer O>
Turn run_warp(Warp& warp, const Program& program, uint64_t slice) {
  const BasicBlock* const basic_blocks = program.basic_blocks.data();
  Machinery& machinery = *warp.block->machinery;
  const Operation* operations = machinery.operations;
  const uint64_t end_of_slice = warp.basic_blocks_entered + slice;
  const auto next_look = [&] {
    const uint64_t soon = warp.basic_blocks_entered + blocks_between_looks;
    return machinery.look != ~0ull && soon < end_of_slice ? soon : end_of_slice;
  };
  uint64_t look = warp.look = next_look();
  const bool several = warp.block->warps.size() > 1, together = machinery.turn.together;
  const bool may_chain = !together && warp.accesses->entries && warp.block->traced < 0;
  uint64_t used = 0;  // of the slice, where what is far costs more
  warp.unstable = false;
  warp.rounds = 0;
  for (;;) {
    const int picked = pick(warp);
    if (picked == gives_way) return Turn::spins;
    if (picked == nobody) {
      warp.waits = 0;
      warp.spun = false;
      return warp.groups.empty() ? Turn::done : Turn::waits;
    }
    const uint32_t group = uint32_t(picked);
    const bool alone = warp.groups.size() == 1;
    uint32_t at_basic_block = warp.groups[group].basic_block;
    if (warp.mask != warp.groups[group].mask) set_mask(warp, warp.groups[group].mask);
    const bool full = warp.mask == all_lanes;
    warp.chains = may_chain && alone && full;
    for (bool stays = true; stays;) {  // the same group goes on
      const BasicBlock& entered = basic_blocks[at_basic_block];
      warp.groups[group].basic_block = at_basic_block;
      if (together && (used >= slice || (entered.fences && !warp.fenced))) {
        warp.fenced = used < slice;
        note_work(warp, used);
        return Turn::slice;
      }
      if (!alone && entered.is_reconvergence_point && !reconverged(warp, group)) break;
      if (entered.by_teams && split_by_teams(warp, group, at<uint32_t>(warp, entered.members)))
        break;
      if (!alone && entered.converges) {
        const Converging now = converged(warp, group, named_lanes(warp, entered.members));
        if (now == Converging::waits)
          tell<O>(warp, Reissued{warp, first_instruction(entered), 1, 0});
        if (now != Converging::here) break;
      } else if (!alone && entered.members != no_operand) {
        const uint32_t synced = warp_synced(warp, group, named_lanes(warp, entered.members));
        if (synced != warp.mask) {
          if (synced) run_together<O>(warp, entered, at_basic_block, operations, synced);
          break;
        }
      }
      tell<O>(warp, Entered{warp, at_basic_block});
      ++warp.basic_blocks_entered;
      const Operation* const last = operations + entered.last;
      if (steps<O>(warp, at_basic_block)) {
        run_by_steps<O>(warp, operations + entered.first, last);
      } else if (full) {
        at_basic_block = run_full(warp, basic_blocks, operations, at_basic_block);
      } else {
        for (const Operation* operation = operations + entered.first; operation != last;
             operation += operation->masked_together)
          operation->masked(warp, *operation);
      }
      if (together) {
        used += entered.reads_far ? cost_of_far : 1;
        warp.fenced = false;
      }
      warp.groups[group].basic_block = at_basic_block;
      const BasicBlock& basic_block = basic_blocks[at_basic_block];
      switch (basic_block.terminator) {
        case Terminator::fall_through:
          at_basic_block = basic_block.next;
          if (basic_block.ends_turn && several && others_run(warp)) {
            warp.groups[group].basic_block = at_basic_block;
            warp.waits = 0;
            warp.spun = false;
            return Turn::abreast;
          }
          break;
        case Terminator::jump: at_basic_block = basic_block.target; break;
        case Terminator::branch: {
          const uint32_t taken = taken_lanes(warp, basic_block);
          tell<O>(warp, Taken{warp, basic_block, taken});
          if (taken == warp.mask) {
            at_basic_block = basic_block.target;
          } else if (taken == 0) {
            at_basic_block = basic_block.next;
          } else {
            tell<O>(warp, Diverged{warp, basic_block});
            split(warp, group, taken, basic_block.target, basic_block.next,
                  basic_block.reconvergence_point);
            stays = false;
          }
          break;
        }
        case Terminator::indexed:
          stays =
              !split_indexed(warp, group, basic_block, at<uint32_t>(warp, basic_block.predicate));
          at_basic_block = warp.groups[group].basic_block;
          if (!stays) tell<O>(warp, Diverged{warp, basic_block});
          break;
        case Terminator::indirect: {
          const Parted parted =
              split_indirect(warp, group, basic_block, at<uint64_t>(warp, basic_block.predicate));
          stays = parted.targets == 1;
          at_basic_block = warp.groups[group].basic_block;
          if (stays) break;
          tell<O>(warp, Diverged{warp, basic_block});
          tell<O>(warp, Reissued{warp, basic_block.instruction, parted.targets - 1, parted.lanes});
          break;
        }
        case Terminator::barrier:
        case Terminator::arrive: {
          const uint32_t id = basic_block.warpgroup ? named_barriers + warp.index / 4
                                                    : value_of(warp, basic_block.barrier, 0),
                         threads = basic_block.warpgroup
                                       ? warpgroup_threads(*warp.block, warp.index / 4)
                                       : value_of(warp, basic_block.threads, 0);
          uint32_t predicate = 0;
          if (basic_block.reduce != no_operand) {
            const uint32_t bits = *at<uint32_t>(warp, basic_block.reduce);
            predicate = warp.mask & (basic_block.reduce_negated ? ~bits : bits);
          }
          warp.groups[group].basic_block = at_basic_block = basic_block.next;
          tell<O>(warp, Arrived{warp, id, basic_block.terminator == Terminator::barrier});
          stays = arrive(warp, group, id, threads, basic_block.terminator == Terminator::barrier,
                         predicate);
          break;
        }
        case Terminator::call:
          call(warp, program, group, at_basic_block);
          stays = false;
          break;
        case Terminator::ret:
        case Terminator::exit: {
          const uint32_t leaving = taken_lanes(warp, basic_block);
          tell<O>(warp, Taken{warp, basic_block, leaving});
          if (leaving == 0) {
            at_basic_block = basic_block.next;
            break;
          }
          warp.groups[group].basic_block = basic_block.next;  // for the lanes that stay, if any
          if (basic_block.terminator == Terminator::exit ||
              warp.frames[warp.groups[group].frame].depth == 0)
            tell<O>(warp, Ended{warp, leaving});
          if (basic_block.terminator == Terminator::ret)
            ret(warp, program, group, leaving);
          else
            leave(warp, group, leaving);
          stays = false;
          break;
        }
        case Terminator::trap:
          throw Fault{"trap",       "the kernel executed trap", 719,
                      std::nullopt, basic_block.instruction,    __builtin_ctz(warp.mask)};
      }
      if (!stays) break;
      warp.groups[group].basic_block = at_basic_block;
      if (basic_block.back_edge) {
        if (warp.basic_blocks_entered >= look) {
          if (warp.basic_blocks_entered >= end_of_slice) break;
          note_ran(machinery, blocks_between_looks);
          operations = machinery.operations;
          look = warp.look = next_look();
        }
        // Most loops neither wait nor write: one branch for all three.
        if (int(basic_block.spins) | int(basic_block.changes) | int(!alone)) {
          warp.unstable |= basic_block.changes;
          if (basic_block.spins || !alone) {
            warp.rounds += basic_block.waits_for_blocks;
            warp.groups[group].spins += basic_block.spins ? machinery.turn.spin_cost : 1;
            if (warp.groups[group].spins >= patience) break;
          }
        }
      }
    }
    if (warp.basic_blocks_entered >= end_of_slice) {
      if (!together) warp.waits = 0;
      note_work(warp, slice);
      return Turn::slice;
    }
  }
}

}  // namespace
}  // namespace headroom::sim::HEADROOM_ISA
