// The loop that takes samples, on replayed ones: when it stops, and what it keeps.
#include <gtest/gtest.h>

#include "headroom/timing/collect.h"
#include "timing_replay.h"

namespace {

using namespace headroom::timing;
using replay::Replay;

Timing taken(Limits limits, Replay source) {
  Timing timing;
  collect(limits, source, timing);
  return timing;
}

TEST(Collect, StopsAtTheLeastNumberWhenSamplesAgree) {
  const Timing timing = taken({0.005, 10, 1000, 2}, {{5e-6}});
  EXPECT_EQ(timing.seconds.size(), 10u);
  EXPECT_EQ(timing.stop, Stop::converged);
  EXPECT_EQ(timing.relative_error(), 0);
}

TEST(Collect, GoesOnUntilTheMedianIsKnownWellEnough) {
  const Timing timing = taken({0.005, 10, 1000, 2}, {replay::normal(1000, 1e-5, 2e-7)});
  EXPECT_EQ(timing.stop, Stop::converged);
  EXPECT_GT(timing.seconds.size(), 10u);
  EXPECT_LT(timing.seconds.size(), 300u);
  EXPECT_LE(timing.relative_error(), 0.005);
}

TEST(Collect, StopsAtTheMostWhenSamplesNeverAgree) {
  const Timing timing = taken({0.005, 10, 200, 2}, {replay::normal(1000, 1e-5, 3e-6)});
  EXPECT_EQ(timing.seconds.size(), 200u);
  EXPECT_EQ(timing.stop, Stop::count);
}

TEST(Collect, StopsWhenTheTimeIsOver) {
  const Timing timing = taken({0.005, 10, 1000, 2}, {replay::normal(1000, 1e-5, 3e-6), 0.25});
  EXPECT_EQ(timing.seconds.size(), 8u);  // fewer than `least`: time is the harder bound
  EXPECT_EQ(timing.stop, Stop::time);
}

TEST(Collect, TakesOneSampleEvenWithoutTime) {
  EXPECT_EQ(taken({0.005, 10, 1000, 0}, {{1.0}, 60}).seconds.size(), 1u);
}

TEST(Collect, TakesAsManyAsAskedForWhenTheyAreFixed) {
  const Timing timing = taken({0, 25, 25, 60}, {replay::normal(100, 1, 0.1)});
  EXPECT_EQ(timing.seconds.size(), 25u);
  EXPECT_EQ(timing.stop, Stop::count);
}

TEST(Collect, NeverConvergesToNothingUnlessAllAgree) {
  EXPECT_EQ(taken({0, 10, 50, 2}, {replay::normal(50, 1, 0.001)}).stop, Stop::count);
  EXPECT_EQ(taken({0, 10, 50, 2}, {{1.0}}).stop, Stop::converged);
}

TEST(Collect, KeepsAllSamplesInOrder) {
  const replay::Samples samples = replay::normal(40, 1, 0.5);
  EXPECT_EQ(taken({0.001, 40, 40, 2}, {samples}).seconds, samples);
}

TEST(Collect, LooksAtTheClocksBeforeAfterAndTenTimesASecond) {
  const Timing timing = taken({0, 10, 10, 2}, {replay::normal(10, 1, 0.1), 0.06});
  ASSERT_EQ(timing.clocks.size(), 7u);  // before, after 2, 4, 6, 8, 10 samples, at the end
  EXPECT_EQ(timing.clocks[0].sample, 0u);
  EXPECT_EQ(timing.clocks[1].sample, 2u);
  EXPECT_EQ(timing.clocks[5].sample, 10u);
  EXPECT_EQ(timing.clocks[6].sample, 10u);
}

// Stopping as soon as it looks good makes the claim weaker than the interval alone: by how much is
// shown here, and measured on a GPU in results/h200/timing.json.
TEST(Collect, KnowsTheMedianAboutAsWellAsItSaysAlthoughItStopsWhenItLooksGood) {
  constexpr int rounds = 1000;
  int within = 0;
  for (int round = 0; round < rounds; ++round) {
    const Timing timing =
        taken({0.005, 10, 1000, 2}, {replay::normal(1000, 1, 0.02, unsigned(round))});
    within += std::abs(timing.median() - 1) <= timing.relative_error();
  }
  EXPECT_GE(double(within) / rounds, 0.90);
}

TEST(Limits, ThatCannotBeAreRefusedWithAReason) {
  for (const Limits& wrong :
       {Limits{0.005, 0, 10, 2}, Limits{0.005, 11, 10, 2}, Limits{-1, 1, 10, 2},
        Limits{0.005, 1, 0, 2}, Limits{0.005, 1, 10, -1}, Limits{std::nan(""), 1, 10, 2}}) {
    EXPECT_THROW(taken(wrong, {{1.0}}), std::invalid_argument);
  }
}

}  // namespace
