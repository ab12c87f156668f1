#include "forms/input.h"

#include <bit>
#include <cstring>
#include <iterator>
#include <string>

namespace headroom::golden {
namespace {

constexpr uint64_t i16_specials[] = {0,  1,  0xffff, 0x8000, 0x7fff, 2,      7,      8,
                                     15, 16, 31,     0x80,   0xff,   0xff80, 0x0100, 0xaaaa};
constexpr uint64_t i32_specials[] = {0,    1,          0xffffffff, 0x80000000, 0x7fffffff, 2,
                                     31,   32,         33,         63,         64,         255,
                                     0x80, 0xffff8000, 0x10000,    0xaaaaaaaa};
constexpr uint64_t i64_specials[] = {
    0,  1,  ~0ull, 1ull << 63, ~0ull >> 1, 2,          31,         32,
    33, 63, 64,    255,        0x80000000, 0xffffffff, 1ull << 32, 0xaaaaaaaaaaaaaaaa};
constexpr uint64_t f16_specials[] = {0,      0x8000, 0x3c00, 0xbc00, 0x0400, 0x8001,
                                     0x03ff, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00,
                                     0xfd55, 0x3800, 0x4248, 0x5640};
constexpr uint64_t bf16_specials[] = {0,      0x8000, 0x3f80, 0xbf80, 0x0080, 0x8001,
                                      0x007f, 0x7f7f, 0xff7f, 0x7f80, 0xff80, 0x7fc0,
                                      0xffa5, 0x3f00, 0x4049, 0x42c8};
constexpr uint64_t f32_specials[] = {
    0,          0x80000000, 0x3f800000, 0xbf800000, 0x00800000, 0x80000001, 0x007fffff, 0x7f7fffff,
    0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffa55555, 0x3f000000, 0x40490fdb, 0x4f000000};
constexpr uint64_t f64_specials[] = {0,
                                     1ull << 63,
                                     0x3ff0000000000000,
                                     0xbff0000000000000,
                                     0x0010000000000000,
                                     0x8000000000000001,
                                     0x000fffffffffffff,
                                     0x7fefffffffffffff,
                                     0xffefffffffffffff,
                                     0x7ff0000000000000,
                                     0xfff0000000000000,
                                     0x7ff8000000000000,
                                     0xfff5555555555555,
                                     0x3fe0000000000000,
                                     0x400921fb54442d18,
                                     0x43e0000000000000};

struct Random {  // splitmix64
  uint64_t state;
  uint64_t operator()() {
    uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
  }
};

struct Kind {
  const uint64_t* specials;
  int bits, exponent_bits;  // 0: no float
};
constexpr Kind kinds[] = {{i16_specials, 16, 0}, {i32_specials, 32, 0},  {i64_specials, 64, 0},
                          {f16_specials, 16, 5}, {bf16_specials, 16, 8}, {f32_specials, 32, 8},
                          {f64_specials, 64, 11}};

// Row 256 and on: one in two any bits, else a float within 2^±9 of one or an integer of few bits.
uint64_t by_chance(const Kind& kind, int row, Random& random) {
  const uint64_t bits = random(), shape = random(), mask = ~0ull >> (64 - kind.bits);
  if (row % 2) return bits & mask;
  if (!kind.exponent_bits) return (bits & mask) >> shape % uint64_t(kind.bits);
  const int mantissa = kind.bits - kind.exponent_bits - 1;
  const uint64_t bias = (1ull << (kind.exponent_bits - 1)) - 1, exponent = bias - 9 + shape % 19;
  return (bits & (1ull << (kind.bits - 1))) | exponent << mantissa |
         (random() & ((1ull << mantissa) - 1));
}

uint64_t value(const Kind& kind, int row, int operand, Random& random) {
  const int a = row / 16 % 16, b = row % 16;
  const int special[] = {a, b, (7 * b + 3 * a + 2) % 16, (5 * a + b + 11) % 16};
  return row < 256 ? kind.specials[special[operand]] : by_chance(kind, row, random);
}

}  // namespace

int class_of(std::string_view type) {
  struct {
    std::string_view type, name;
  } constexpr table[] = {
      {"u8", "i16"},      {"s8", "i16"},        {"b8", "i16"},     {"u16", "i16"},
      {"s16", "i16"},     {"b16", "i16"},       {"u32", "i32"},    {"s32", "i32"},
      {"b32", "i32"},     {"u64", "i64"},       {"s64", "i64"},    {"b64", "i64"},
      {"u16x2", "i16x2"}, {"s16x2", "i16x2"},   {"f16", "f16"},    {"bf16", "bf16"},
      {"f16x2", "f16x2"}, {"bf16x2", "bf16x2"}, {"f32", "f32"},    {"tf32", "f32"},
      {"f64", "f64"},     {"e4m3x2", "i16"},    {"e5m2x2", "i16"}, {"b128", "b128"}};
  for (const auto& entry : table) {
    if (entry.type != type) continue;
    for (size_t c = 0; c < std::size(classes); ++c)
      if (classes[c].name == entry.name) return int(c);
  }
  return -1;
}

std::vector<uint8_t> input() {
  std::vector<uint8_t> bytes(std::size(classes) * class_bytes);
  for (size_t c = 0; c < std::size(classes); ++c) {
    const std::string name(classes[c].name);
    const int parts = name == "b128" || name.ends_with("x2") ? 2 : 1;
    const std::string part = name == "b128" ? "i64"
                             : parts == 2   ? name.substr(0, name.size() - 2)
                                            : name;
    static constexpr std::string_view order[] = {"i16", "i32", "i64", "f16", "bf16", "f32", "f64"};
    size_t k = 0;
    while (order[k] != part) ++k;
    Random random{0x1234 + 77 * c};
    for (int row = 0; row < rows; ++row) {
      for (int operand = 0; operand < 4; ++operand) {
        for (int p = 0; p < parts; ++p) {
          const uint64_t bits = value(kinds[k], p && row < 256 ? 255 - row : row, operand, random);
          std::memcpy(&bytes[c * class_bytes + size_t(row * row_bytes + operand * operand_bytes +
                                                      p * kinds[k].bits / 8)],
                      &bits, size_t(kinds[k].bits / 8));
        }
      }
    }
  }
  return bytes;
}

}  // namespace headroom::golden
