// 16-bit floats: every one of them widened, and results rounded by looking them up among all
// numbers of the format.
#include <algorithm>

#include "sim/meaning/half.h"
#include "sim_meaning_values.h"

namespace headroom::sim::meaning {
namespace {

// 113 bits: every product is exact, and all sums of halves.
using Exact = __float128;

struct Shape {
  int fraction, bias;
};
template <class H>
constexpr Shape shape = std::same_as<H, half> ? Shape{10, 15} : Shape{7, 127};

// Straight from the definition of the format.
template <class H>
double value_of(H x) {
  auto [fraction, bias] = shape<H>;
  int field = magnitude(x) >> fraction, significand = magnitude(x) & ((1 << fraction) - 1);
  double value = std::ldexp(field ? significand + (1 << fraction) : significand,
                            std::max(field, 1) - bias - fraction);
  return sign(x) ? -value : value;
}

// The neighbours of a number in the format are next to each other in this list of all finite
// magnitudes.
template <class H>
const std::vector<double>& magnitudes() {
  static const std::vector<double> list = [] {
    std::vector<double> all;
    for (uint32_t b = 0; b <= Format<H>::infinity; ++b)
      all.push_back(value_of(H{uint16_t(b)}));  // infinity: as if finite
    return all;
  }();
  return list;
}
template <class H>
H looked_up(Exact x, Round r, bool negative_zero) {
  bool negative = x < 0 || (x == 0 && negative_zero);
  Exact m = x < 0 ? -x : x;
  const auto& list = magnitudes<H>();
  uint32_t above = uint32_t(std::lower_bound(list.begin(), list.end(), m,
                                             [](double a, Exact b) { return Exact(a) < b; }) -
                            list.begin());
  uint32_t result = above;
  if (m >= list.back()) {  // there stands infinity
    result = r == rn || r == (negative ? rm : rp) ? Format<H>::infinity : Format<H>::infinity - 1;
  } else if (Exact(list[above]) != m) {
    Exact below = list[above - 1], middle = (below + Exact(list[above])) / 2;
    bool up = r == rn ? m > middle || (m == middle && above % 2 == 0) : r == (negative ? rm : rp);
    result = up ? above : above - 1;
  }
  return H{uint16_t(result | (negative ? Format<H>::sign : 0))};
}

template <class H>
bool is_finite_half(H x) {
  return magnitude(x) < Format<H>::infinity;
}

template <class H>
struct HalfMeaning : testing::Test {};
using Halves = testing::Types<half, bfloat>;
TYPED_TEST_SUITE(HalfMeaning, Halves);

TYPED_TEST(HalfMeaning, widens_all_65536_and_shortens_them_back) {
  using H = TypeParam;
  for (uint32_t b = 0; b < 65536; ++b) {
    H x{uint16_t(b)};
    if (is_nan(x)) {
      ASSERT_EQ(bits_of(widen(x)), 0x7fffffffu);
      ASSERT_EQ(shorten<H>(widen(x)).bits, 0x7fff);
      continue;
    }
    double value = magnitude(x) == Format<H>::infinity ? std::copysign(INFINITY, sign(x) ? -1 : 1)
                                                       : value_of(x);
    ASSERT_TRUE(same(double(widen(x)), value)) << b;
    ASSERT_EQ(shorten<H>(widen(x)).bits, b);
    ASSERT_EQ((shorten<H, rp>(value).bits), b);
  }
}

template <class H, Round R>
void expect_rounded(double x) {
  if (std::isnan(x) || std::isinf(x)) return;
  ASSERT_EQ((shorten<H, R>(float(x)).bits), (looked_up<H>(float(x), R, std::signbit(x)).bits))
      << std::hexfloat << float(x) << " direction " << R;
  ASSERT_EQ((shorten<H, R>(x).bits), (looked_up<H>(x, R, std::signbit(x)).bits))
      << std::hexfloat << x << " direction " << R;
}
TYPED_TEST(HalfMeaning, rounds_f32_and_f64_in_every_direction) {
  using H = TypeParam;
  Values<double> values(1);
  Values<H> near(2);
  for (int i = 0; i < tries && !testing::Test::HasFailure(); ++i) {
    double x = values.next();
    H h = near.next();
    if (i % 2 && is_finite_half(h)) {  // a midpoint, or next to it
      double v = value_of(h), w = value_of(H{uint16_t(h.bits + 1)});
      x = (v + w) / 2 * (i % 4 == 1 ? 1 : 1 + 0x1p-50 * (i % 7 - 3));
    }
    if (std::fabs(x) > 3e38) continue;  // beyond float
    expect_rounded<H, rn>(x);
    expect_rounded<H, rz>(x);
    expect_rounded<H, rm>(x);
    expect_rounded<H, rp>(x);
  }
}

TYPED_TEST(HalfMeaning, computes_with_a_single_rounding) {
  using H = TypeParam;
  Values<H> a(1), b(2), c(3);
  int checked = 0;
  for (int i = 0; i < tries && !testing::Test::HasFailure(); ++i) {
    H x = a.next(), y = b.next(), z = c.next();
    if (!is_finite_half(x) || !is_finite_half(y) || !is_finite_half(z)) continue;
    Exact p = value_of(x), q = value_of(y), r = value_of(z);
    Exact sum = p + r, product = p * q, fused = product + r;
    auto what = [&] {
      return testing::Message() << std::hex << x.bits << " " << y.bits << " " << z.bits;
    };
    ASSERT_EQ(mul(x, y).bits, looked_up<H>(product, rn, sign(x) != sign(y)).bits) << what();
    if (sum - p == r && sum - r == p) {  // wide gaps do not fit 113 bits
      ASSERT_EQ(add(x, z).bits, looked_up<H>(sum, rn, sign(x) && sign(z)).bits) << what();
      ASSERT_EQ(sub(x, neg(z)).bits, add(x, z).bits) << what();
    }
    if (fused - product == r && fused - r == product) {
      ++checked;
      ASSERT_EQ(fma(x, y, z).bits, looked_up<H>(fused, rn, (sign(x) != sign(y)) && sign(z)).bits)
          << what();
    }
  }
  EXPECT_GT(checked, 50'000);
}

TEST(BfloatMeaning, fma_breaks_ties_by_what_lies_far_below) {
  bfloat product{0x3f81},
      tiny{0x0080};  // 1.0078125 squared has a 1 below the last place and a tail
  float exact = widen(product) * widen(product);
  EXPECT_EQ(fma(product, product, tiny).bits, shorten<bfloat>(exact).bits);
  // 1.5 * (1 + 2^-7) = 1.5 + 2^-7 + 2^-8: a tie, which 2^-126 settles either way
  bfloat a{0x3fc0}, b{0x3f81};
  EXPECT_EQ(fma(a, b, tiny).bits, 0x3fc2);
  EXPECT_EQ(fma(a, b, neg(tiny)).bits, 0x3fc1);
}

TYPED_TEST(HalfMeaning, has_one_nan_and_obeys_relu_and_pairs) {
  using H = TypeParam;
  H infinity{Format<H>::infinity}, one{Format<H>::one}, minus_one = neg(one);
  EXPECT_EQ(sub(infinity, infinity).bits, 0x7fff);
  EXPECT_EQ(relu<&sub<H>>(infinity, infinity).bits, 0x7fff);
  EXPECT_EQ((relu<&fma<H>>(minus_one, one, neg(H{0})).bits), 0);
  EXPECT_EQ(sat<&add<H>>(one, one).bits, Format<H>::one);
  auto both = packed<&sub<H>>(pair(one, minus_one), pair(H{0}, one));
  EXPECT_EQ(low<H>(both).bits, one.bits);
  EXPECT_EQ(widen(high<H>(both)), -2.0f);
}

TEST(HalfFlushing, happens_after_rounding) {  // as an H200 answered
  EXPECT_EQ(ftz<&mul<half>>(half{0xb400}, half{0x8bff}).bits, 0);
  EXPECT_EQ(ftz<&fma<half>>(half{0x3800}, half{0x87ff}, half{0x0080}).bits, 0x8000);
  EXPECT_EQ(ftz<&add<half>>(half{0x03ff}, half{0x8400}).bits, 0x8400);
}

}  // namespace
}  // namespace headroom::sim::meaning
