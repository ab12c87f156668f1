// What a prediction is said to be in doubt of.
#include <gtest/gtest.h>

#include "model/pipeline/predict.h"
#include "played_kernel.h"

namespace headroom {
namespace {

std::string doubts_of(std::vector<std::string_view> modifiers) {
  sass::Instruction atomic = instruction("ATOMG", {reg(2, true)}, {.stall = 1, .write_barrier = 0});
  atomic.modifiers = std::move(modifiers);
  Trace trace;
  trace.code = {{&atomic, uint16_t(1u << int(Pipe::lsu))}};
  trace.basic_blocks = {{0, 0}};
  TracedWarp warp;
  warp.entered = {{0, 32}};
  warp.traced = warp.executed = 1;
  warp.accesses.push_back({.entry = 0,
                           .instruction = 0,
                           .kind = AccessKind::global_atomic,
                           .bytes = 4,
                           .lanes = 32,
                           .same_address = 1,
                           .passes = 1,
                           .sectors = 1});
  trace.blocks.push_back({0, {warp}, {17}, {}});
  const Machine machine = load_machine("h200");
  LaunchRecord record;
  record.shape.grid = {1, 1, 1};
  record.shape.block = {32, 1, 1};
  record.state = State::ran;
  record.counters.warp_instructions = 1;
  const Occupancy resident = occupancy(machine, {.threads = 32, .registers = 32});
  std::string said;
  for (const Caveat& caveat : predict({machine, record, resident, trace}).caveats)
    said += caveat.what;
  return said;
}

TEST(Doubts, compare_and_swap_may_have_to_try_again) {
  EXPECT_NE(doubts_of({".E", ".CAS"}).find("compare-and-swap"), std::string::npos);
  EXPECT_EQ(doubts_of({".E", ".ADD"}).find("compare-and-swap"), std::string::npos);
}

}  // namespace
}  // namespace headroom
