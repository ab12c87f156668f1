// Which warp of a sub-partition issues, what the others are kept by, and when the sub-partition wakes.
#include <gtest/gtest.h>

#include "model/pipeline/scheduler.h"

namespace headroom {
namespace {

constexpr double no_queue = 0;

struct SchedulerTest : testing::Test {
  // A warp that may issue instruction `pc` of `code` at `ready`.
  PlayedWarp& warp(PlayedBlock& block, uint32_t pc, double ready) {
    PlayedWarp& made = *warps.emplace_back(std::make_unique<PlayedWarp>());
    made.block = &block;
    made.pc = pc;
    made.ready = ready;
    part.seat(made);
    part.settle(made, code[pc]);
    return made;
  }
  PlayedWarp* chosen(double now, double queue = no_queue) {
    Seat* const seat = choose(part, sm_units, queue, now, stalls);
    return seat ? seat->warp : nullptr;
  }
  double held(uint32_t pc, Stall stall) const { return stalls[pc][size_t(stall)]; }

  SchedulerTest() : code(4), stalls(4) {
    code[1].unit = Unit::fp64;
    code[2].unit = Unit::lsu;
    code[2].queues = true;
    code[2].busy = Stall::lg_throttle;
    first.place = 0;
    second.place = 1;
  }

  std::vector<InstructionTiming> code;
  std::vector<StallCycles> stalls;
  PlayedBlock first, second;
  std::vector<std::unique_ptr<PlayedWarp>> warps;
  SmUnits sm_units{IssueRule{}};
  SubPartition part;
};

TEST_F(SchedulerTest, of_the_block_that_began_first_the_warp_that_could_longest_ago) {
  warp(second, 0, 1);
  PlayedWarp& later = warp(first, 0, 4);
  PlayedWarp& sooner = warp(first, 0, 3);
  EXPECT_EQ(chosen(5), &sooner);
  part.last = &later;
  EXPECT_EQ(chosen(5), &later);
}

TEST_F(SchedulerTest, sleeps_until_a_warp_may_issue) {
  PlayedWarp& waits = warp(first, 0, 2);
  waits.waits = true;
  part.settle(waits, code[0]);
  warp(first, 0, 40);
  PlayedWarp& sooner = warp(first, 0, 30);
  EXPECT_EQ(chosen(10), nullptr);
  EXPECT_EQ(part.wakes, 30);
  EXPECT_TRUE(part.sleeps(29));
  EXPECT_FALSE(part.sleeps(30));
  EXPECT_EQ(chosen(30), &sooner);
  EXPECT_EQ(part.wakes, 40);  // nobody else may issue
  waits.waits = false;        // let go at 35
  waits.ready = 35;
  part.settle(waits, code[0]);
  EXPECT_EQ(part.wakes, 35);
}

TEST_F(SchedulerTest, who_is_put_off_after_all_keeps_it_awake) {
  PlayedWarp& put_off = warp(first, 0, 30);
  EXPECT_TRUE(part.sleeps(10));
  put_off.ready = 40;
  part.settle(put_off, code[0]);
  EXPECT_FALSE(part.sleeps(10));
  EXPECT_EQ(chosen(10), nullptr);
  EXPECT_EQ(part.wakes, 40);
  EXPECT_TRUE(part.sleeps(39));
}

TEST_F(SchedulerTest, what_it_was_held_by_counts_when_it_ends) {
  PlayedWarp& busy = warp(first, 1, 10);
  part.unit_free[size_t(Unit::fp64)] = 16;
  EXPECT_EQ(chosen(10), nullptr);
  EXPECT_EQ(part.wakes, 16);
  part.next_issue = 13;  // as if another had issued, and registers of one bank kept the next off
  part.by_banks = true;
  EXPECT_EQ(chosen(12), nullptr);
  EXPECT_EQ(held(1, Stall::math_pipe_throttle), 2);
  EXPECT_EQ(part.wakes, 13);
  EXPECT_EQ(chosen(13), nullptr);
  EXPECT_EQ(held(1, Stall::dispatch_stall), 1);
  EXPECT_EQ(chosen(16), &busy);
  let_issue(part.seats[busy.seat], 16, stalls);
  EXPECT_EQ(held(1, Stall::math_pipe_throttle), 2 + 3);
}

TEST_F(SchedulerTest, who_is_not_selected_is_looked_at_in_the_next_cycle) {
  PlayedWarp& goes = warp(first, 0, 1);
  PlayedWarp& stays = warp(second, 0, 1);
  EXPECT_EQ(chosen(2), &goes);
  EXPECT_EQ(part.wakes, 3);
  part.leave(goes);
  EXPECT_EQ(chosen(3), &stays);
  let_issue(part.seats[stays.seat], 3, stalls);
  EXPECT_EQ(held(0, Stall::not_selected), 1);
}

// The load/store unit is all sub-partitions': what it seems to take may become more meanwhile.
TEST_F(SchedulerTest, stays_awake_for_what_others_take) {
  PlayedWarp& loads = warp(first, 2, 1);
  EXPECT_EQ(chosen(2, 8), nullptr);
  EXPECT_FALSE(part.sleeps(3));
  EXPECT_EQ(part.wakes, 8);
  EXPECT_EQ(chosen(3, 9), nullptr);
  EXPECT_EQ(part.wakes, 9);
  EXPECT_EQ(chosen(9, 9), &loads);
  let_issue(part.seats[loads.seat], 9, stalls);
  EXPECT_EQ(held(2, Stall::lg_throttle), 7);
}

// Of an SM whose lanes any scheduler's warps may take: the group that is free first.
TEST_F(SchedulerTest, groups_of_lanes_are_all_sub_partitions) {
  IssueRule rule;
  rule.groups[size_t(Unit::fp64)] = 2;
  sm_units = SmUnits(rule);
  SubPartition other;
  sm_units.free(other, Unit::fp64) = 20;
  EXPECT_EQ(sm_units.free(part, Unit::fp64), 0);
  sm_units.free(part, Unit::fp64) = 30;
  EXPECT_EQ(sm_units.free(other, Unit::fp64), 20);
  EXPECT_TRUE(sm_units.others_take(code[1]));
  EXPECT_FALSE(sm_units.others_take(code[0]));
}

}  // namespace
}  // namespace headroom
