// One SM, cycle by cycle: the traced warps of a few blocks issue their instructions again, as the
// control words, the pipes, the register banks, memory and barriers let them.
//
//   SmRun run = play({trace, timings, machine, supply, resident blocks 4, …});
//   run.cycles, run.issued, run.stalls[Stall::long_scoreboard]
//
// Each sub-partition issues one instruction a cycle (issue_rule.h has the others), of the warp that issued last
// if it can, else of the block that began first, of its warps the one that could longest ago. A control word tells
// how many cycles a warp waits after an instruction, and for which barriers; results that take no fixed time release
// one. Without control words a warp waits for the registers that its next instruction needs.
#pragma once
#include <cstdint>
#include <vector>

#include "machine/machine.h"
#include "model/pipeline/memory_path.h"
#include "model/pipeline/parts.h"
#include "model/pipeline/timing.h"

namespace headroom {

class PlayedAgain;

struct SmTask {
  const Trace& trace;
  const std::vector<InstructionTiming>& code;
  const Machine& machine;
  Supply supply;
  int resident = 1;       // blocks
  size_t blocks = ~0ull;  // that are played, no more than were traced but for `again`
  Relief relief = {};
  std::vector<bool> left_out = {};     // instructions that a question leaves out; empty: none
  const PlayedAgain* again = nullptr;  // where those lie that are played again
  std::vector<bool> kept = {};  // basic blocks of few lanes that it does not leave out; empty: none
};

struct SmRun {
  double cycles = 0;
  std::vector<double> ends;  // of the blocks, in the order of the trace
  uint64_t issued = 0;
  StallCycles stalls{};  // cycles of warps, summed
  std::vector<StallCycles> by_instruction;
  double first_atomic = 0;  // when the first global atomic was issued; 0: none was
  double byte_cycles = 0;   // bytes of global loads times how long they took
  MemoryUse memory;
  double bank_cycles = 0;  // cycles that registers of one bank cost
  std::vector<std::vector<double>>
      marks;  // when every 16th instruction was issued: by each sub-partition; by all
  std::vector<PlayedParts> parts;  // of each warp, where some were traced in parts
};

SmRun play(const SmTask&);

// Cycles from one block's start to the next one's on an SM; from a block's end to the start of the one in its place.
double cycles_of_start(size_t warps);
inline constexpr double block_follows = 280;

// How long an instruction takes that warps execute after the end of their traces, by the mean of those that were
// played: as long as in the later part of the blocks that begin first, on the sub-partition that takes longest, or
// on all of them if they take turns. What warps do to begin with they do once, and in the end fewer are left to share
// it.
double pace_of_rest(const SmRun&, size_t resident);

}  // namespace headroom
