// Launches whose warps draw their work: the first block's trace, cut to the mean of the launch.
#include <gtest/gtest.h>

#include "model/pipeline/queue.h"
#include "played_kernel.h"

namespace headroom {
namespace {

// A round draws a number and does four more instructions; its block took `rounds` of them.
Trace trace_of(int rounds, const sass::Instruction& atomic, const sass::Instruction& other) {
  Trace trace;
  trace.code = {{&atomic}, {&other}, {&other}, {&other}, {&other}};
  trace.basic_blocks = {{0, 4}};
  TracedWarp warp;
  for (int i = 0; i < rounds; ++i) {
    warp.entered.push_back({0, 32});
    warp.accesses.push_back(
        {.entry = uint32_t(i), .instruction = 0, .kind = AccessKind::global_atomic});
  }
  warp.traced = warp.executed = uint64_t(5 * rounds);
  trace.first_block = TracedBlock{0, {warp}, {}, {}};
  trace.blocks.push_back({66, {TracedWarp{}}, {}, {}});
  trace.longest_warp = warp.executed;
  return trace;
}
const sass::Instruction draws = instruction("ATOMG", {reg(1, true)}, {}),
                        adds = instruction("RED", {}, {}), other = instruction("MOV", {}, {});

TEST(Queue, what_the_first_block_drew_is_shared_out) {
  const std::optional<Trace> shared = shared_out(trace_of(100, draws, other), 50);
  ASSERT_TRUE(shared);
  EXPECT_TRUE(shared->drawn);
  ASSERT_EQ(shared->blocks.size(), 1u);
  const TracedWarp& warp = shared->blocks[0].warps[0];
  EXPECT_EQ(warp.entered.size(), 10u);
  EXPECT_EQ(warp.accesses.size(), 10u);
  EXPECT_EQ(warp.executed, 50u);
  EXPECT_EQ(warp.traced, 50u);
  EXPECT_EQ(shared->longest_warp, 0u);
}

TEST(Queue, none_is_where_work_is_unequal_otherwise) {
  EXPECT_FALSE(shared_out(trace_of(100, adds, other), 50));    // nobody asks for the sum
  EXPECT_FALSE(shared_out(trace_of(100, draws, other), 300));  // others do as much
  EXPECT_FALSE(shared_out(trace_of(1, draws, other), 1));      // a ticket, drawn once
  Trace of_sample = trace_of(100, draws, other);
  of_sample.first_block.reset();
  EXPECT_FALSE(shared_out(of_sample, 50));
}

}  // namespace
}  // namespace headroom
