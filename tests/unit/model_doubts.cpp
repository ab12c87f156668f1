// What a prediction is said to be in doubt of.
#include <gtest/gtest.h>

#include "model/pipeline/predict.h"
#include "played_kernel.h"

namespace headroom {
namespace {

std::string doubts_of(std::vector<std::string_view> modifiers) {
  sass::Instruction atomic = instruction("ATOMG", {reg(2, true)}, {.stall = 1, .write_barrier = 0});
  atomic.modifiers = std::move(modifiers);
  const Trace trace = one_access(
      atomic,
      {.kind = AccessKind::global_atomic, .bytes = 4, .lanes = 32, .same_address = 1, .passes = 1},
      {17});
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
  EXPECT_NE(doubts_of({".CAST", ".SPIN"}).find("compare-and-swap"), std::string::npos);
  EXPECT_EQ(doubts_of({".E", ".ADD"}).find("compare-and-swap"), std::string::npos);
}

}  // namespace
}  // namespace headroom
