// Conversions against the host's casts under its rounding modes, and 128-bit floats that are
// clamped.
#include "sim/meaning/convert.h"
#include "sim_meaning_values.h"

namespace headroom::sim::meaning {
namespace {

template <class T>
struct Conversion : testing::Test {};
using Integers =
    testing::Types<uint8_t, int8_t, uint16_t, int16_t, uint32_t, int32_t, uint64_t, int64_t>;
TYPED_TEST_SUITE(Conversion, Integers);

// ---- integers

template <class D, class S>
void expect_narrowed(S x) {
  int128 low = std::numeric_limits<D>::min(), high = std::numeric_limits<D>::max(), exact = x;
  ASSERT_EQ((convert<D, S>(x)), D(exact));
  ASSERT_EQ((convert_sat<D, S>(x)), D(exact < low ? low : exact > high ? high : exact));
}
TYPED_TEST(Conversion, among_integers_keeps_low_bits_or_clamps) {
  using D = TypeParam;
  for_each<uint64_t>([](uint64_t x) {
    expect_narrowed<D>(uint16_t(x));
    expect_narrowed<D>(int16_t(x));
    expect_narrowed<D>(uint32_t(x));
    expect_narrowed<D>(int32_t(x));
    expect_narrowed<D>(uint64_t(x));
    expect_narrowed<D>(int64_t(x));
  });
}

// ---- integer to float

template <Round R, class S>
void expect_as_cast(S x) {
  float narrow_result;
  double wide_result;
  {
    HostRounding rounding(R);
    S y = opaque(x);
    narrow_result = opaque(float(y)), wide_result = opaque(double(y));
  }
  ASSERT_TRUE(same(convert<float, S, R>(x), narrow_result)) << int64_t(x) << " direction " << R;
  ASSERT_TRUE(same(convert<double, S, R>(x), wide_result)) << int64_t(x) << " direction " << R;
}
TYPED_TEST(Conversion, to_float_rounds_in_every_direction) {
  using S = TypeParam;
  for_each<S>([](S x) {
    expect_as_cast<rn>(x);
    expect_as_cast<rz>(x);
    expect_as_cast<rm>(x);
    expect_as_cast<rp>(x);
    double exact_enough = convert<double, S, rz>(x);  // f16 ends far below 2^53
    if (std::fabs(exact_enough) >= 0x1p53) return;
    ASSERT_EQ((convert<half, S, rm>(x).bits), (shorten<half, rm>(exact_enough).bits));
  });
  EXPECT_EQ((convert<bfloat, uint64_t>((uint64_t(0x101) << 55) + 1).bits),
            0x5f01);  // one past a tie
}

// ---- float to integer

template <class D, Round R, class S>
void expect_clamped(S x) {
  long double value = widen(x), rounded;
  {
    HostRounding rounding(R);
    rounded = opaque(std::rint(opaque(value)));
  }
  long double low = std::numeric_limits<D>::min(),
              high = std::numeric_limits<D>::max();  // 64 bits fit
  D for_nan =
      std::same_as<S, double> || sizeof(D) == 8 ? D(Unsigned<D>(1) << (width<D> - 1)) : D(0);
  D expected = std::isnan(rounded) ? for_nan
               : rounded < low     ? std::numeric_limits<D>::min()
               : rounded > high    ? std::numeric_limits<D>::max()
                                   : D(rounded);
  ASSERT_EQ((convert<D, S, R>(x)), expected) << std::hexfloat << value << " direction " << R;
}
template <class D, class S>
void expect_clamped_in_all_directions(S x) {
  expect_clamped<D, rn>(x);
  expect_clamped<D, rz>(x);
  expect_clamped<D, rm>(x);
  expect_clamped<D, rp>(x);
}
TYPED_TEST(Conversion, from_float_saturates) {
  using D = TypeParam;
  for_pairs<float, double>([](float x, double y) {
    expect_clamped_in_all_directions<D>(x);
    expect_clamped_in_all_directions<D>(y);
  });
  for (uint32_t b = 0; b < 65536; ++b) expect_clamped_in_all_directions<D>(half{uint16_t(b)});
}

// ---- float to float

template <Round R>
void expect_narrowed_float(double x) {
  float narrowed;
  double whole_double;
  {
    HostRounding rounding(R);
    narrowed = opaque(float(opaque(x)));
    whole_double = opaque(std::rint(opaque(x)));
  }
  ASSERT_TRUE(same(convert<float, double, R>(x), narrowed))
      << std::hexfloat << x << " direction " << R;
  ASSERT_TRUE(same(round_to_integral<R>(x), whole_double))
      << std::hexfloat << x << " direction " << R;
}
TEST(FloatConversion, narrows_and_rounds_to_whole_numbers) {
  for_pairs<double, float>([](double x, float near) {
    double beside = float_of<double>(bits_of(double(near)) + bits_of(x) % 3 - 1);
    for (double y : {x, beside, std::ldexp(x, -900), double(near) * (1 + 0x1p-24)}) {
      expect_narrowed_float<rn>(y);
      expect_narrowed_float<rz>(y);
      expect_narrowed_float<rm>(y);
      expect_narrowed_float<rp>(y);
    }
  });
  EXPECT_TRUE(same(round_to_integral<rm>(-0.5f), -1.0f));
  EXPECT_TRUE(same(round_to_integral<rp>(-0.5f), -0.0f));
  EXPECT_EQ((round_to_integral<rn>(half{0x3e00}).bits), 0x4000);  // 1.5 to 2
}

TEST(FloatConversion, keeps_or_replaces_nan_as_an_h200_does) {
  EXPECT_EQ((bits_of(convert<float>(float_of<double>(0xfff8000000000000ull)))), 0xffc00000u);
  EXPECT_EQ((convert<half>(float_of<double>(0xfff8000000000000ull)).bits), 0xfe00);
  EXPECT_EQ((bits_of(convert<double>(half{0x7c01}))), 0x7ff8040000000000u);
  EXPECT_EQ((bits_of(convert<float>(half{0x7c01}))), 0x7fffffffu);
  EXPECT_EQ((bits_of(convert<float>(bfloat{0x7f81}))), 0x7f810000u);
  EXPECT_EQ((bits_of(ftz<&convert<double, float>>(float_of<float>(0xffc00000u)))),
            0x7fffffffe0000000u);
  EXPECT_TRUE(same((ftz<&convert<float, double>>(float_of<double>(0x380fffffeffffffe))), 0.0f));
}

// ---- narrow formats

double number(uint32_t m, int fraction, int bias) {
  int field = int(m >> fraction), significand = int(m & ((1u << fraction) - 1));
  return std::ldexp(field ? significand + (1 << fraction) : significand,
                    std::max(field, 1) - bias - fraction);
}
template <class S>
void expect_nearest(int fraction, int bias, uint32_t largest, uint32_t nan) {
  auto to_finite_bits = [](float x) { return encode<S, rn, to_finite>(x); };
  auto value = [&](uint32_t m) { return number(m, fraction, bias); };
  for (uint32_t m = 0; m <= largest; ++m) {
    EXPECT_EQ(decode<S>(m), value(m));
    EXPECT_EQ(to_finite_bits(float(value(m))), m);
    EXPECT_EQ(to_finite_bits(float(-value(m))), m | S::sign);
    if (m == largest) continue;
    float middle = float((value(m) + value(m + 1)) / 2);
    EXPECT_EQ(to_finite_bits(middle), m % 2 ? m + 1 : m);
    EXPECT_EQ(to_finite_bits(std::nextafter(middle, 0.0f)), m);
    EXPECT_EQ(to_finite_bits(std::nextafter(middle, INFINITY)), m + 1);
  }
  EXPECT_EQ(to_finite_bits(INFINITY), largest);
  EXPECT_EQ(to_finite_bits(-1e30f), largest | S::sign);
  EXPECT_EQ(to_finite_bits(NAN), nan);
}
TEST(NarrowFormat, rounds_to_the_nearest_of_its_numbers) {
  expect_nearest<e4m3>(3, 7, 0x7e, 0x7f);
  expect_nearest<e5m2>(2, 15, 0x7b, 0x7f);
  expect_nearest<e2m1>(1, 1, 0x7, 0x7);
  expect_nearest<e2m3>(3, 1, 0x1f, 0x1f);
  expect_nearest<e3m2>(2, 3, 0x1f, 0x1f);
}

TEST(NarrowFormat, packs_the_first_operand_high) {
  EXPECT_EQ(convert_fp8x2<e4m3>(1.0f, -2.0f), 0x38c0);
  EXPECT_EQ(convert_from_fp8x2<e4m3>(0x38c0).bits, 0x3c00c000u);
  EXPECT_EQ(convert_fp8x2_of<e5m2>(half2{0x3c00c000}), 0x3cc0);
  EXPECT_EQ(std::isnan(decode<e4m3>(0xff)), true);
  EXPECT_EQ(decode<e5m2>(0xfc), -INFINITY);
  EXPECT_EQ(convert_pair<half>(1.0f, -2.0f).bits, 0x3c00c000u);
  EXPECT_EQ(convert_fp4x2(6.0f, -0.5f), 0x79);
}

TEST(NarrowFormat, tf32_rounds_ties_away_or_to_even) {
  float tie = 1 + 0x1p-11f;
  EXPECT_EQ(tf32_rna(tie), bits_of(1 + 0x1p-10f));
  EXPECT_EQ(tf32_rn(tie), bits_of(1.0f));
  EXPECT_EQ(tf32_rz(-tie), bits_of(-1.0f));
  for_each<float>([](float x) {
    if (std::isnan(x) || std::isinf(x)) return;
    ASSERT_EQ(tf32_rna(x), (bits_of(x) + 0x1000) & ~0x1fffu);
    ASSERT_EQ(tf32_rz(x), bits_of(x) & ~0x1fffu);
  });
}

TEST(SaturatedConversion, clamps_to_one) {
  EXPECT_EQ((sat<&convert<float, int32_t>>(7)), 1.0f);
  EXPECT_EQ((relu<&convert<half, float>>(-3.0f).bits), 0);
}

}  // namespace
}  // namespace headroom::sim::meaning
