// The execution body: one warp, straight line after straight line. Everything that decides who runs
// next is at the end of a run; inside a run there is nothing but steps.
#include "sim/lanes/isa.h"
#include "sim/lanes/lift.h"
#include "sim/machinery.h"
#include "sim/observe.h"
#include "sim/warp.h"

namespace headroom::sim::HEADROOM_ISA {
namespace {

template <class Observer>
inline void entered(Warp& warp, uint32_t run) {
  if constexpr (std::is_same_v<Observer, Count>) {
    Count& count = *static_cast<Count*>(warp.observer);
    count.run_count[run] += 1;
    count.run_lanes[run] += uint64_t(__builtin_popcount(warp.mask));
  }
}

inline uint32_t value_of(Warp& warp, uint32_t operand, uint32_t otherwise) {
  return operand == no_operand ? otherwise : at<uint32_t>(warp, operand)[__builtin_ctz(warp.mask)];
}

// The lanes that leave straight line at the end of a run: those whose predicate holds.
inline uint32_t taken_lanes(Warp& warp, const Run& run) {
  if (run.predicate == no_operand) return warp.mask;
  const uint32_t bits = *at<uint32_t>(warp, run.predicate);
  return warp.mask & (run.negated ? ~bits : bits);
}

}  // namespace

// A guarded step runs for the lanes whose predicate holds.
template <class Observer>
void guarded(Warp& warp, const Step& step) {
  const uint32_t all = warp.mask, bits = *at<uint32_t>(warp, step.guard);
  const uint32_t some = all & (step.guard_negated ? ~bits : bits);
  if constexpr (std::is_same_v<Observer, Count>) {
    static_cast<Count*>(warp.observer)->guarded(step, uint32_t(__builtin_popcount(some)));
  }
  if (some == 0) return;
  set_mask(warp, some);
  step.inner(warp, step);
  set_mask(warp, all);
}

template <class Observer>
Turn run_warp(Warp& warp, const Program& program, uint64_t slice) {
  const Run* const runs = program.runs.data();
  const Step* const steps = program.steps[Observer::which].data();
  const uint64_t end_of_slice = warp.steps + slice;
  for (;;) {
    const int picked = pick(warp);
    if (picked < 0) return warp.groups.empty() ? Turn::done : Turn::waits;
    const uint32_t group = uint32_t(picked);
    const uint32_t meets = meeting_point(warp, group);
    const bool alone = warp.groups.size() == 1;
    uint32_t at_run = warp.groups[group].run;
    set_mask(warp, warp.groups[group].mask);
    const bool full = warp.mask == all_lanes;
    bool stays = true;  // the same group goes on
    do {
      const Run& run = runs[at_run];
      warp.groups[group].run = at_run;
      if (run.members != no_operand &&
          !converged(warp, group, value_of(warp, run.members, all_lanes)))
        break;
      entered<Observer>(warp, at_run);
      ++warp.steps;
      const Step* const last = steps + run.last;
      if (full) {
        for (const Step* step = steps + run.first; step != last; step += step->together)
          step->full(warp, *step);
      } else {
        for (const Step* step = steps + run.first; step != last; ++step) step->part(warp, *step);
      }
      switch (run.end) {
        case End::fall: at_run = run.next; break;
        case End::jump: at_run = run.target; break;
        case End::branch: {
          const uint32_t taken = taken_lanes(warp, run);
          if (taken == warp.mask) {
            at_run = run.target;
          } else if (taken == 0) {
            at_run = run.next;
          } else {
            if constexpr (std::is_same_v<Observer, Count>) {
              static_cast<Count*>(warp.observer)->counters.divergent_branches += 1;
            }
            split(warp, group, taken, run.target, run.next);
            stays = false;
          }
          break;
        }
        case End::indexed: {
          const uint32_t* index = at<uint32_t>(warp, run.predicate);
          const uint32_t first = index[__builtin_ctz(warp.mask)];
          uint32_t same = 0;
          for (int i = 0; i < lanes; ++i) same |= uint32_t(index[i] == first) << i;
          same &= warp.mask;
          if (first >= run.targets.size())
            throw Fault{"illegal_branch",
                        "brx.idx: the index is past the last target",
                        719,
                        0,
                        run.instruction,
                        __builtin_ctz(warp.mask)};
          if (same == warp.mask) {
            at_run = run.targets[first];
          } else {
            split(warp, group, same, run.targets[first], at_run);
            stays = false;
          }
          break;
        }
        case End::barrier:
        case End::arrive: {
          const uint32_t id = value_of(warp, run.barrier, 0),
                         threads = value_of(warp, run.threads, 0);
          uint32_t predicate = 0;
          if (run.reduce != no_operand) {
            const uint32_t bits = *at<uint32_t>(warp, run.reduce);
            predicate = warp.mask & (run.reduce_negated ? ~bits : bits);
          }
          warp.groups[group].run = at_run = run.next;
          stays = arrive(warp, group, id, threads, run.end == End::barrier, predicate);
          break;
        }
        case End::call:
          call(warp, program, group, run.callee, at_run);
          stays = false;
          break;
        case End::ret:
        case End::exit: {
          const uint32_t leaving = taken_lanes(warp, run);
          if (leaving == 0) {
            at_run = run.next;
            break;
          }
          warp.groups[group].run = run.next;  // for the lanes that stay, if any
          if (run.end == End::ret)
            ret(warp, program, group, leaving);
          else
            leave(warp, group, leaving);
          stays = false;
          break;
        }
        case End::trap:
          throw Fault{"trap",          "the kernel executed trap", 719, 0,
                      run.instruction, __builtin_ctz(warp.mask)};
      }
      if (!stays) break;
      warp.groups[group].run = at_run;
      if (run.back_edge) {
        if (warp.steps >= end_of_slice) return Turn::slice;
        if (!alone) {
          warp.groups[group].spins += run.spins ? spin_cost : 1;
          break;
        }
      }
    } while (at_run < meets);
    if (warp.groups.size() > 1) merge(warp);
    if (warp.steps >= end_of_slice) return Turn::slice;
  }
}

template void guarded<Count>(Warp&, const Step&);
template void guarded<Silent>(Warp&, const Step&);
template Turn run_warp<Count>(Warp&, const Program&, uint64_t);
template Turn run_warp<Silent>(Warp&, const Program&, uint64_t);

namespace {
void stop(Warp&, const Step&) {}

void add_rows(RowTable& table) {
  integer_rows(table);
  bit_rows(table);
  float_rows(table);
  half_rows(table);
  convert_rows(table);
  compare_rows(table);
  warp_rows(table);
  inner_rows(table);
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
