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

}  // namespace
}  // namespace headroom
