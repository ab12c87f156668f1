// Every caveat of a measurement, from samples and clocks that deserve it, and none from those that
// do not.
#include <gtest/gtest.h>

#include "headroom/timing/doubts.h"
#include "timing_replay.h"

namespace {

using namespace headroom::timing;
using replay::Samples;

Timing timing_of(Samples seconds) {
  Timing timing;
  timing.seconds = std::move(seconds);
  timing.stop = Stop::converged;
  timing.resolution = 0.5e-6;
  return timing;
}

// All caveats, one a line.
std::string doubts(Timing timing, Limits limits = {0.005, 10, 1000, 2}) {
  add_doubts(timing, limits);
  std::string lines;
  for (const Caveat& caveat : timing.caveats) {
    EXPECT_FALSE(caveat.what.empty() || caveat.cause.empty() || caveat.advice.empty());
    lines += text(caveat) + "\n";
  }
  return lines;
}

bool names(const std::string& lines, const char* what) {
  return lines.find(what) != std::string::npos;
}

TEST(Doubts, AreNoneOfGoodSamples) {
  EXPECT_EQ(doubts(timing_of(Samples(10, 1e-3))), "");
  EXPECT_EQ(doubts(timing_of(replay::normal(100, 1e-3, 1e-6))), "");
}

TEST(Doubts, NameAMedianThatIsNotKnownWellEnough) {
  Timing timing = timing_of(replay::normal(100, 1e-3, 1e-4));
  timing.stop = Stop::count;
  EXPECT_TRUE(names(doubts(timing), "the median is known to "));
  EXPECT_TRUE(names(doubts(timing), "100 samples are all that were allowed"));
  timing.stop = Stop::time;
  EXPECT_TRUE(names(doubts(timing), "the time allowed was over after 2 s"));
  EXPECT_TRUE(names(doubts(timing_of({1e-3})), "1 samples say nothing"));
}

TEST(Doubts, NameSamplesTooShortForTheClockAndABatchThatIsNot) {
  const std::string lines = doubts(timing_of(Samples(20, 5e-6)));
  EXPECT_TRUE(names(lines, "a sample lasts 5 µs, and the clock moves in steps of 0.5 µs")) << lines;
  EXPECT_TRUE(names(lines, "a batch of 20 launches or more")) << lines;  // 0.5 % of 100 µs
  Timing batched = timing_of(Samples(20, 5e-6));
  batched.batch = 20;
  EXPECT_EQ(doubts(batched), "");
}

TEST(Doubts, NameWhatAnEmptyKernelTakesToo) {
  Timing timing = timing_of(Samples(20, 100e-6));
  timing.empty = 2.9e-6;
  EXPECT_TRUE(names(doubts(timing), "of the 100 µs an empty kernel takes 2.9 µs too"));
  timing.empty = 0.9e-6;
  EXPECT_EQ(doubts(timing), "");
}

TEST(FinestStep, IsWhatTheSamplesShowIfThatIsLess) {
  const auto step = [](Samples seconds, int batch = 1) {
    Timing timing = timing_of(std::move(seconds));
    timing.batch = batch;
    return finest_step(timing, 0.5e-6);
  };
  EXPECT_NEAR(step({2.912e-6, 2.944e-6, 3.072e-6, 2.912e-6}), 32e-9, 1e-12);
  EXPECT_NEAR(step({2.912e-6, 2.9152e-6}, 10), 32e-9, 1e-12);
  EXPECT_EQ(step({3e-6, 3e-6, 3e-6}), 0.5e-6);
  EXPECT_EQ(step({1e-6, 3e-6}), 0.5e-6);
  EXPECT_EQ(step({1.0f, 1.00000006f}), 0.5e-6);  // the same, but for rounding
}

TEST(RelativeError, IsNoFinerThanTheClock) {
  EXPECT_DOUBLE_EQ(timing_of(Samples(20, 5e-6)).relative_error(), 0.1);  // 0.5 µs of 5
  EXPECT_TRUE(std::isinf(timing_of({5e-6}).relative_error()));
}

TEST(Doubts, NameAFirstSampleThatIsSlow) {
  Samples samples = replay::normal(100, 1e-3, 1e-6);
  samples[0] = 3e-3;
  EXPECT_TRUE(names(doubts(timing_of(samples)), "the first sample took up to 3 times the median"));
  samples[1] = 2e-3;
  EXPECT_TRUE(names(doubts(timing_of(samples)), "the first 2 samples took up to 3 times"));
}

TEST(Doubts, NameOutliersInTheMidst) {
  Samples samples = replay::normal(100, 1e-3, 1e-6);
  for (size_t i : {20u, 50u, 80u}) samples[i] = 2e-3;
  EXPECT_TRUE(names(doubts(timing_of(samples)), "3 of 100 samples lie far off, up to 1e+02 %"));
}

TEST(Doubts, NameADrift) {
  Samples samples = replay::normal(100, 1e-3, 1e-6);
  for (size_t i = 0; i < samples.size(); ++i) samples[i] *= 1 + 2e-4 * double(i);
  const std::string lines = doubts(timing_of(samples));
  EXPECT_TRUE(names(lines, "the samples drift: the last quarter takes 1.5 % more")) << lines;
  std::reverse(samples.begin(), samples.end());
  EXPECT_TRUE(names(doubts(timing_of(samples)), "% less than the first"));
}

TEST(Doubts, NameTwoGroups) {
  Samples samples = replay::normal(100, 1e-3, 2e-6);
  for (size_t i = 0; i < samples.size(); i += 3) samples[i] *= 1.1;
  const std::string lines = doubts(timing_of(samples));
  EXPECT_TRUE(names(lines, "two groups, 66 at 1 ms and 34 at 1.1 ms")) << lines;
}

TEST(Doubts, SeeNoTwoGroupsInOneDistribution) {
  int found = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> uniform(1e-3, 2e-3);
    std::exponential_distribution<double> exponential(1e3);
    std::lognormal_distribution<double> lognormal(-7, 0.3);
    Samples flat, decaying, skewed;
    for (size_t i = 0; i < 20 + seed; ++i) {
      flat.push_back(uniform(random));
      decaying.push_back(1e-3 + exponential(random));
      skewed.push_back(lognormal(random));
    }
    for (const Samples& samples :
         {flat, decaying, skewed, replay::normal(20 + seed, 1, 0.1, seed)}) {
      found += groups(samples, 0).has_value();
    }
  }
  EXPECT_LE(found, 4);  // of 800
}

TEST(Doubts, SeeNoGroupsInTheStepsOfTheClock) {
  Samples samples;
  for (int i = 0; i < 60; ++i) samples.push_back(i % 2 ? 1.0e-5 : 1.05e-5);
  EXPECT_FALSE(groups(samples, 0.5e-6));
  EXPECT_TRUE(groups(samples, 0.01e-6));
}

TEST(Doubts, SeeNoDriftInSamplesThatDoNotDepend) {
  int found = 0;
  for (unsigned seed = 0; seed < 500; ++seed) {
    found += std::abs(trend(replay::normal(100, 1, 0.1, seed))) > 3.3;
  }
  EXPECT_LE(found, 3);
  EXPECT_EQ(trend(Samples(50, 1.0)), 0);
}

TEST(Doubts, NameWhatHoldsTheClocksDown) {
  Timing timing = timing_of(Samples(10, 1e-3));
  timing.clocks = {replay::clocks(1980, 3201, 0), replay::clocks(1980, 3201, 0x24)};
  EXPECT_TRUE(names(doubts(timing), "held down; the power limit, the temperature, by the driver:"));
  timing.clocks = {replay::clocks(1980, 3201, 0x103)};  // idle, and clocks that somebody chose
  EXPECT_EQ(doubts(timing), "");
}

TEST(Doubts, NameAClockThatMoved) {
  Timing timing = timing_of(Samples(10, 1e-3));
  timing.clocks = {replay::clocks(345, 3201), replay::clocks(1980, 3201)};
  EXPECT_TRUE(names(doubts(timing), "the SM clock moved between 345 and 1980 MHz"));
  timing.clocks = {replay::clocks(1980, 3201), replay::clocks(1980, 1593)};
  EXPECT_TRUE(names(doubts(timing), "the memory clock moved between 1593 and 3201 MHz"));
  timing.clocks = {replay::clocks(1980, 3201), replay::clocks(1965, 3201)};  // one step
  EXPECT_EQ(doubts(timing), "");
}

TEST(Doubts, NameOthersOnTheGpu) {
  Timing timing = timing_of(Samples(10, 1e-3));
  timing.clocks = {replay::clocks(1980, 3201)};
  timing.clocks[0].processes = 3;
  EXPECT_TRUE(names(doubts(timing), "3 processes compute on this GPU"));
  timing.clocks[0].processes = 1;
  EXPECT_EQ(doubts(timing), "");
}

TEST(Doubts, SayNothingOfClocksThatNobodyKnows) {
  Timing timing = timing_of(Samples(10, 1e-3));
  timing.clocks = {Clocks{}, Clocks{}};
  EXPECT_EQ(doubts(timing), "");
}

}  // namespace
