// Clocks and throttle reasons through a management library that is found at run time: the one of
// tests/unit/timing_nvml.c, which stands in this program's search path.
#include <gtest/gtest.h>

#include "headroom/timing/clocks.h"
#include "headroom/timing/doubts.h"

namespace {

using namespace headroom::timing;

TEST(ClockWatch, ReadsWhatTheLibraryTellsAndLeavesTheRestUnknown) {
  const ClockWatch watch("0000:01:00.0");
  const Clocks first = watch.read(), second = watch.read();
  EXPECT_EQ(first.sm_mhz, 1980u);
  EXPECT_EQ(first.memory_mhz, 3201u);
  EXPECT_EQ(first.max_sm_mhz, 1980u);
  EXPECT_EQ(first.processes, 2u);
  EXPECT_FALSE(first.celsius);  // that library has no such function
  EXPECT_EQ(first.reasons, 0u);
  EXPECT_EQ(second.sm_mhz, 1965u);
  EXPECT_EQ(second.reasons, 4u);

  Timing timing;
  timing.seconds.assign(10, 1e-3);
  timing.clocks = {first, second};
  add_doubts(timing, {});
  ASSERT_EQ(timing.caveats.size(), 2u);
  EXPECT_EQ(timing.caveats[0].cause, "the power limit");
  EXPECT_EQ(timing.caveats[1].what, "2 processes compute on this GPU");
}

TEST(ClockWatch, KnowsNothingOfAGpuThatTheLibraryDoesNotKnow) {
  const Clocks now = ClockWatch("0000:02:00.0").read();
  EXPECT_FALSE(now.sm_mhz || now.memory_mhz || now.max_sm_mhz || now.celsius || now.reasons ||
               now.processes);
}

}  // namespace
