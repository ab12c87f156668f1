// Integer arithmetic against 128-bit integers, where nothing overflows.
#include "sim/meaning/integer.h"
#include "sim_meaning_values.h"

namespace headroom::sim::meaning {
namespace {

template <class T>
struct IntegerMeaning : testing::Test {};
using Types = testing::Types<uint16_t, int16_t, uint32_t, int32_t, uint64_t, int64_t>;
TYPED_TEST_SUITE(IntegerMeaning, Types);

// Exact over 128 bits, except for the product of two u64, which wraps where its high half is asked
// for anyway.
template <class T>
using Exact = std::conditional_t<std::is_signed_v<T>, int128, uint128>;

TYPED_TEST(IntegerMeaning, wraps_like_the_exact_result) {
  using T = TypeParam;
  for_triples<T, T, T>([](T a, T b, T c) {
    Exact<T> x = a, y = b, z = c;
    ASSERT_EQ(add(a, b), T(x + y));
    ASSERT_EQ(sub(a, b), T(x - y));
    ASSERT_EQ(neg(a), T(-x));
    ASSERT_EQ(abs(a), T(x < 0 ? -x : x));
    ASSERT_EQ(min(a, b), T(x < y ? x : y));
    ASSERT_EQ(max(a, b), T(x < y ? y : x));
    ASSERT_EQ(mul_lo(a, b), T(x * y));
    ASSERT_EQ(mul_hi(a, b), T((x * y) >> width<T>));
    ASSERT_EQ(mad_lo(a, b, c), T(x * y + z));
    ASSERT_EQ(mad_hi(a, b, c), T(((x * y) >> width<T>)+z));
    ASSERT_EQ(sad(a, b, Unsigned<T>(c)), Unsigned<T>((x < y ? y - x : x - y) + z));
    ASSERT_EQ(min_relu(a, b), T(std::max<Exact<T>>(0, x < y ? x : y)));
    if constexpr (sizeof(T) < 8) {
      ASSERT_EQ(mul_wide(a, b), Wide<T>(x * y));
      ASSERT_EQ(mad_wide(a, b, Wide<T>(c)), Wide<T>(x * y + z));
    }
  });
}

TYPED_TEST(IntegerMeaning, divides_toward_zero_and_gives_ones_by_zero) {
  using T = TypeParam;
  for_pairs<T, T>([](T a, T b) {
    Exact<T> x = a, y = b;
    ASSERT_EQ(div(a, b), b == 0 ? T(-1) : T(x / y)) << int64_t(a) << " / " << int64_t(b);
    ASSERT_EQ(rem(a, b), b == 0 ? T(-1) : T(x % y)) << int64_t(a) << " % " << int64_t(b);
  });
}

TYPED_TEST(IntegerMeaning, carries_into_the_next_word) {
  using T = TypeParam;
  using U = Unsigned<T>;
  for_triples<T, T, T>([](T a, T b, T c) {
    for (bool in : {false, true}) {
      uint128 sum = uint128(U(a)) + U(b) + in, difference = uint128(U(a)) - U(b) - in;
      ASSERT_EQ(add_carry(a, b, in).value, T(sum));
      ASSERT_EQ(add_carry(a, b, in).flag, bool(sum >> width<T>));
      ASSERT_EQ(sub_borrow(a, b, in).value, T(difference));
      ASSERT_EQ(sub_borrow(a, b, in).flag, difference >> 127 != 0);
      uint128 low = uint128(U(mul_lo(a, b))) + U(c) + in,
              high = uint128(U(mul_hi(a, b))) + U(c) + in;
      ASSERT_EQ(mad_lo_carry(a, b, c, in).value, T(low));
      ASSERT_EQ(mad_lo_carry(a, b, c, in).flag, bool(low >> width<T>));
      ASSERT_EQ(mad_hi_carry(a, b, c, in).value, T(high));
      ASSERT_EQ(mad_hi_carry(a, b, c, in).flag, bool(high >> width<T>));
    }
  });
}

TEST(SaturatingMeaning, stays_within_32_bits) {
  auto clamp = [](int128 x) {
    return int32_t(x > INT32_MAX ? INT32_MAX : x < INT32_MIN ? INT32_MIN : x);
  };
  for_triples<int32_t, int32_t, int32_t>([&](int32_t a, int32_t b, int32_t c) {
    ASSERT_EQ(add_sat(a, b), clamp(int128(a) + b));
    ASSERT_EQ(sub_sat(a, b), clamp(int128(a) - b));
    ASSERT_EQ(mad_hi_sat(a, b, c), clamp((int128(a) * b >> 32) + c));
  });
}

TEST(Product24Meaning, sees_the_low_24_bits_of_its_operands) {
  for_triples<int32_t, int32_t, int32_t>([](int32_t a, int32_t b, int32_t c) {
    int128 x = (a & 0x7fffff) - (a & 0x800000), y = (b & 0x7fffff) - (b & 0x800000);
    ASSERT_EQ(mul24_lo(a, b), int32_t(x * y));
    ASSERT_EQ(mul24_hi(a, b), int32_t(x * y >> 16));
    ASSERT_EQ(mad24_lo(a, b, c), int32_t(x * y + c));
    uint128 u = uint128(a & 0xffffff) * uint128(b & 0xffffff);
    ASSERT_EQ(mul24_lo(uint32_t(a), uint32_t(b)), uint32_t(u));
    ASSERT_EQ(mul24_hi(uint32_t(a), uint32_t(b)), uint32_t(u >> 16));
    ASSERT_EQ(mad24_hi(uint32_t(a), uint32_t(b), uint32_t(c)), uint32_t((u >> 16) + uint32_t(c)));
  });
}

TEST(PackedMeaning, treats_the_halves_of_a_register_apart) {
  for_pairs<uint32_t, uint32_t>([](uint32_t a, uint32_t b) {
    uint32_t low = uint16_t(a + b), high = uint16_t((a >> 16) + (b >> 16));
    ASSERT_EQ(packed<&add<uint16_t>>(a, b), high << 16 | low);
  });
}

}  // namespace
}  // namespace headroom::sim::meaning
