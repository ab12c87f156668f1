// Statistics of samples: worked out by hand, as properties, and by simulation.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <random>

#include "headroom/timing/samples.h"

namespace {

using namespace headroom::timing;
using Samples = std::vector<double>;

TEST(Median, IsTheMiddleOneOrTheMeanOfTheMiddleTwo) {
  EXPECT_EQ(median({3, 1, 2}), 2);
  EXPECT_EQ(median({4, 1, 3, 2}), 2.5);
  EXPECT_TRUE(std::isnan(median({})));
  EXPECT_TRUE(std::isnan(minimum({})));
  EXPECT_EQ(minimum({3, 1, 2}), 1);
  EXPECT_EQ(maximum({3, 1, 2}), 3);
}

// Tables of the sign test: how many of n samples lie outside on each side at 95 % (two-sided).
// 2 (C(6,0)) / 2^6 = 3.1 % for n = 6 and none outside; 2 (1 + 10) / 2^10 = 2.1 % for n = 10 and 1.
TEST(MedianInterval, LeavesOutAsManyAsTheBinomialAllows) {
  for (size_t n = 0; n < 6; ++n) EXPECT_EQ(samples_outside(n), -1) << n;
  const std::pair<size_t, long> table[] = {
      {6, 0},  {8, 0},   {9, 1},   {10, 1},  {11, 1},  {12, 2},  {15, 3},  {20, 5},  {25, 7},
      {30, 9}, {40, 13}, {50, 17}, {60, 21}, {70, 26}, {80, 30}, {90, 35}, {100, 39}};
  for (auto [n, outside] : table) EXPECT_EQ(samples_outside(n), outside) << n;
  // Normal approximation for many: n / 2 - 0.98 sqrt(n).
  EXPECT_NEAR(double(samples_outside(100000)), 50000 - 0.98 * std::sqrt(100000.0), 3);
}

TEST(MedianInterval, OfTenSamplesGoesFromTheSecondToTheNinth) {
  const Interval interval = median_interval({10, 9, 8, 7, 6, 5, 4, 3, 2, 1});
  EXPECT_EQ(interval.low, 2);
  EXPECT_EQ(interval.high, 9);
  EXPECT_DOUBLE_EQ(relative_error({10, 9, 8, 7, 6, 5, 4, 3, 2, 1}), 3.5 / 5.5);
}

TEST(MedianInterval, OfFewSamplesBoundsNothing) {
  EXPECT_TRUE(std::isinf(relative_error({})));
  EXPECT_TRUE(std::isinf(relative_error({1, 1, 1, 1, 1})));
  EXPECT_EQ(relative_error({1, 1, 1, 1, 1, 1}), 0);
}

TEST(MedianInterval, ContainsTheMedianAsOftenAsItSays) {
  std::mt19937_64 random(1);
  std::lognormal_distribution<double> skewed(0, 0.5);  // its median is 1
  for (size_t n : {10u, 37u, 200u}) {
    int within = 0;
    constexpr int rounds = 4000;
    for (int round = 0; round < rounds; ++round) {
      Samples samples(n);
      for (double& sample : samples) sample = skewed(random);
      const Interval interval = median_interval(samples);
      within += interval.low <= 1 && 1 <= interval.high;
    }
    EXPECT_GE(double(within) / rounds, 0.94) << n;
    EXPECT_LE(double(within) / rounds, 0.985) << n;  // and is not wider than it must be
  }
}

// Nanoseconds as seconds.
rc::Gen<double> some_time() {
  return rc::gen::map(rc::gen::inRange(1, 1000000), [](int i) { return i * 1e-9; });
}

RC_GTEST_PROP(Median, DoesNotDependOnTheOrder, ()) {
  const auto samples = *rc::gen::container<Samples>(*rc::gen::inRange(1, 200), some_time());
  Samples other = samples;
  std::shuffle(other.begin(), other.end(), std::mt19937_64(samples.size()));
  RC_ASSERT(median(samples) == median(other));
  RC_ASSERT(relative_error(samples) == relative_error(other));
}

RC_GTEST_PROP(Median, LiesInItsIntervalAndTheIntervalAmongTheSamples, ()) {
  const auto samples = *rc::gen::container<Samples>(*rc::gen::inRange(6, 200), some_time());
  const Interval interval = median_interval(samples);
  RC_ASSERT(interval.low <= median(samples) && median(samples) <= interval.high);
  RC_ASSERT(minimum(samples) <= interval.low && interval.high <= maximum(samples));
  RC_ASSERT(relative_error(samples) >= 0);
}

RC_GTEST_PROP(RelativeError, DoesNotDependOnTheUnit, ()) {
  const auto samples = *rc::gen::container<Samples>(
      *rc::gen::inRange(6, 60),
      rc::gen::map(rc::gen::inRange(1, 1000000), [](int i) { return double(i); }));
  Samples scaled = samples;
  for (double& sample : scaled) sample *= 1024;  // exactly
  RC_ASSERT(relative_error(samples) == relative_error(scaled));
}

}  // namespace
