// f32 and f64 arithmetic in four directions against the host's own rounding modes.
#include "sim/meaning/float.h"
#include "sim_meaning_values.h"

namespace headroom::sim::meaning {
namespace {

template <class T>
struct FloatMeaning : testing::Test {};
using Floats = testing::Types<float, double>;
TYPED_TEST_SUITE(FloatMeaning, Floats);

template <class T>
struct Results {
  T sum, difference, product, quotient, inverse, root, fused;
};

template <class T>
Results<T> on_host(Round r, T a, T b, T c) {
  HostRounding rounding(r);
  a = opaque(a), b = opaque(b), c = opaque(c);
  return {opaque(a + b),
          opaque(a - b),
          opaque(a * b),
          opaque(a / b),
          opaque(T(1) / a),
          opaque(std::sqrt(a)),
          opaque(std::fma(a, b, c))};
}
template <Round R, class T>
void expect_as_on_host(T a, T b, T c) {
  Results<T> host = on_host(R, a, b, c);
  auto what = [&] {
    return testing::Message() << std::hexfloat << a << " " << b << " " << c << " direction " << R;
  };
  ASSERT_TRUE(same(add<T, R>(a, b), host.sum)) << what();
  ASSERT_TRUE(same(sub<T, R>(a, b), host.difference)) << what();
  ASSERT_TRUE(same(mul<T, R>(a, b), host.product)) << what();
  ASSERT_TRUE(same(div<T, R>(a, b), host.quotient)) << what();
  ASSERT_TRUE(same(rcp<T, R>(a), host.inverse)) << what();
  ASSERT_TRUE(same(sqrt<T, R>(a), host.root)) << what();
  ASSERT_TRUE(same(fma<T, R>(a, b, c), host.fused))
      << what() << " " << fma<T, R>(a, b, c) << " " << host.fused;
}
template <class T>
void expect_as_on_host_in_all_directions(T a, T b, T c) {
  expect_as_on_host<rn>(a, b, c);
  expect_as_on_host<rz>(a, b, c);
  expect_as_on_host<rm>(a, b, c);
  expect_as_on_host<rp>(a, b, c);
}

TYPED_TEST(FloatMeaning, rounds_as_the_host_does_in_every_direction) {
  using T = TypeParam;
  for_triples<T, T, T>([](T a, T b, T c) { expect_as_on_host_in_all_directions(a, b, c); });
}

TYPED_TEST(FloatMeaning, rounds_what_nearly_cancels) {
  using T = TypeParam;
  for_pairs<T, T>([](T a, T b) {
    T product = a * b;
    for (int near = -1; near <= 1; ++near)
      expect_as_on_host_in_all_directions(a, b, float_of<T>(bits_of(T(-product)) + Bits<T>(near)));
  });
}

TYPED_TEST(FloatMeaning, rounds_what_is_barely_there) {
  using T = TypeParam;
  int least = std::numeric_limits<T>::min_exponent;
  Values<T> a(1), b(2), c(3);
  for (int i = 0; i < 100'000 && !testing::Test::HasFailure(); ++i)
    expect_as_on_host_in_all_directions(std::ldexp(a.next(), least / 2),
                                        std::ldexp(b.next(), least / 2),
                                        std::ldexp(c.next(), least - 20));
}

TEST(NanMeaning, is_one_in_f32) {
  EXPECT_EQ(bits_of(add(INFINITY, -INFINITY)), 0x7fffffffu);
  EXPECT_EQ(bits_of(mul<float, rz>(0.0f, INFINITY)), 0x7fffffffu);
  EXPECT_EQ(bits_of(sqrt(-1.0f)), 0x7fffffffu);
  EXPECT_EQ(bits_of(abs(float_of<float>(0xffc00001u))), 0x7fffffffu);
  EXPECT_EQ(bits_of(sub(double(INFINITY), double(INFINITY))), 0xfff8000000000000u);
  EXPECT_EQ((bits_of(sub<double, rm>(1.0, float_of<double>(0x7ff8000000000012ull)))),
            0x7ff8000000000012u);
}

TEST(MinimumMeaning, orders_zeros_and_passes_nan_by) {
  float nan = std::nanf("");
  EXPECT_TRUE(same(min(0.0f, -0.0f), -0.0f));
  EXPECT_TRUE(same(min(-0.0f, 0.0f), -0.0f));
  EXPECT_TRUE(same(max(-0.0, 0.0), 0.0));
  EXPECT_EQ(min(nan, 2.0f), 2.0f);
  EXPECT_EQ(max(2.0, double(nan)), 2.0);
  EXPECT_EQ(bits_of(min(nan, nan)), 0x7fffffffu);
  EXPECT_EQ(bits_of(min_nan(nan, 2.0f)), 0x7fffffffu);
  EXPECT_EQ(min_xorsign(-1.0f, 2.0f), -1.0f);
  EXPECT_EQ(max_xorsign(-1.0f, -2.0f), 2.0f);
  EXPECT_EQ(max_xorsign(-1.0f, nan), -1.0f);
  for_pairs<double, double>([](double a, double b) {
    if (std::isnan(a) || std::isnan(b) || a == b) return;
    ASSERT_EQ(min(a, b), a < b ? a : b);
    ASSERT_EQ(max(a, b), a < b ? b : a);
    ASSERT_EQ(min_xorsign(a, b), std::copysign(std::min(std::fabs(a), std::fabs(b)),
                                               std::signbit(a) == std::signbit(b) ? 1.0 : -1.0));
  });
}

// The exact result, rounded to 24 bits as if exponents had no end: long double has room for it.
template <Round R>
long double rounded_to_24_bits(long double exact) {
  int exponent;
  long double fraction = std::frexp(exact, &exponent);
  HostRounding rounding(R);
  return std::ldexp(opaque(std::rint(opaque(std::ldexp(fraction, 24)))), exponent - 24);
}
template <Round R>
void expect_flushed_as_rounded(float a, float b) {
  long double x = flush(a), y = flush(b), product = x * y;
  float result = ftz<&mul<float, R>>(a, b);
  if (!std::isfinite(product)) return;
  bool tiny = std::fabs(rounded_to_24_bits<R>(product)) < 0x1p-126L;
  ASSERT_TRUE(
      same(result, tiny ? float(std::copysign(0.0f, product)) : mul<float, R>(float(x), float(y))))
      << std::hexfloat << a << " " << b;
}

TEST(FlushedMeaning, has_no_subnormal_in_or_out) {
  EXPECT_TRUE(same(ftz<&add<float>>(-1e-40f, -0.0f), -0.0f));
  EXPECT_TRUE(same(ftz<&sub<float>>(0x1.8p-126f, 0x1p-126f), 0.0f));
  EXPECT_TRUE(same(ftz<&sqrt<float>>(-1e-40f), -0.0f));
  EXPECT_EQ(ftz<&rcp<float>>(1e-40f), INFINITY);
}

TEST(FlushedMeaning, flushes_what_is_tiny_after_rounding) {
  auto small = [](uint32_t b) { return float_of<float>(b); };  // pairs as an H200 answered
  EXPECT_TRUE(same(ftz<&mul<float>>(small(0x800000), small(0x3f7fffff)), 0.0f));
  EXPECT_TRUE(same(ftz<&mul<float>>(small(0xfffffc), small(0x3f000002)), 0x1p-126f));
  EXPECT_TRUE(
      same(ftz<&fma<float>>(small(0x800000), small(0x901d9eb0), small(0x800000)), 0x1p-126f));
  EXPECT_TRUE(same(ftz<&rcp<float, rp>>(small(0x7e800001)), 0.0f));
  Values<float> a(1), b(2);
  for (int i = 0; i < tries && !testing::Test::HasFailure(); ++i) {
    float x = a.next(), y = b.next();
    if (i % 2 && x != 0) y = float(0x1p-126 / x);  // products next to the limit
    expect_flushed_as_rounded<rn>(x, y);
    expect_flushed_as_rounded<rz>(x, y);
    expect_flushed_as_rounded<rm>(x, y);
    expect_flushed_as_rounded<rp>(x, y);
  }
}

TEST(SaturatedMeaning, lies_between_zero_and_one) {
  EXPECT_TRUE(same(sat<&add<float>>(0.5f, 0.75f), 1.0f));
  EXPECT_TRUE(same(sat<&add<float>>(-0.5f, 0.25f), 0.0f));
  EXPECT_TRUE(same(sat<&add<float>>(-0.0f, -0.0f), 0.0f));
  EXPECT_TRUE(same(sat<&add<float>>(INFINITY, -INFINITY), 0.0f));
  EXPECT_TRUE(same((sat<ftz<&fma<float>>>(0.5f, 0.5f, 0.125f)), 0.375f));
}

}  // namespace
}  // namespace headroom::sim::meaning
