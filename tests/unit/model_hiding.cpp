// Little's law and bandwidths, on the figures of the literature.
#include <gtest/gtest.h>

#include <algorithm>

#include "model/bandwidth.h"
#include "model/hiding.h"

namespace headroom {
namespace {

// Volkov 2010, p11: operations in flight per SM.
TEST(Hiding, NeedsLatencyTimesThroughputOperations) {
  EXPECT_EQ(needed_operations(load_machine("g80")), 192);
  EXPECT_EQ(needed_operations(load_machine("gt200")), 192);
  EXPECT_EQ(needed_operations(load_machine("gtx480")), 576);
  EXPECT_EQ(needed_operations(load_machine("gtx460")), 864);
}

// p15: with one chain per thread a GTX 480 saturates at 576 threads.
TEST(Hiding, NeedsFewerWarpsWithMoreIndependentInstructions) {
  EXPECT_EQ(*needed_warps(load_machine("gtx480"), 1) * 32, 576);
  EXPECT_EQ(*needed_warps(load_machine("gtx480"), 4), *needed_warps(load_machine("gtx480"), 1) / 4);
}

// p28 and p29: under 800 cycles and at 177.4 GB/s a GTX 480 needs some 100 KB in flight; with 4 B
// per thread that is 25 000 threads, with 100 B it is 1 000.
TEST(Hiding, NeedsAHundredKilobytesInFlightOnAGtx480) {
  double seconds = 800 / 1.401e9;
  double bytes = needed_parallelism(seconds, 177.4e9);
  EXPECT_NEAR(bytes, 100e3, 2e3);
  EXPECT_NEAR(threads_for(100e3, 4), 25'000, 1);
  EXPECT_NEAR(threads_for(100e3, 100), 1'000, 1);
}

TEST(Hiding, TakesBytesInFlightFromTheMachinesFacts) {
  EXPECT_NEAR(*needed_bytes(load_machine("h200")), 690 / 1.98e9 * 4815e9, 1);
  EXPECT_FALSE(needed_bytes(load_machine("gtx480")));  // its DRAM latency is unknown
}

// With many operations a load it is p15's 576 threads; with none, p28's 101 kB by warps of 4 B a thread. The
// latency of 800 cycles is p28's own.
TEST(Hiding, NeedsMostWarpsBetweenMemoryAndArithmetic) {
  Machine gtx480 = load_machine("gtx480");
  EXPECT_TRUE(needed_warps_curve(gtx480).empty()) << "its DRAM latency is unknown";
  gtx480.dram_latency.value = 800;
  const auto curve = needed_warps_curve(gtx480);
  ASSERT_FALSE(curve.empty());
  EXPECT_NEAR(curve.front().warps * 32 * 15, 25'300, 300);
  EXPECT_NEAR(needed_warps_at(gtx480, 1e6)->warps * 32, 576, 1);
  const auto most = std::ranges::max_element(curve, {}, &NeededWarps::warps);
  EXPECT_TRUE(most->by_memory);
  EXPECT_FALSE((most + 1)->by_memory) << "the cusp: both bound it";
  EXPECT_NEAR(most->warps, curve.front().warps + *needed_warps(gtx480, 1), 0.1);
}

// Little's law with the latency that DRAM has at the rate that is to be reached: 690 + 480 cycles where that is all it has.
TEST(Hiding, ABusyDramTakesMoreInFlight) {
  const Machine h200 = load_machine("h200");
  EXPECT_NEAR(*busy_needed_bytes(h200) / *needed_bytes(h200), 1170.0 / 690, 1e-9);
  EXPECT_NEAR(*needed_bytes(h200) / 132 / 1024, 12.4, 0.05);
  EXPECT_NEAR(*busy_needed_bytes(h200) / 132 / 1024, 21.0, 0.1);
  const NeededWarps loads = *needed_warps_at(h200, 0),
                    mostly_computes = *needed_warps_at(h200, 1e6);
  EXPECT_NEAR(loads.busy_warps / loads.warps, 1170.0 / 690, 1e-9);
  EXPECT_NEAR(mostly_computes.busy_warps, mostly_computes.warps, 0.1) << "DRAM is idle then";
  EXPECT_FALSE(busy_needed_bytes(load_machine("gtx480")));
}

TEST(Hiding, ReachesThePeakOnlyWithEnoughInFlight) {
  EXPECT_EQ(reached(288, 18, 32), 16);
  EXPECT_EQ(reached(576, 18, 32), 32);
  EXPECT_EQ(reached(1024, 18, 32), 32);
}

TEST(Hiding, WhatIsNotKnownForNeededWarpsIsNamed) {
  Machine machine = load_machine("h200");
  EXPECT_TRUE(unknown_for_needed_warps(machine).empty());
  machine.dram_latency = {};
  machine.l2_latency = {};  // not needed
  EXPECT_EQ(unknown_for_needed_warps(machine), std::vector<std::string>{"dram_latency"});
  EXPECT_TRUE(needed_warps_curve(machine).empty());
}

TEST(Bandwidth, AtThePinsIsClockTimesWidthTimesTwo) {
  EXPECT_NEAR(theoretical_bandwidth(1107, 512) / 1e9, 141.7, 0.05);
  EXPECT_NEAR(theoretical_bandwidth(1107, 512) / double(1 << 30), 131.9, 0.1);
  EXPECT_NEAR(theoretical_bandwidth(900, 384) / 1e9, 86.4, 1e-9);
  EXPECT_NEAR(theoretical_bandwidth(3201, 6016) / 1e9, 4815, 1);
}

TEST(Bandwidth, OfACopyCountsBothDirections) {
  double bytes = 2048.0 * 2048 * 4;
  EXPECT_NEAR(effective_bandwidth(bytes, bytes, 1e-3) / 1e9, 33.55, 0.01);
}

}  // namespace
}  // namespace headroom
