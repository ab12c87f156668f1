// Writes the Trace of a launch: of the warps of sampled blocks, the basic blocks they enter and what
// their accesses touch.
//
//   Tracer tracer(program, {.first = 66, .step = 132, .count = 8, .instructions = 10000}, 4);
#pragma once
#include <algorithm>
#include <unordered_map>

#include "record/trace.h"
#include "sim/observer.h"
#include "sim/observers/stretches.h"

namespace headroom::sim {

// Which of the sample a block is; -1: none of it. Behind the sample's own stand the others.
inline int place_in(const TraceSample& sample, uint64_t block) {
  if (sample.count == 0) return -1;
  if (block >= sample.first && (block - sample.first) % sample.step == 0)
    if (const uint64_t place = (block - sample.first) / sample.step; place < sample.count)
      return int(place);
  const uint64_t place = block / sample.others_step;
  return block % sample.others_step == 0 && place < sample.others ? int(sample.count + place) : -1;
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
  void on(const Copied&);
  void on(const Synchronised&);
  [[gnu::always_inline]] void on(const Arrived& event) {
    if (event.warp.block->traced >= 0) add(event);
  }

  void note_end(const BlockState&);
  void merge(Tracer&);  // blocks that another host thread ran
  Trace finish(const Program&);

 private:
  // Of a traced block: its number there, and the phase it is in.
  struct Mbarrier {
    const BlockState* block = nullptr;
    uint32_t number = 0, phase = 0;
  };
  bool is_open(const Warp& warp) const {
    return stretches_[size_t(warp.block->traced)].is_open(warp.index);
  }
  void end_parts(const BlockState&);
  void enter(const Entered&);
  void leave_out_round(TracedWarp&, uint32_t basic_block);
  void add(const Access&);
  void add(const Arrived&);
  TracedWarp& warp_of(const Warp&);
  TracedAccess* begin_access(const Warp&, uint32_t instruction, AccessKind);

  const Program& program_;
  TraceSample sample_;
  std::vector<TracedBlock> blocks_;
  std::vector<Stretches> stretches_;  // of each
  std::vector<bool> meet_;            // … whether its warps do
  std::vector<bool> waits_apart_;     // basic blocks that go round loops whose waiting is played
  std::unordered_map<const std::byte*, Mbarrier> mbarriers_;
  bool spins_ = false, left_out_ = false;  // … rounds of such loops
  std::vector<AlikeBlocks> work_;          // in the order in which they ended
  bool too_unlike_ = false;                // more of them than are kept
  uint64_t longest_warp_ = 0;              // instructions
};

}  // namespace headroom::sim
