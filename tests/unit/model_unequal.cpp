// Blocks of unlike work: which SM is busy longest, and what a trace of them stands for.
#include <gtest/gtest.h>

#include "model/pipeline/unequal.h"

namespace headroom {
namespace {

// A block of 100 instructions takes 50 cycles alone, and 20 of a full SM that has four.
const SharedSm shared{.instructions = 100,
                      .longest_warp = 100,
                      .alone = 50,
                      .each = 20,
                      .resident = 4,
                      .start = 0,
                      .follows = 0};
std::vector<AlikeBlocks> alike(uint64_t count, uint64_t instructions = 100) {
  return {{0, count, instructions, instructions}};
}

TEST(Unequal, blocks_that_share_an_sm_take_what_it_can_do_and_alone_their_own_way) {
  EXPECT_DOUBLE_EQ(busiest_sm(alike(1), 1, shared), 50);
  EXPECT_DOUBLE_EQ(busiest_sm(alike(2), 1, shared), 50);  // 40 of the SM
  EXPECT_DOUBLE_EQ(busiest_sm(alike(4), 1, shared), 80);
  EXPECT_DOUBLE_EQ(busiest_sm(alike(8), 1, shared), 160);
  EXPECT_DOUBLE_EQ(busiest_sm(alike(8), 2, shared), 80);
}

TEST(Unequal, the_longest_block_ends_last_whatever_the_mean_is) {
  std::vector<AlikeBlocks> work = alike(99);
  work.push_back({99, 1, 1000, 1000});
  EXPECT_DOUBLE_EQ(busiest_sm(work, 100, shared), 500);
  SharedSm slow = shared;
  slow.pace = 0.8;  // the first hundred instructions wait for what the others find
  EXPECT_DOUBLE_EQ(busiest_sm(work, 100, slow), 50 + 9 * 50 * 0.8);
  // It begins when the SM that is free first has room: after 24 of 99.
  EXPECT_NEAR(busiest_sm(work, 1, shared), 24 * 80 + 60 + 500, 80);
}

// Blocks that are played have little to do: what one of much more takes of the SM is known apart.
TEST(Unequal, a_much_longer_block_takes_what_its_like_do) {
  SharedSm sm = shared;
  sm.alone = 0, sm.longest_warp = 10'000;
  EXPECT_DOUBLE_EQ(busiest_sm(alike(4, 10'000), 1, sm), 4 * 20 * 100);
  sm.long_instructions = 10'000, sm.long_each = 220;
  EXPECT_DOUBLE_EQ(busiest_sm(alike(4, 10'000), 1, sm), 4 * 220);
  EXPECT_DOUBLE_EQ(busiest_sm(alike(4, 5050), 1, sm), 4 * 120);  // half-way from 100
  EXPECT_DOUBLE_EQ(busiest_sm(alike(4), 1, sm), 4 * 20);
  EXPECT_DOUBLE_EQ(busiest_sm(alike(4, 20'000), 1, sm), 4 * 440);
  sm.long_each = 15;  // it computes, where the short ones wait
  EXPECT_DOUBLE_EQ(busiest_sm(alike(4, 20'000), 1, sm), 4 * 30);
}

TEST(Unequal, blocks_with_nothing_to_do_still_start) {
  SharedSm slow = shared;
  slow.start = 30;
  std::vector<AlikeBlocks> work = alike(10);
  work.push_back({10, 90, 1, 1});
  EXPECT_NEAR(busiest_sm(work, 1, slow), 100 * 30, 60);
}

TEST(Unequal, a_part_of_many_blocks_and_sms_tells_as_much) {
  std::vector<AlikeBlocks> work;
  for (uint64_t i = 0; i < 400'000; ++i) work.push_back({i, 1, 50 + i % 100, 50 + i % 100});
  EXPECT_NEAR(busiest_sm(work, 132, shared) / (400'000 / 132.0 * 20 * 0.995), 1, 0.02);
}

TEST(Unequal, blocks_within_two_percent_are_alike) {
  EXPECT_FALSE(are_unlike({{0, 9, 101, 101}, {9, 1, 99, 99}}, 100));
  EXPECT_TRUE(are_unlike({{0, 9, 101, 101}, {9, 1, 90, 90}}, 100));
  EXPECT_FALSE(are_unlike({}, 100));  // not known
  EXPECT_EQ(mean_of({{0, 3, 10, 5}, {3, 1, 50, 45}}).instructions, 20u);
  EXPECT_EQ(mean_of({{0, 3, 10, 5}, {3, 1, 50, 45}}).longest_warp, 15u);
}

TracedBlock block(uint64_t linear, uint64_t executed) {
  TracedBlock made{linear, {TracedWarp{}}, {}, {}};
  made.warps[0].executed = executed;
  return made;
}

TEST(Unequal, of_blocks_that_have_an_sm_each_the_longest_that_was_traced_tells) {
  Trace trace;
  trace.blocks = {block(32, 100)};
  trace.others = {block(0, 50), block(8, 700), block(16, 300)};
  const std::optional<Trace> longest = by_the_longest(trace);
  ASSERT_TRUE(longest);
  EXPECT_EQ(longest->blocks.at(0).linear, 8u);
  trace.blocks.push_back(block(164, 100));  // an SM has several
  EXPECT_FALSE(by_the_longest(trace));
  trace.blocks = {block(32, 700)};
  EXPECT_FALSE(by_the_longest(trace));
}

TEST(Unequal, of_blocks_that_are_nearly_as_long_the_one_that_was_traced_furthest_tells) {
  Trace trace;
  trace.blocks = {block(32, 100)};
  trace.others = {block(0, 650), block(8, 700), block(16, 300)};
  trace.others[0].warps[0].traced = 400;
  trace.others[1].warps[0].traced = 100;
  trace.others[2].warps[0].traced = 300;
  EXPECT_EQ(longest_block(trace).linear, 0u);
  trace.others[0].warps[0].executed = 500;
  EXPECT_EQ(longest_block(trace).linear, 8u);
}

}  // namespace
}  // namespace headroom
