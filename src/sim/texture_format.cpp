#include "sim/texture_format.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "sim/meaning/half.h"

namespace headroom::sim {
namespace {

// Read from an H200 byte by byte: the curve, rounded to 7 bits or so, in 1/16384.
constexpr uint16_t srgb[256] = {
    0,     5,     10,    15,    20,    25,    30,    35,    40,    45,    50,    55,    60,
    66,    72,    78,    85,    92,    99,    107,   115,   123,   131,   140,   150,   159,
    169,   180,   190,   201,   213,   224,   236,   250,   262,   276,   290,   304,   318,
    332,   348,   364,   380,   396,   412,   430,   448,   466,   484,   504,   524,   544,
    564,   584,   604,   624,   648,   672,   692,   716,   740,   764,   788,   816,   840,
    864,   896,   920,   944,   976,   1000,  1032,  1064,  1088,  1120,  1152,  1184,  1216,
    1248,  1280,  1312,  1352,  1384,  1416,  1456,  1488,  1528,  1560,  1600,  1640,  1672,
    1712,  1752,  1792,  1832,  1872,  1920,  1952,  2000,  2048,  2080,  2128,  2176,  2224,
    2272,  2320,  2368,  2416,  2464,  2512,  2560,  2608,  2656,  2704,  2752,  2816,  2864,
    2912,  2976,  3024,  3072,  3136,  3184,  3248,  3296,  3360,  3424,  3472,  3536,  3600,
    3664,  3712,  3776,  3840,  3904,  3968,  4032,  4096,  4160,  4224,  4288,  4352,  4416,
    4512,  4576,  4640,  4704,  4768,  4864,  4928,  4992,  5056,  5152,  5216,  5280,  5376,
    5440,  5536,  5600,  5696,  5760,  5824,  5920,  6016,  6080,  6176,  6240,  6336,  6400,
    6496,  6592,  6688,  6752,  6848,  6944,  7008,  7104,  7200,  7296,  7392,  7488,  7584,
    7680,  7744,  7872,  7936,  8064,  8128,  8256,  8320,  8448,  8512,  8640,  8768,  8832,
    8960,  9024,  9152,  9280,  9344,  9472,  9600,  9664,  9792,  9920,  9984,  10112, 10240,
    10304, 10432, 10560, 10688, 10816, 10880, 11008, 11136, 11264, 11392, 11456, 11584, 11712,
    11840, 11968, 12096, 12224, 12352, 12480, 12608, 12736, 12864, 12992, 13120, 13248, 13376,
    13504, 13632, 13760, 13888, 14016, 14144, 14272, 14400, 14528, 14656, 14848, 14976, 15104,
    15232, 15360, 15488, 15616, 15744, 16000, 16128, 16256, 16384,
};

uint32_t sign_extended(uint32_t bits, int width) {
  return width < 32 ? uint32_t(int32_t(bits << (32 - width)) >> (32 - width)) : bits;
}

// Nothing is made quiet: the bits of a NaN stay.
uint32_t float_of_half(uint16_t half) {
  const uint32_t sign = uint32_t(half & 0x8000) << 16, rest = half & 0x7fff;
  if (rest > 0x7c00) return sign | 0x7f80'0000 | (rest & 0x3ff) << 13;
  return std::bit_cast<uint32_t>(meaning::decode<meaning::f16>(half));
}

float largest(const Texture& t) {
  return float(std::ldexp(1.0, t.channel == Channel::signed_integer ? t.bits - 1 : t.bits) - 1);
}

// A colour in the format of the elements, and so with its steps and ends.
uint32_t fitted(const Texture& t, float colour) {
  const uint32_t bits = std::bit_cast<uint32_t>(colour);
  if (t.channel == Channel::floating) {
    if (t.bits == 32) return bits;
    const uint32_t cut = bits & ~0x1fffu;  // towards zero
    const float inside = std::clamp(std::bit_cast<float>(cut), -65504.0f, 65504.0f);
    return meaning::encode<meaning::f16>(inside);
  }
  if (t.as_float) {
    const bool is_signed = t.channel == Channel::signed_integer;
    const float inside = std::clamp(colour, is_signed ? -1.0f : 0.0f, 1.0f);
    return uint32_t(int32_t(std::rint(inside * largest(t))));
  }
  if (t.channel == Channel::signed_integer) return sign_extended(bits, t.bits);
  return t.bits < 32 ? bits & ((1u << t.bits) - 1) : bits;
}

}  // namespace

Mixing mix_of(const Texture& t, int channel) {
  if (t.channel == Channel::floating) return t.bits == 16 ? Mixing::half : Mixing::single;
  if (t.channel == Channel::signed_integer) return Mixing::whole;
  return t.srgb && channel < 3 ? Mixing::curved : Mixing::natural;
}

Texel stored(const Texture& t, uint64_t address) {
  Texel out{};
  for (int c = 0; c < t.channels; ++c) {
    const auto* at = reinterpret_cast<const std::byte*>(address + uint64_t(c) * t.bits / 8);
    uint32_t bits = 0;
    std::memcpy(&bits, at, t.bits / 8);
    out[c] = t.channel == Channel::signed_integer ? sign_extended(bits, t.bits) : bits;
  }
  return out;
}

Texel of_border(const Texture& t) {
  Texel out{};
  for (int c = 0; c < t.channels; ++c) out[c] = fitted(t, t.border[c]);
  return out;
}

uint32_t as_float_bits(const Texture& t, uint32_t bits, int channel) {
  if (t.channel == Channel::floating) return t.bits == 16 ? float_of_half(uint16_t(bits)) : bits;
  const double most = std::ldexp(1.0, t.bits) - 1;
  double value = bits / most;
  if (t.channel == Channel::signed_integer)
    value = std::max(-1.0, int32_t(bits) / (std::ldexp(1.0, t.bits - 1) - 1));
  else if (t.srgb && channel < 3)
    value = srgb[bits & 0xff] / 16384.0;
  return std::bit_cast<uint32_t>(float(value));
}

}  // namespace headroom::sim
