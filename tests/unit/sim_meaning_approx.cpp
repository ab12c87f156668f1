// Approximate functions: the largest error over a dense sample stays below the manual's, and its
// special values hold.
#include "sim/meaning/approx.h"
#include "sim_meaning_values.h"

namespace headroom::sim::meaning {
namespace {

constexpr float inf = INFINITY;
float bits(uint32_t b) { return float_of<float>(b); }

// The largest error over every `stride`-th f32 between two positive bounds and, if asked, their
// negatives.
template <class Approximate, class Reference>
double worst(Approximate f, Reference exact, float from, float to, bool relative,
             bool negatives = false) {
  double largest = 0;
  for (uint32_t b = bits_of(from); b <= bits_of(to); b += 1009)
    for (float x : {bits(b), negatives ? -bits(b) : bits(b)}) {
      double truth = exact(double(x)), error = std::fabs(f(x) - truth);
      largest = std::max(largest, relative ? error / std::fabs(truth) : error);
    }
  return largest;
}

TEST(Approximation, stays_within_the_manuals_error) {
  auto exp2 = [](double x) { return std::exp2(x); };
  auto log2 = [](double x) { return std::log2(x); };
  auto sin = [](double x) { return std::sin(x); };
  auto cos = [](double x) { return std::cos(x); };
  float full = 0x1.fffffep127f, least = 0x1p-126f, pi = 3.14159265f;
  EXPECT_LT(worst(ex2_approx, exp2, 1e-10f, 125.99f, true, true), 0x1p-22);
  EXPECT_LT(worst(lg2_approx, log2, 0.50001f, 1.99999f, false), 0x1p-22);
  EXPECT_LT(worst(lg2_approx, log2, 0x1p-149f, 0.5f, true), 0x1p-22);
  EXPECT_LT(worst(lg2_approx, log2, 2.0f, full, true), 0x1p-22);
  EXPECT_LT(worst(sin_approx, sin, 1e-30f, 2 * pi, false, true), std::exp2(-20.5));
  EXPECT_LT(worst(cos_approx, cos, 1e-30f, 2 * pi, false, true), std::exp2(-20.5));
  EXPECT_LT(worst(sin_approx, sin, 2 * pi, 100 * pi, false, true), std::exp2(-14.7));
  EXPECT_LT(worst(cos_approx, cos, 2 * pi, 100 * pi, false, true), std::exp2(-14.7));
  EXPECT_LT(worst(
                tanh_approx, [](double x) { return std::tanh(x); }, 1e-30f, full, true, true),
            0x1p-11);
  EXPECT_LT(worst(
                rcp_approx, [](double x) { return 1 / x; }, least, 0x1p126f, true, true),
            0x1p-23);
  EXPECT_LT(worst(
                rsqrt_approx, [](double x) { return 1 / std::sqrt(x); }, 0x1p-149f, full, true),
            std::exp2(-22.9));
  EXPECT_LE(worst(
                sqrt_approx, [](double x) { return std::sqrt(x); }, 0x1p-149f, full, true),
            0x1p-23);
}

TEST(Approximation, of_quotients_is_within_two_units) {
  for_pairs<float, float>([](float a, float b) {
    double truth = double(a) / double(b);
    if (std::fabs(b) > 0x1p126f || std::fabs(b) < 0x1p-126f || !std::isfinite(truth) ||
        !std::isfinite(a))
      return;
    if (std::fabs(truth) > 0x1.fffffep127 || std::fabs(truth) < 0x1p-126) return;
    ASSERT_LE(std::fabs(div_approx(a, b) - truth), std::fabs(truth) * 0x1p-22);
    ASSERT_LE(std::fabs(div_full(a, b) - truth), std::fabs(truth) * 0x1p-22);
  });
}

TEST(Approximation, of_f64_fills_the_high_word) {
  for_each<double>([](double x) {
    double inverse = rcp_approx_ftz(x), root = rsqrt_approx_ftz(x);
    ASSERT_EQ(bits_of(inverse) & 0xffffffff, 0u);
    ASSERT_EQ(bits_of(root) & 0xffffffff, 0u);
    if (!std::isnormal(x) || std::fabs(x) > 0x1p1020) return;
    ASSERT_LT(std::fabs(inverse * x - 1), 0x1p-19);
    if (x > 0) {
      ASSERT_LT(std::fabs(root * std::sqrt(x) - 1), 0x1p-19);
    }
  });
  EXPECT_TRUE(same(rcp_approx_ftz(-double(inf)), -0.0));
  EXPECT_TRUE(same(rcp_approx_ftz(-1e-310), -double(inf)));
  EXPECT_TRUE(same(rcp_approx_ftz(0x1p1023), 0.0));
  EXPECT_TRUE(same(rsqrt_approx_ftz(-0.0), -double(inf)));
  EXPECT_EQ(bits_of(rsqrt_approx_ftz(-1.0)), 0x7fffffff00000000u);
}

TEST(Approximation, of_an_inverse_root_of_f64_is_all_but_exact_and_knows_tiny_numbers) {
  for_each<double>([](double x) {
    if (!(x > 0) || std::isinf(x)) return;
    const double truth = double(1 / std::sqrt((long double)x));
    ASSERT_LE(std::fabs(rsqrt_approx_f64(x) - truth), truth * 0x1p-51);
  });
  EXPECT_TRUE(same(rsqrt_approx_f64(-0.0), -double(inf)));
  EXPECT_TRUE(same(rsqrt_approx_f64(double(inf)), 0.0));
  EXPECT_EQ(bits_of(rsqrt_approx_f64(0x0.fffffffffffffp-1022)),
            0x5fe0000000000001u);  // as on an H200
  EXPECT_EQ(bits_of(rsqrt_approx_f64(-1.0)), 0xfff8000000000000u);
  EXPECT_EQ(bits_of(rsqrt_approx_f64(float_of<double>(0xfff5555555555555))), 0xfffd555555555555u);
}

TEST(Approximation, of_halves_is_within_the_manuals_error) {
  for (uint32_t b = 0; b < 65536; ++b) {
    half h{uint16_t(b)};
    bfloat g{uint16_t(b)};
    double x = widen(h), y = widen(g);
    if (x > -14 && x < 15.9) {
      ASSERT_LT(std::fabs(widen(ex2_approx_half(h)) / std::exp2(x) - 1), std::exp2(-9.9));
    }
    if (std::fabs(x) > 0x1p-13) {
      ASSERT_LE(std::fabs(widen(tanh_approx_half(h)) / std::tanh(x) - 1), std::exp2(-10.987));
    }
    if (y > -126 && y < 127.9) {
      ASSERT_LT(std::fabs(widen(ex2_approx_half(g)) / std::exp2(y) - 1), 0x1p-7);
    }
    if (std::fabs(y) > 0x1p-120) {
      ASSERT_LE(std::fabs(widen(tanh_approx_half(g)) / std::tanh(y) - 1), 0x1p-8);
    }
  }
}

struct Special {
  float (*function)(float);
  float in, out;
};
TEST(Approximation, has_the_manuals_special_values) {
  const float nan = bits(0x7fffffff), subnormal = 0x1p-140f;
  // clang-format off
  const Special specials[] = {
      {ex2_approx, -inf, 0},         {ex2_approx, -subnormal, 1},   {ex2_approx, -0.0f, 1},       {ex2_approx, inf, inf},
      {ex2_approx, 128, inf},        {ex2_approx, -149, 0x1p-149f}, {ex2_approx, -151, 0},        {ex2_approx, nan, nan},
      {lg2_approx, -inf, nan},       {lg2_approx, -1, nan},         {lg2_approx, -0.0f, -inf},    {lg2_approx, 0, -inf},
      {lg2_approx, inf, inf},        {lg2_approx, 0x1p-149f, -149}, {lg2_approx, nan, nan},       {lg2_approx, 1, 0},
      {sin_approx, -inf, nan},       {sin_approx, -0.0f, -0.0f},    {sin_approx, 0, 0},           {sin_approx, inf, nan},
      {cos_approx, -inf, nan},       {cos_approx, -0.0f, 1},        {cos_approx, subnormal, 1},   {cos_approx, nan, nan},
      {tanh_approx, -inf, -1},       {tanh_approx, -0.0f, -0.0f},   {tanh_approx, inf, 1},        {tanh_approx, nan, nan},
      {rcp_approx, -inf, -0.0f},     {rcp_approx, -0.0f, -inf},     {rcp_approx, 0, inf},         {rcp_approx, nan, nan},
      {rsqrt_approx, -inf, nan},     {rsqrt_approx, -1, nan},       {rsqrt_approx, -0.0f, -inf},  {rsqrt_approx, inf, 0},
      {sqrt_approx, -inf, nan},      {sqrt_approx, -0.0f, -0.0f},   {sqrt_approx, inf, inf},      {sqrt_approx, -1, nan},
      {ftz<&lg2_approx>, subnormal, -inf},                          {ftz<&rsqrt_approx>, -subnormal, -inf},
      {ftz<&sqrt_approx>, -subnormal, -0.0f},                       {ftz<&ex2_approx>, -127, 0},
      {ftz<&rcp_approx>, -subnormal, -inf},                         {ftz<&sin_approx>, -subnormal, -0.0f}};
  // clang-format on
  for (const Special& s : specials) {
    float result = s.function(s.in);
    EXPECT_EQ(bits_of(result), bits_of(s.out))
        << &s - specials << ": f(" << s.in << ") = " << result << ", not " << s.out;
  }
  EXPECT_TRUE(same(div_approx(-3, 0x1p127f), -0.0f));
  EXPECT_TRUE(std::isnan(div_approx(inf, 0x1p127f)));
  EXPECT_TRUE(same(div_full(-3, 0x1p127f), -3 * 0x1p-127f));
  EXPECT_LE(std::fabs(sin_approx(3e38f)), 1);
}

}  // namespace
}  // namespace headroom::sim::meaning
