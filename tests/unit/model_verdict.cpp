// What a launch is said to be bound by, or to wait for.
#include <gtest/gtest.h>

#include "model/verdict.h"

namespace headroom {
namespace {

// A copy of what L2 could hold: its floor is L2's.
ExplainedLaunch copy(double dram_share, double floor) {
  ExplainedLaunch launch;
  launch.record.state = State::ran;
  launch.record.prediction = Prediction{.seconds = 10e-6, .start_seconds = 1e-6};
  launch.record.prediction->dram_share = dram_share;
  launch.record.prediction->stall_cycles[size_t(Stall::long_scoreboard)] = 20;
  Bounds bounds;
  bounds.floors = {{Resource::l2, floor}};
  bounds.limiter = 0;
  bounds.seconds = floor;
  launch.bounds = std::make_shared<Bounds>(bounds);
  return launch;
}

TEST(Verdict, what_the_largest_floor_explains_is_bound_by_it) {
  const ExplainedLaunch launch = copy(0, 8e-6);
  EXPECT_EQ(bound_or_wait(launch), "L2");
  EXPECT_DOUBLE_EQ(reached_limit(launch)->share, 0.8);
}

TEST(Verdict, what_keeps_dram_busy_is_bound_by_it_though_l2_could_hold_its_data) {
  EXPECT_EQ(bound_or_wait(copy(0.9, 4e-6)), "DRAM");
  EXPECT_EQ(reached_limit(copy(0.9, 4e-6))->share, 0.9);
  EXPECT_EQ(bound_or_wait(copy(0.6, 4e-6)), "memory latency");
  EXPECT_FALSE(reached_limit(copy(0.6, 4e-6)));
}

TEST(Verdict, what_comes_one_after_the_other_is_named_before_a_stall) {
  ExplainedLaunch launch = copy(0, 4e-6);
  launch.record.prediction->latency_bounds = {{"atomics", 9.5e-6, "atomics of the busiest place"},
                                              {"launch", 1e-6, "the launch begins and ends"}};
  EXPECT_EQ(bound_or_wait(launch), "atomics in L2");
  EXPECT_EQ(reached_limit(launch)->kind, Limit::Kind::latency);
  EXPECT_DOUBLE_EQ(reached_limit(launch)->share, 0.95);
  EXPECT_EQ(reached_limit(launch)->numbers, "atomics of the busiest place");
  launch.record.prediction->latency_bounds.front().id = "block_starts";
  EXPECT_EQ(bound_or_wait(launch), "block starts");
  launch.record.prediction->latency_bounds.front().seconds = 8.9e-6;
  EXPECT_EQ(bound_or_wait(launch), "memory latency") << "it is less than nine tenths";
}

TEST(Verdict, the_larger_of_a_floor_and_a_latency_binds) {
  ExplainedLaunch launch = copy(0, 9.6e-6);
  launch.record.prediction->latency_bounds = {{"same_stores", 9.5e-6, ""}};
  EXPECT_EQ(bound_or_wait(launch), "L2");
  launch.record.prediction->latency_bounds = {{"same_stores", 9.7e-6, ""}};
  EXPECT_EQ(bound_or_wait(launch), "stores to one place");
}

TEST(Verdict, of_the_longest_warp_it_is_told_what_that_waits_for) {
  ExplainedLaunch launch = copy(0, 4e-6);
  launch.record.prediction->latency_bounds = {{"critical_path", 9.9e-6, ""}};
  EXPECT_EQ(bound_or_wait(launch), "longest warp: memory latency");
  launch.record.prediction->start_seconds = 6e-6;
  EXPECT_EQ(bound_or_wait(launch), "launch overhead");
}

// Ready warps wait for slots only where few are left.
TEST(Verdict, slots_that_are_left_bind_nothing) {
  ExplainedLaunch launch = copy(0, 4e-6);
  Prediction& prediction = *launch.record.prediction;
  prediction.stall_cycles = {};
  prediction.stall_cycles[size_t(Stall::not_selected)] = 5;
  prediction.stall_cycles[size_t(Stall::dispatch_stall)] = 2;
  prediction.cycles_alone = 10;
  prediction.needed_warps = 40;  // four slots a cycle
  prediction.ipc = 3.8;
  EXPECT_EQ(bound_or_wait(launch), "issue slots");
  prediction.ipc = 2.1;
  EXPECT_EQ(bound_or_wait(launch), "register banks");
}

TEST(Verdict, shared_memory_is_waited_for_by_who_loads_from_it) {
  ExplainedLaunch launch = copy(0, 4e-6);
  launch.record.prediction->stall_cycles[size_t(Stall::short_scoreboard)] = 30;
  EXPECT_EQ(bound_or_wait(launch), "MIO latency");
  launch.record.counters.shared_load_instructions = 8;
  EXPECT_EQ(bound_or_wait(launch), "shared latency");
  launch.record.counters.shared_load_instructions = 0;
  launch.record.counters.shared_atomic_instructions = 8;
  EXPECT_EQ(bound_or_wait(launch), "shared latency");
}

}  // namespace
}  // namespace headroom
