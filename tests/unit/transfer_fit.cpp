// The line through a transfer study's times, on times that are made up.
#include <gtest/gtest.h>

#include <random>

#include "studies/transfer/fit.h"

namespace {

using transfer::fit;
using transfer::Line;
using transfer::Point;

std::vector<Point> times(double a, double b, double noise, unsigned seed = 1) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> any(1 - noise, 1 + noise);
  std::vector<Point> points;
  for (double bytes = 4; bytes <= 1 << 30; bytes *= 2)
    points.push_back({bytes, (a + bytes / b) * any(engine)});
  return points;
}

TEST(Fit, FindsALineThatIsThere) {
  const Line line = fit(times(7e-6, 55e9, 0));
  ASSERT_TRUE(line.found);
  EXPECT_NEAR(line.a, 7e-6, 1e-12);
  EXPECT_NEAR(line.b, 55e9, 1e4);
  EXPECT_NEAR(line.half(), 7e-6 * 55e9, 1);
  EXPECT_LT(line.worst_residual, 1e-9);
}

TEST(Fit, FindsItInNoise) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const Line line = fit(times(7e-6, 55e9, 0.05, seed));
    EXPECT_NEAR(line.a / 7e-6, 1, 0.03) << seed;
    EXPECT_NEAR(line.b / 55e9, 1, 0.04) << seed;
    EXPECT_LT(line.typical_residual, 0.06) << seed;
  }
}

// A library that changes its method leaves a few sizes that no line fits.
TEST(Fit, IsNotDrawnAwayByAFewSizes) {
  std::vector<Point> points = times(7e-6, 55e9, 0.001);
  points[10].seconds *= 3;
  points[15].seconds *= 2;
  const Line line = fit(points);
  EXPECT_NEAR(line.a / 7e-6, 1, 0.02);
  EXPECT_NEAR(line.b / 55e9, 1, 0.02);
  EXPECT_LT(line.typical_residual, 0.01);
  EXPECT_GT(line.worst_residual, 0.5);
}

TEST(Fit, CostsNothingAtTheLeast) {
  const Line line = fit({{1e6, 0.9e-3}, {2e6, 2e-3}, {4e6, 4.1e-3}, {8e6, 8.2e-3}});
  EXPECT_GE(line.a, 0);
  EXPECT_NEAR(line.b, 1e9, 0.1e9);
}

TEST(Fit, NeedsThreeSizesAndTimesThatRise) {
  EXPECT_FALSE(fit({}).found);
  EXPECT_FALSE(fit({{4, 1e-6}, {8, 2e-6}}).found);
  EXPECT_FALSE(fit({{4, 1e-6}, {4, 2e-6}, {8, 2e-6}}).found);
  EXPECT_FALSE(fit({{4, 3e-6}, {1024, 2e-6}, {4096, 1e-6}}).found);
}

}  // namespace
