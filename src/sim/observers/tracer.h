// Writes the Trace of a launch: of the warps of sampled blocks, the basic blocks they enter and what
// their accesses touch.
//
//   Tracer tracer(program, {.first = 66, .step = 132, .count = 8, .instructions = 10000}, 4);
#pragma once
#include <algorithm>
#include <unordered_map>

#include "record/trace.h"
#include "sim/observer.h"

namespace headroom::sim {

// Which of the sample a block is; -1: none of it. Behind them stands the first block of the grid.
inline int place_in(const TraceSample& sample, uint64_t block) {
  if (block == 0 && sample.first > 0 && sample.count > 0) return int(sample.count);
  if (block < sample.first || (block - sample.first) % sample.step) return -1;
  const uint64_t place = (block - sample.first) / sample.step;
  return place < sample.count ? int(place) : -1;
}

class Tracer : public Ignore {
 public:
  using Ignore::on;
  Tracer(const Program&, const TraceSample&, size_t warps_of_block);

  [[gnu::always_inline]] void on(const Entered& event) {
    event.warp.instructions += program_.basic_blocks[event.basic_block].profile.instructions;
    if (event.warp.block->traced >= 0) enter(event);
  }
  [[gnu::always_inline]] void on(const Access& access) {
    if (access.warp.block->traced >= 0) add(access);
  }
  [[gnu::always_inline]] void on(const Ended& event) {
    longest_warp_ = std::max(longest_warp_, event.warp.instructions);
  }
  void on(const Copied&);
  void on(const Synchronised&);
  [[gnu::always_inline]] void on(const Arrived& event) {
    if (event.warp.block->traced >= 0) add(event);
  }

  void merge(Tracer&);  // blocks that another host thread ran
  Trace finish(const Program&);

 private:
  // Of a traced block: its number there, and the phase it is in.
  struct Mbarrier {
    const BlockState* block = nullptr;
    uint32_t number = 0, phase = 0;
  };
  void enter(const Entered&);
  void leave_out_round(TracedWarp&, uint32_t basic_block);
  void add(const Access&);
  void add(const Arrived&);
  TracedWarp& warp_of(const Warp&);
  TracedAccess* begin_access(const Warp&, uint32_t instruction, AccessKind);

  const Program& program_;
  TraceSample sample_;
  std::vector<TracedBlock> blocks_;
  std::vector<bool> waits_apart_;  // basic blocks that go round loops whose waiting is played
  std::unordered_map<const std::byte*, Mbarrier> mbarriers_;
  bool spins_ = false;
  uint64_t longest_warp_ = 0;  // instructions
};

}  // namespace headroom::sim
