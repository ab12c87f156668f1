// The way of a played warp through its trace, from instruction to instruction, past those that a question leaves out.
//
//   entered {block 3, block 4}, at the last instruction of block 3   ->   the first one of block 4
#pragma once
#include "model/pipeline/played.h"

namespace headroom {

class Walk {
 public:
  explicit Walk(const SmTask& task) : task_(task), leaves_out_(leaves_out(task)) {}

  const TracedBasicBlock& range_of(const PlayedWarp& warp) const {
    return task_.trace.basic_blocks[warp.traced->entered[warp.entry].basic_block];
  }

  // From the beginning, or from the instruction it is at, to the next that is not left out.
  bool go_to_next(PlayedWarp& warp, bool begun) const {
    for (;; begun = true) {
      if (begun && warp.pc != warp.last) {
        ++warp.pc;
      } else {
        warp.entry += begun;
        if (!enter(warp)) return false;
      }
      if (leaves_out_ && left_out(task_, task_.code[warp.pc], warp)) {
        // Values are waited for all the same where it is their use that is left out.
        if (task_.relief.arithmetic || !task_.left_out.empty()) leave_its_wait(warp);
        continue;
      }
      if (task_.code[warp.pc].times) return true;
      pass_on(warp);
    }
  }

  // What the trace has of the instruction the warp is at; null: it did nothing, or nothing more.
  const TracedAccess* access_here(PlayedWarp& warp) const {
    const auto& accesses = warp.traced->accesses;
    for (; warp.access < accesses.size(); ++warp.access) {
      const TracedAccess& access = accesses[warp.access];
      if (access.entry > warp.entry || (access.entry == warp.entry && access.instruction > warp.pc))
        return nullptr;
      if (access.entry == warp.entry && access.instruction == warp.pc) return &access;
    }
    return nullptr;
  }
  const TracedAccess* next_access(PlayedWarp& warp) const {
    const TracedAccess* const access = access_here(warp);
    warp.access += access != nullptr;
    return access;
  }

 private:
  // A question may leave out entries of few lanes, so many that the others' lanes make up for them.
  bool skips(PlayedWarp& warp) const {
    const Entry entry = warp.traced->entered[warp.entry];
    const uint32_t lanes = entry.lanes;
    if (!task_.relief.divergence || lanes >= warp.lanes || !warp.block->mbarriers.empty())
      return false;
    if (!task_.kept.empty() && task_.kept[entry.basic_block]) return false;
    const Action last = task_.code[range_of(warp).last].action;
    if (last == Action::barrier || last == Action::arrive) return false;
    warp.skipped += 1 - lanes / double(warp.lanes);
    if (warp.skipped < 1) return false;
    warp.skipped -= 1;
    return true;
  }

  // To the first instruction of the entry the warp is at, or of one behind it; false: it has none.
  bool enter(PlayedWarp& warp) const {
    for (; warp.entry < warp.traced->entered.size(); ++warp.entry) {
      if (range_of(warp).first > range_of(warp).last || skips(warp)) continue;
      warp.pc = range_of(warp).first;
      warp.last = range_of(warp).last;
      return true;
    }
    return false;
  }

  void leave_its_wait(PlayedWarp& warp) const {
    warp.waits_also |= task_.code[warp.pc].wait_mask;
    pass_on(warp);
  }

  // Another name of a value is there when the value is.
  void pass_on(PlayedWarp& warp) const {
    const InstructionTiming& timing = task_.code[warp.pc];
    Value value;
    for (const uint16_t number : timing.needs)
      if (warp.registers[number].from > value.from) value = warp.registers[number];
    for (const uint16_t number : timing.gives) warp.registers[number] = value;
  }

  const SmTask& task_;
  const bool leaves_out_;
};

}  // namespace headroom
