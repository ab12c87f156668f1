// 16-bit floats: PTX ISA 9.7.4, and the narrow formats that cvt packs.
//
//   widen(half{0x3c00}) == 1.0f    fma<half>: rounded once    packed<&add<bfloat>>: add.bf16x2
//
// f16 and bf16 arithmetic is that of f32 or of an odd double (round.h), rounded once more.
//
// Holds, over H in half bfloat, R in rn (default) rz rm rp:
//   H          add sub mul (H, H)    fma(H, H, H)
//   float      widen(H)
//   H          shorten<H, R>(float)    shorten<H, R>(double)
//   uint32_t   encode<S, R, Overflow>(float)
//   float      decode<S>(uint32_t): S in f16 bf16 tf32 e5m2 e4m3 e3m2 e2m3 e2m1
// abs neg min max stand in float.h, setp and set in compare.h, ex2 and tanh in approx.h.
#pragma once
#include "sim/meaning/float.h"

namespace headroom::sim::meaning {

// ---- narrow formats: `fraction` bits of fraction; `least` is the exponent field of f32 of the
// smallest normal number. Finite formats have no infinity: `largest` is the largest number, `nan`
// what a NaN becomes.

template <int Fraction, int Least, uint32_t Sign, uint32_t Infinity, uint32_t Largest, uint32_t Nan>
struct Narrow {
  static constexpr int fraction = Fraction, least = Least;
  static constexpr uint32_t sign = Sign, infinity = Infinity, largest = Largest, nan = Nan;
};
// clang-format off
//           fraction least  sign  infinity largest  nan
using f16  = Narrow<10, 113, 0x8000,  0x7c00,  0x7bff,  0x7fff>;
using bf16 = Narrow< 7,   1, 0x8000,  0x7f80,  0x7f7f,  0x7fff>;
using tf32 = Narrow<10,   1, 0x40000, 0x3fc00, 0x3fbff, 0x3ffff>;
using e5m2 = Narrow< 2, 113, 0x80,    0x7c,    0x7b,    0x7f>;
using e4m3 = Narrow< 3, 121, 0x80,    0x7f,    0x7e,    0x7f>;
using e3m2 = Narrow< 2, 125, 0x20,    0x20,    0x1f,    0x1f>;
using e2m3 = Narrow< 3, 127, 0x20,    0x20,    0x1f,    0x1f>;
using e2m1 = Narrow< 1, 127, 0x08,    0x08,    0x07,    0x07>;
// clang-format on

enum Overflow { to_infinity, to_finite };   // to_finite: .satfinite

// encode<f16>, what loops of halves are made of. To the normal numbers the hardware's carry rounds
// once half a unit is added; below them 0.5 does, whose unit in the last place is theirs.
inline uint32_t encode_half(float x) {
  const uint32_t b = bits_of(x), m = b & 0x7fffffff;
  const uint32_t normal = (m - ((127u - 15) << 23) + 0xfff + (m >> 13 & 1)) >> 13;
  const uint32_t subnormal = bits_of(float_of<float>(m) + 0.5f) - bits_of(0.5f);
  uint32_t result = m < (113u << 23) ? subnormal : normal;
  result = (m < (143u << 23) ? result : f16::infinity) | (b >> 16 & f16::sign);
  return m > 0x7f800000 ? f16::nan : result;
}

// The bits of x in a narrow format. `Away`: ties go away from zero (.rna), with R = rn.
template <class S, Round R = rn, Overflow O = to_infinity, bool Away = false>
inline uint32_t encode(float x) {
  if constexpr (std::same_as<S, f16> && R == rn && O == to_infinity && !Away) return encode_half(x);
  uint32_t b = bits_of(x), m = b & 0x7fffffff, negative = b >> 31;
  int field = int(m >> 23), exponent = field > 1 ? field : 1;
  uint32_t significand = (m & 0x7fffff) | (field > 0 ? 0x800000u : 0u);
  int below = S::least > exponent ? S::least - exponent : 0;
  int cut = 23 - S::fraction + below;
  cut = cut < 31 ? cut : 31;
  uint32_t kept = significand >> cut, rest = significand & ((1u << cut) - 1),
           middle = 1u << (cut - 1);
  uint32_t scaled = kept + (uint32_t(exponent > S::least ? exponent - S::least : 0) << S::fraction);
  // Finite or infinite, what is past the largest number is just above it as far as rounding is
  // concerned.
  bool beyond = scaled > S::largest;
  rest = beyond ? ~0u : rest;
  uint32_t result = beyond ? S::largest : scaled;
  if constexpr (R == rn && Away) result += rest >= middle;
  if constexpr (R == rn && !Away) result += rest > middle - (kept & 1);
  if constexpr (R == rm) result += rest != 0 ? negative : 0;
  if constexpr (R == rp) result += rest != 0 ? negative ^ 1 : 0;
  result = m == 0x7f800000 ? S::infinity : result;
  if constexpr (O == to_finite) result = result > S::largest ? S::largest : result;
  result |= negative != 0 ? S::sign : 0;
  return m > 0x7f800000 ? S::nan : result;
}

template <class S> inline float decode(uint32_t x) {
  uint32_t m = x & (S::sign - 1);
  // The bits as those of a tiny float; a power of two then restores the exponent, of subnormals
  // too.
  float scale = float_of<float>(uint32_t(127 + S::least - 1) << 23);
  float value = S::least == 1 ? float_of<float>(m << (23 - S::fraction))
                              : float_of<float>(m << (23 - S::fraction)) * scale;
  constexpr bool infinite = S::infinity < S::nan && S::infinity > S::largest;
  if (infinite && m == S::infinity) value = float_of<float>(0x7f800000u);
  if (S::nan > S::largest && m > S::largest && !(infinite && m == S::infinity))
    return float_of<float>(0x7fffffffu);
  return float_of<float>(bits_of(value) | (x & S::sign ? 0x80000000u : 0u));
}

// ---- half and bfloat

template <Half H> struct SmallOf;
template <> struct SmallOf<half> { using type = f16; };
template <> struct SmallOf<bfloat> { using type = bf16; };
template <Half H> using Small = typename SmallOf<H>::type;

template <Half H> inline float widen(H x) { return decode<Small<H>>(x.bits); }
inline float widen(float x) { return x; }
inline double widen(double x) { return x; }

template <Half H, Round R = rn> inline H shorten(float x) {
  return {uint16_t(encode<Small<H>, R>(x))};
}
template <Half H, Round R = rn> inline H shorten(double x) { return shorten<H, R>(narrow_odd(x)); }

template <Half H> inline H add(H a, H b) { return shorten<H>(widen(a) + widen(b)); }
template <Half H> inline H sub(H a, H b) { return shorten<H>(widen(a) - widen(b)); }
template <Half H> inline H mul(H a, H b) { return shorten<H>(widen(a) * widen(b)); }
template <Half H> inline H fma(H a, H b, H c) {
  return shorten<H>(odd_fma<rn>(widen(a), widen(b), widen(c)));
}
// A product of two f16 is an f32, and what an f32 sum of it leaves over is one too.
template <> inline half fma(half a, half b, half c) {
  return shorten<half>(odd_float_sum(widen(a) * widen(b), widen(c)));
}

// .ftz as in float.h: to nearest, what lies below 2^-14 by more than half a unit of the binade
// below is tiny.
inline half flush_tiny(half result, double exact) {
  return {uint16_t(std::fabs(exact) < 0x1p-14 * (1 - 0x1p-12) ? sign(result) : result.bits)};
}
inline half mul_ftz_half(half a, half b) {
  a = flush(a), b = flush(b);
  return flush_tiny(mul(a, b), widen(a) * widen(b));
}
inline half fma_ftz_half(half a, half b, half c) {
  a = flush(a), b = flush(b), c = flush(c);
  return flush_tiny(fma(a, b, c), odd_fma<rn>(widen(a), widen(b), widen(c)));
}
template <> inline constexpr auto ftz<&mul<half>> = &mul_ftz_half;
template <> inline constexpr auto ftz<&fma<half>> = &fma_ftz_half;

}   // namespace headroom::sim::meaning
