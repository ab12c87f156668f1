// What stands on an SM while it is played: resident blocks, their warps, and what those wait for.
// Times are cycles of the SM since the launch began.
//
//   PlayedBlock 17: 8 warps, of which 3 wait at barrier 0   ->   opens when the eighth comes
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "model/pipeline/fences.h"
#include "model/pipeline/sm.h"
#include "model/pipeline/sm_cycles.h"

namespace headroom {

constexpr size_t named_barriers = 16;  // of a block; behind them the cluster's

struct Pending {  // what a barrier of a control word stands for
  double until = 0;
  Stall because = Stall::wait;
  std::vector<double> marks;  // of asynchronous copies, one after the other
};

struct Value {  // of a register: when it is there
  double from = 0;
  Stall because = Stall::wait;
};

struct Phase {  // of an mbarrier
  uint32_t missing = 0;
  double over = 0;       // when the last that came will have
  bool by_copy = false;  // … and that is a copy
};

struct PlayedBlock;
struct SubPartition;

struct PlayedWarp {
  const TracedWarp* traced = nullptr;
  PlayedBlock* block = nullptr;
  SubPartition* part = nullptr;
  uint32_t entry = 0, access = 0, pc = 0, last = 0;  // last: instruction of its basic block
  double ready = 0;                                  // may issue
  bool waits = false;                                // at a barrier, of whatever kind
  bool gone = false;
  bool has_constant = false;        // of its next instruction, for which it has waited
  uint8_t barrier = 0, lanes = 32;  // lanes: that it begins with
  size_t seat = 0;                  // of its sub-partition
  uint32_t barrier_at = 0;          // the instruction with which it arrived
  std::array<Pending, barriers> pending;
  std::vector<Value> registers;  // where no control word tells
  double copies_done = 0, stores_done = 0, bulk_read = 0, products_done = 0;
  std::vector<double> products;  // of a warpgroup: the ends of its groups
  const Phase* awaits = nullptr;
  uint8_t waits_also = 0;  // of instructions that are left out: barriers of control words
  uint32_t loads = 0;      // so far, where some are left out
  double skipped = 0;      // of lanes that are out, when divergence is left out
  Since since = Since::nothing;
  size_t parts = 0;  // its place in SmRun::parts
};

struct PlayedBlock {
  const TracedBlock* traced = nullptr;
  size_t place = 0;
  std::vector<uint64_t> sectors_again;  // where it is played again
  int live = 0;
  std::array<int, named_barriers + 1> arrived{};
  std::vector<std::vector<Phase>> mbarriers;
  std::vector<std::unique_ptr<PlayedWarp>> warps;

  const uint64_t* sectors() const {
    return sectors_again.empty() ? traced->sectors.data() : sectors_again.data();
  }
};

// Of an arrival, or of one who waits; null: the trace does not have it.
inline Phase* phase_of(PlayedBlock& block, const TracedAccess& access) {
  if (access.first_sector >= block.mbarriers.size()) return nullptr;
  auto& phases = block.mbarriers[access.first_sector];
  return access.sectors < phases.size() ? &phases[access.sectors] : nullptr;
}

struct Over {
  const PlayedBlock* block;
  double when;
};

// Whether a question leaves out instructions; and whether it does the one that the warp is at.
inline bool leaves_out(const SmTask& task) {
  const Relief& relief = task.relief;
  return !task.left_out.empty() || relief.local_memory || relief.memory || relief.arithmetic ||
         relief.half_shared_loads || relief.half_global_loads;
}
inline bool left_out(const SmTask& task, const InstructionTiming& timing, PlayedWarp& warp) {
  if (!task.left_out.empty() && task.left_out[warp.pc]) return true;
  const Relief& relief = task.relief;
  if (relief.local_memory && timing.local) return true;
  if (relief.memory && timing.far) return true;
  if (relief.arithmetic && timing.floats) return true;
  if ((relief.half_shared_loads && timing.shared_load) ||
      (relief.half_global_loads && timing.global_load))
    return ++warp.loads % 2 == 0;
  return false;
}

// From the end of a basic block to the next one that the warp enters.
inline double branch_cycles(const Trace& trace, const PlayedWarp& warp, uint32_t before,
                            uint32_t behind) {
  const auto& entered = warp.traced->entered;
  const uint32_t lanes = entered[before].lanes, then = entered[warp.entry].lanes;
  const bool jumps = trace.basic_blocks[entered[warp.entry].basic_block].first != behind;
  return (jumps ? branch_latency : 0) + (then < lanes ? lanes_part : 0) +
         (then > lanes ? lanes_meet : 0);
}

}  // namespace headroom
