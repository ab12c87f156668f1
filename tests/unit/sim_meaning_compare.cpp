// Comparison against the host's on wider types, and the truth table of NaN.
#include "sim/meaning/compare.h"
#include "sim_meaning_values.h"

namespace headroom::sim::meaning {
namespace {

template <class T>
struct FloatComparison : testing::Test {};
using Floats = testing::Types<float, double, half, bfloat>;
TYPED_TEST_SUITE(FloatComparison, Floats);

TYPED_TEST(FloatComparison, is_ordered_or_true_for_nan) {
  using T = TypeParam;
  for_pairs<T, T>([](T a, T b) {
    long double x = widen(a), y = widen(b);
    bool unordered = std::isunordered(x, y);
    ASSERT_EQ((setp<eq, T>(a, b)), !unordered && x == y);
    ASSERT_EQ((setp<ne, T>(a, b)), !unordered && x != y);
    ASSERT_EQ((setp<lt, T>(a, b)), !unordered && x < y);
    ASSERT_EQ((setp<le, T>(a, b)), !unordered && x <= y);
    ASSERT_EQ((setp<gt, T>(a, b)), !unordered && x > y);
    ASSERT_EQ((setp<ge, T>(a, b)), !unordered && x >= y);
    ASSERT_EQ((setp<equ, T>(a, b)), unordered || x == y);
    ASSERT_EQ((setp<neu, T>(a, b)), unordered || x != y);
    ASSERT_EQ((setp<ltu, T>(a, b)), unordered || x < y);
    ASSERT_EQ((setp<leu, T>(a, b)), unordered || x <= y);
    ASSERT_EQ((setp<gtu, T>(a, b)), unordered || x > y);
    ASSERT_EQ((setp<geu, T>(a, b)), unordered || x >= y);
    ASSERT_EQ((setp<num, T>(a, b)), !unordered);
    ASSERT_EQ((setp<meaning::nan, T>(a, b)), unordered);
  });
}

TYPED_TEST(FloatComparison, classifies_and_copies_signs) {
  using T = TypeParam;
  for_pairs<T, T>([](T a, T b) {
    double x = widen(a);
    bool subnormal =
        x != 0 && std::fabs(x) < double(widen(float_of<T>(Bits<T>(Format<T>::normal))));
    ASSERT_EQ(testp_finite(a), std::isfinite(x));
    ASSERT_EQ(testp_infinite(a), std::isinf(x));
    ASSERT_EQ(testp_number(a), !std::isnan(x));
    ASSERT_EQ(testp_notanumber(a), std::isnan(x));
    ASSERT_EQ(testp_subnormal(a), subnormal);
    ASSERT_EQ(testp_normal(a), std::isfinite(x) && !subnormal);
    ASSERT_EQ(bits_of(copysign(a, b)), Bits<T>(sign(a) | magnitude(b)));
  });
}

TEST(IntegerComparison, follows_the_sign_of_its_type_or_of_its_operator) {
  for_pairs<int32_t, int32_t>([](int32_t a, int32_t b) {
    int64_t x = a, y = b;
    uint64_t u = uint32_t(a), v = uint32_t(b);
    ASSERT_EQ((setp<eq, int32_t>(a, b)), x == y);
    ASSERT_EQ((setp<ne, int32_t>(a, b)), x != y);
    ASSERT_EQ((setp<lt, int32_t>(a, b)), x < y);
    ASSERT_EQ((setp<ge, int32_t>(a, b)), x >= y);
    ASSERT_EQ((setp<gt, uint32_t>(a, b)), u > v);
    ASSERT_EQ((setp<le, uint32_t>(a, b)), u <= v);
    ASSERT_EQ((setp<lo, uint32_t>(a, b)), u < v);
    ASSERT_EQ((setp<ls, uint32_t>(a, b)), u <= v);
    ASSERT_EQ((setp<hi, uint32_t>(a, b)), u > v);
    ASSERT_EQ((setp<hs, uint32_t>(a, b)), u >= v);
  });
}

TEST(IntegerComparison, combines_with_a_predicate) {
  for (bool c : {false, true})
    for (int a : {0, 1}) {
      bool p = a < 1;
      EXPECT_EQ((setp_and<lt, int>(a, 1, c)), p && c);
      EXPECT_EQ((setp_or<lt, int>(a, 1, c)), p || c);
      EXPECT_EQ((setp_xor<lt, int>(a, 1, c)), p != c);
      EXPECT_EQ((setp_not_and<lt, int>(a, 1, c)), !p && c);
      EXPECT_EQ((setp_not_or<lt, int>(a, 1, c)), !p || c);
      EXPECT_EQ((setp_not_xor<lt, int>(a, 1, c)), !p != c);
    }
}

TEST(Selection, gives_what_is_true) {
  EXPECT_EQ((set<ge, float, uint32_t>(2, 1)), ~0u);
  EXPECT_EQ((set<ge, float, int32_t>(0, 1)), 0);
  EXPECT_EQ((set<lt, int32_t, float>(0, 1)), 1.0f);
  EXPECT_EQ((set<lt, half, half>(half{0}, half{0x3c00}).bits), 0x3c00);
  EXPECT_EQ(selp(3, 4, true), 3);
  EXPECT_EQ((slct<int, int32_t>(3, 4, -1)), 4);
  EXPECT_EQ((slct<int, float>(3, 4, -0.0f)), 3);
  EXPECT_EQ((slct<int, float>(3, 4, std::nanf(""))), 4);
}

TEST(FlushedComparison, sees_no_subnormals) {
  EXPECT_TRUE((setp<lt, float>(0, 1e-40f)));
  EXPECT_FALSE((ftz<&setp<lt, float>>(0, 1e-40f)));
}

}  // namespace
}  // namespace headroom::sim::meaning
