// What stands on an SM while it is played: its sub-partitions, resident blocks, their warps, and what those wait for.
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
#include "sass/register_port.h"

namespace headroom {

constexpr int barriers = 6;            // of control words
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
  uint32_t entry = 0, access = 0, pc = 0;
  double ready = 0;                 // may issue
  uint32_t barrier_at = 0;          // the instruction with which it arrived
  uint8_t barrier = 0, lanes = 32;  // lanes: that it begins with
  std::array<Pending, barriers> pending;
  std::vector<Value> registers;  // where no control word tells
  double copies_done = 0, stores_done = 0, bulk_read = 0, products_done = 0;
  std::vector<double> products;  // of a warpgroup: the ends of its groups
  const Phase* awaits = nullptr;
  uint8_t waits_also = 0;  // of instructions that are left out: barriers of control words
  uint32_t loads = 0;      // so far, where some are left out
  double skipped = 0;      // of lanes that are out, when divergence is left out
  bool waits = false;      // at a barrier, of whatever kind
  bool gone = false;
  Since since = Since::nothing;
  size_t parts = 0;           // its place in SmRun::parts
  bool has_constant = false;  // of its next instruction, for which it has waited
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

struct SubPartition {
  std::vector<PlayedWarp*> warps;  // the youngest last
  int places = 0;                  // of warps of blocks that are not over
  PlayedWarp* last = nullptr;
  double next_issue = 0, port_free = 0;
  uint64_t issued = 0;      // instructions
  bool by_banks = false;    // registers of one bank put the next issue off
  sass::RegisterPort port;  // keeps registers of the warp that issued last
  std::array<double, units> unit_free{};
};

// Whether a question leaves out the instruction that the warp is at.
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

// Of who waits for its unit.
inline Stall when_busy(const InstructionTiming& timing) {
  if (timing.action == Action::memory && timing.because == Stall::long_scoreboard)
    return Stall::lg_throttle;
  if (timing.unit == Unit::lsu || timing.unit == Unit::adu || timing.unit == Unit::xu)
    return Stall::mio_throttle;
  return Stall::math_pipe_throttle;
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

// Of two warps that may issue: the one that issued last; else that of the block that began first; else the one that
// could longest ago. So blocks of an SM do not stay in step: one loads while another computes.
inline bool goes_before(const SubPartition& part, const PlayedWarp& a, const PlayedWarp& b) {
  if (&a == part.last || &b == part.last) return &a == part.last;
  if (a.block != b.block) return a.block->place < b.block->place;
  return a.ready < b.ready;
}

}  // namespace headroom
