// The execution body: one warp, straight line after straight line. Everything that decides who runs
// next is in the terminator of a basic block; before it there is nothing but operations.
#include "sim/lanes/isa.h"
#include "sim/lanes/lift.h"
#include "sim/machinery.h"
#include "sim/observe.h"
#include "sim/warp.h"
#include "sim/warpgroup.h"

namespace headroom::sim::HEADROOM_ISA {
namespace {

template <class Observer>
inline void entered(Warp& warp, uint32_t basic_block) {
  if constexpr (std::is_same_v<Observer, Count>) {
    Count& count = *static_cast<Count*>(warp.observer);
    count.entries[basic_block] += 1;
    count.lanes_entered[basic_block] += uint64_t(__builtin_popcount(warp.mask));
  }
}

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

}  // namespace

// A guarded operation runs for the lanes whose predicate holds.
template <class Observer>
void guarded(Warp& warp, const Operation& operation) {
  const uint32_t all = warp.mask, bits = *at<uint32_t>(warp, operation.guard);
  const uint32_t some = all & (operation.guard_negated ? ~bits : bits);
  if constexpr (std::is_same_v<Observer, Count>) {
    static_cast<Count*>(warp.observer)->guarded(operation, uint32_t(__builtin_popcount(some)));
  }
  if (some == 0) return;
  set_mask(warp, some);
  operation.inner(warp, operation);
  set_mask(warp, all);
}

// A .sync instruction of lanes that came into its function by different calls.
template <class Observer>
void run_together(Warp& warp, const BasicBlock& basic_block, uint32_t at_basic_block,
                  const Operation* operations, uint32_t mask) {
  set_mask(warp, mask);
  entered<Observer>(warp, at_basic_block);
  ++warp.basic_blocks_entered;
  for (const Operation* operation = operations + basic_block.first;
       operation != operations + basic_block.last; ++operation)
    operation->part(warp, *operation);
  pass_together(warp, at_basic_block, basic_block.next);
}

template <class Observer>
Turn run_warp(Warp& warp, const Program& program, uint64_t slice) {
  const BasicBlock* const basic_blocks = program.basic_blocks.data();
  const Operation* const operations = program.operations[Observer::which].data();
  const uint64_t end_of_slice = warp.basic_blocks_entered + slice;
  warp.unstable = false;
  for (;;) {
    const int picked = pick(warp);
    if (picked == gives_way) return Turn::spins;
    if (picked == nobody) {
      warp.waits = 0;
      return warp.groups.empty() ? Turn::done : Turn::waits;
    }
    const uint32_t group = uint32_t(picked);
    const bool alone = warp.groups.size() == 1;
    uint32_t at_basic_block = warp.groups[group].basic_block;
    set_mask(warp, warp.groups[group].mask);
    const bool full = warp.mask == all_lanes;
    for (bool stays = true; stays;) {  // the same group goes on
      const BasicBlock& basic_block = basic_blocks[at_basic_block];
      warp.groups[group].basic_block = at_basic_block;
      if (!alone && basic_block.is_reconvergence_point && !reconverged(warp, group)) break;
      if (!alone && basic_block.members != no_operand) {
        const uint32_t together = warp_synced(warp, group, named_lanes(warp, basic_block.members));
        if (together != warp.mask) {
          if (together)
            run_together<Observer>(warp, basic_block, at_basic_block, operations, together);
          break;
        }
      }
      entered<Observer>(warp, at_basic_block);
      ++warp.basic_blocks_entered;
      const Operation* const last = operations + basic_block.last;
      if (full) {
        for (const Operation* operation = operations + basic_block.first; operation != last;
             operation += operation->together)
          operation->full(warp, *operation);
      } else {
        for (const Operation* operation = operations + basic_block.first; operation != last;
             ++operation)
          operation->part(warp, *operation);
      }
      switch (basic_block.terminator) {
        case Terminator::fall_through: at_basic_block = basic_block.next; break;
        case Terminator::jump: at_basic_block = basic_block.target; break;
        case Terminator::branch: {
          const uint32_t taken = taken_lanes(warp, basic_block);
          if (taken == warp.mask) {
            at_basic_block = basic_block.target;
          } else if (taken == 0) {
            at_basic_block = basic_block.next;
          } else {
            if constexpr (std::is_same_v<Observer, Count>) {
              static_cast<Count*>(warp.observer)->counters.divergent_branches +=
                  basic_block.profile.branches;
            }
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
          if constexpr (std::is_same_v<Observer, Count>) {
            static_cast<Count*>(warp.observer)->counters.divergent_branches += !stays;
          }
          break;
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
          if (leaving == 0) {
            at_basic_block = basic_block.next;
            break;
          }
          warp.groups[group].basic_block = basic_block.next;  // for the lanes that stay, if any
          if (basic_block.terminator == Terminator::ret)
            ret(warp, program, group, leaving);
          else
            leave(warp, group, leaving);
          stays = false;
          break;
        }
        case Terminator::trap:
          throw Fault{"trap", "the kernel executed trap", 719,
                      0,      basic_block.instruction,    __builtin_ctz(warp.mask)};
      }
      if (!stays) break;
      warp.groups[group].basic_block = at_basic_block;
      if (basic_block.back_edge) {
        if (warp.basic_blocks_entered >= end_of_slice) break;
        if (basic_block.spins || !alone) {
          warp.unstable |= basic_block.changes;
          warp.groups[group].spins += basic_block.spins ? spin_cost : 1;
          if (warp.groups[group].spins >= patience) break;
        }
      }
    }
    if (warp.basic_blocks_entered >= end_of_slice) {
      warp.waits = 0;
      return Turn::slice;
    }
  }
}

template void guarded<Count>(Warp&, const Operation&);
template void guarded<Silent>(Warp&, const Operation&);
template Turn run_warp<Count>(Warp&, const Program&, uint64_t);
template Turn run_warp<Silent>(Warp&, const Program&, uint64_t);

namespace {
void stop(Warp&, const Operation&) {}

void add_rows(RowTable& table) {
  integer_rows(table);
  bit_rows(table);
  float_rows(table);
  half_rows(table);
  convert_rows(table);
  narrow_rows(table);
  video_rows(table);
  compare_rows(table);
  warp_rows(table);
  inner_rows(table);
  matrix_rows(table);
}
}  // namespace

extern const Engine the_engine;
const Engine the_engine{HEADROOM_ISA_NAME,
                        &add_rows,
                        &choose_access,
                        &choose_load,
                        &choose_store,
                        &choose_atomic,
                        {&guarded<Count>, &guarded<Silent>},
                        &stop,
                        {&run_warp<Count>, &run_warp<Silent>}};

}  // namespace headroom::sim::HEADROOM_ISA
