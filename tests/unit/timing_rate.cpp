// Rates of declared work: the unit is said, and bytes are never operations.
#include <gtest/gtest.h>

#include <type_traits>

#include "headroom/timing/rate.h"

namespace {

using namespace headroom::timing;

TEST(Rate, CountsBytesInTenToTheNineUnlessAskedForTwoToTheThirty) {
  // 2048 x 2048 floats copied in 1 ms, as in the sources' example of effective bandwidth.
  const double bytes = 2048.0 * 2048 * 4 * 2;
  EXPECT_DOUBLE_EQ(rate(bytes, 1e-3).value, 33.554432);
  EXPECT_STREQ(rate(bytes, 1e-3).unit, "GB/s");
  EXPECT_DOUBLE_EQ(rate(bytes, 1e-3, GiB_per_second).value, 31.25);
  EXPECT_STREQ(rate(bytes, 1e-3, GiB_per_second).unit, "GiB/s");
  EXPECT_EQ(text(rate(bytes, 1e-3, GiB_per_second)), "31.25 GiB/s");
}

TEST(Rate, CountsOperationsApart) {
  EXPECT_EQ(text(rate(Flops{2e9}, 1e-3)), "2000 GFLOP/s");
  EXPECT_EQ(text(rate(Flops{2e9}, 1e-3, TFLOP_per_second)), "2 TFLOP/s");
}

TEST(Rate, IsThatOfTheMedian) {
  Timing timing;
  timing.seconds = {1e-3, 4e-3, 2e-3};
  EXPECT_DOUBLE_EQ(rate(2e6, timing).value, 1);
  EXPECT_DOUBLE_EQ(rate(Flops{2e6}, timing).value, 1);
}

template <typename Work, typename Per, typename = void>
constexpr bool compiles = false;
template <typename Work, typename Per>
constexpr bool compiles<
    Work, Per, std::void_t<decltype(rate(std::declval<Work>(), 1.0, std::declval<Per>()))>> = true;

TEST(Rate, OfMixedKindsDoesNotCompile) {
  EXPECT_TRUE((compiles<Bytes, Unit<Bytes>>));
  EXPECT_TRUE((compiles<double, Unit<Bytes>>));
  EXPECT_TRUE((compiles<Flops, Unit<Flops>>));
  EXPECT_FALSE((compiles<Bytes, Unit<Flops>>));
  EXPECT_FALSE((compiles<double, Unit<Flops>>));
  EXPECT_FALSE((compiles<Flops, Unit<Bytes>>));
}

}  // namespace
