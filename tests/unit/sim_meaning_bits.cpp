// Logic, shifts and fields against the manual's own descriptions, a bit at a time.
#include "sim/meaning/bits.h"
#include "sim_meaning_values.h"

namespace headroom::sim::meaning {
namespace {

template <class T>
struct BitMeaning : testing::Test {};
using Types = testing::Types<uint16_t, int16_t, uint32_t, int32_t, uint64_t, int64_t>;
TYPED_TEST_SUITE(BitMeaning, Types);

template <class T>
bool bit(T a, int i) {
  return uint64_t(Unsigned<T>(a)) >> i & 1;
}
template <class T, class Which>
T assemble(Which which) {
  uint64_t result = 0;
  for (int i = 0; i < width<T>; ++i) result |= uint64_t(which(i)) << i;
  return T(result);
}

TYPED_TEST(BitMeaning, shifts_clamp_at_the_width) {
  using T = TypeParam;
  for_pairs<T, uint32_t>([](T a, uint32_t n) {
    bool fill = std::is_signed_v<T> && a < 0;
    ASSERT_EQ(shl(a, n), assemble<T>([&](int i) { return uint32_t(i) >= n && bit(a, i - n); }));
    ASSERT_EQ(shr(a, n), assemble<T>([&](int i) {
                return i + uint64_t(n) < width<T> ? bit(a, i + n) : fill;
              }));
  });
}

TYPED_TEST(BitMeaning, counts_and_finds_bits) {
  using T = TypeParam;
  for_each<T>([](T a) {
    uint32_t ones = 0, zeros = 0, found = ~0u;
    for (int i = 0; i < width<T>; ++i) ones += bit(a, i);
    for (int i = width<T> - 1; i >= 0 && !bit(a, i); --i) ++zeros;
    for (int i = 0; i < width<T>; ++i)
      if (bit(a, i) != (std::is_signed_v<T> && a < 0)) found = i;
    ASSERT_EQ(popc(a), ones);
    ASSERT_EQ(clz(a), zeros);
    ASSERT_EQ(bfind(a), found);
    ASSERT_EQ(bfind_shiftamt(a), found == ~0u ? ~0u : width<T> - 1 - found);
    ASSERT_EQ(brev(a), assemble<T>([&](int i) { return bit(a, width<T> - 1 - i); }));
    ASSERT_EQ(cnot(a), T(ones == 0));
    ASSERT_EQ(not_(a), assemble<T>([&](int i) { return !bit(a, i); }));
  });
}

TYPED_TEST(BitMeaning, extracts_and_inserts_fields) {
  using T = TypeParam;
  if constexpr (sizeof(T) >= 4) {
    for_triples<T, T, uint16_t>([](T a, T b, uint16_t both) {
      int position = both & 0xff, length = both >> 8, top = width<T> - 1;
      bool fill = std::is_signed_v<T> && length && bit(a, std::min(position + length - 1, top));
      ASSERT_EQ(bfe(a, position, length), assemble<T>([&](int i) {
                  return i < length && position + i <= top ? bit(a, position + i) : fill;
                }));
      ASSERT_EQ(bfi(a, b, position, length), assemble<T>([&](int i) {
                  return i >= position && i < position + length ? bit(a, i - position) : bit(b, i);
                }));
    });
  }
}

TEST(FunnelMeaning, shifts_64_bits) {
  for_triples<uint32_t, uint32_t, uint32_t>([](uint32_t low, uint32_t high, uint32_t n) {
    uint128 both = uint128(uint64_t(high) << 32 | low);
    uint32_t clamped = std::min(n, 32u), wrapped = n % 32;
    ASSERT_EQ(shf_l_clamp(low, high, n), uint32_t(both << clamped >> 32));
    ASSERT_EQ(shf_l_wrap(low, high, n), uint32_t(both << wrapped >> 32));
    ASSERT_EQ(shf_r_clamp(low, high, n), uint32_t(both >> clamped));
    ASSERT_EQ(shf_r_wrap(low, high, n), uint32_t(both >> wrapped));
  });
}

TEST(LogicMeaning, lop3_looks_every_bit_up) {
  for_triples<uint32_t, uint32_t, uint32_t>([](uint32_t a, uint32_t b, uint32_t c) {
    uint32_t table = (a ^ b * 31 ^ c * 17) & 0xff;
    ASSERT_EQ(lop3(a, b, c, table), assemble<uint32_t>([&](int i) {
                return table >> (bit(a, i) * 4 + bit(b, i) * 2 + bit(c, i)) & 1;
              }));
  });
  EXPECT_EQ(lop3(0xf0f0, 0xff00, 0xaaaa, 0x96), 0xf0f0u ^ 0xff00u ^ 0xaaaau);
}

TEST(PermuteMeaning, picks_bytes_and_copies_signs) {
  EXPECT_EQ(prmt(0x03020100, 0x07060504, 0x7531), 0x07050301u);
  EXPECT_EQ(prmt(0x0302807f, 0, 0x98), 0xff00u | prmt(0x0302807f, 0, 0x0008));
  EXPECT_EQ(prmt(0x00000080, 0, 0x8888), 0xffffffffu);
  uint32_t a = 0x03020100, b = 0x07060504;
  struct Row {
    uint32_t (*mode)(uint32_t, uint32_t, uint32_t);
    uint32_t result[4];
  } rows[] = {// the manual's table
              {prmt_f4e, {0x03020100, 0x04030201, 0x05040302, 0x06050403}},
              {prmt_b4e, {0x05060700, 0x06070001, 0x07000102, 0x00010203}},
              {prmt_rc8, {0x00000000, 0x01010101, 0x02020202, 0x03030303}},
              {prmt_ecl, {0x03020100, 0x03020101, 0x03020202, 0x03030303}},
              {prmt_ecr, {0x00000000, 0x01010100, 0x02020100, 0x03020100}},
              {prmt_rc16, {0x01000100, 0x03020302, 0x01000100, 0x03020302}}};
  for (const Row& row : rows)
    for (uint32_t i = 0; i < 8; ++i) EXPECT_EQ(row.mode(a, b, i), row.result[i & 3]);
}

TEST(MaskMeaning, sets_and_extends_fields) {
  for_triples<uint32_t, uint8_t, uint8_t>([](uint32_t a, uint8_t position, uint8_t length) {
    auto mask = [](int from, int count) {
      return assemble<uint32_t>([&](int i) { return i >= from && i < from + count; });
    };
    ASSERT_EQ(bmsk_clamp(position, length), mask(position, length));
    ASSERT_EQ(bmsk_wrap(position, length), mask(position % 32, length % 32));
    auto extend = [&](int count, bool is_signed) {
      bool fill = is_signed && count && count < 32 && bit(a, count - 1);
      return assemble<uint32_t>([&](int i) { return i < count ? bit(a, i) : fill; });
    };
    ASSERT_EQ(szext_clamp(a, length), extend(length, false));
    ASSERT_EQ(szext_wrap(a, length), extend(length % 32, false));
    ASSERT_EQ(uint32_t(szext_clamp(int32_t(a), length)), extend(length, true));
    ASSERT_EQ(uint32_t(szext_wrap(int32_t(a), length)), extend(length % 32, true));
  });
}

TEST(FindMeaning, fns_walks_from_the_base) {
  for_triples<uint32_t, uint8_t, int8_t>([](uint32_t mask, uint8_t from, int8_t offset) {
    uint32_t base = from % 32, expected = ~0u;
    std::vector<int> set;
    for (int i = base; i >= 0 && i < 32; i += offset < 0 ? -1 : 1)
      if (bit(mask, i)) set.push_back(i);
    unsigned wanted = offset < 0 ? -offset : offset;
    if (wanted == 0)
      expected = bit(mask, int(base)) ? base : ~0u;
    else if (wanted <= set.size())
      expected = set[wanted - 1];
    ASSERT_EQ(fns(mask, base, offset), expected);
  });
  EXPECT_EQ(fns(~0u, 5, INT32_MIN), 0u);
}

TEST(DotMeaning, sums_products_of_bytes) {
  for_triples<uint32_t, uint32_t, int32_t>([](uint32_t a, uint32_t b, int32_t c) {
    int64_t uu = 0, ss = 0, su = 0, lo = 0, hi = 0;
    for (int i = 0; i < 4; ++i) {
      int64_t x = a >> 8 * i & 0xff, y = b >> 8 * i & 0xff;
      uu += x * y, ss += int8_t(x) * int8_t(y), su += int8_t(x) * y;
      (i < 2 ? lo : hi) += int16_t(a >> 16 * (i & 1)) * int8_t(y);
    }
    ASSERT_EQ((dp4a<uint32_t, uint32_t, uint32_t>(a, b, c)), uint32_t(uu + c));
    ASSERT_EQ((dp4a<int32_t, int32_t, int32_t>(a, b, c)), int32_t(ss + c));
    ASSERT_EQ((dp4a<int32_t, uint32_t, int32_t>(a, b, c)), int32_t(su + c));
    ASSERT_EQ((dp2a_lo<int32_t, int32_t, int32_t>(a, b, c)), int32_t(lo + c));
    ASSERT_EQ((dp2a_hi<int32_t, int32_t, int32_t>(a, b, c)), int32_t(hi + c));
  });
}

}  // namespace
}  // namespace headroom::sim::meaning
