// Conversion: cvt of PTX ISA 9.7.9, among integers, floats and the packed narrow formats.
//
//   convert<int32_t, float>(-1.5f) == -1         convert<uint8_t, float, rn>(300.f) == 255
//   convert<float, int32_t, rz>(16777217)        convert_sat<int8_t, int32_t>(200) == 127
//
// Holds, R in rn rz rm rp (.rni .rzi .rmi .rpi are the same):
//   D   convert<D, S>(S)          integer to integer: keeps the low bits
//   D   convert_sat<D, S>(S)      integer to integer: clamps
//   D   convert<D, S, R>(S)       integer to float, R = rn by default
//   D   convert<D, S, R>(S)       float to integer, saturating, R = rz by default
//   D   convert<D, S, R>(S)       float to another float, R = rn by default
//   T   round_to_integral<R, T>(T)              cvt.rni.f32.f32 and its kin
//   uint32_t   tf32_rna tf32_rn tf32_rz (float)
//   Pair<H>    convert_pair<H, R, O>(float high, float low)       cvt.rn.f16x2.f32, bf16x2
//   uint16_t   convert_fp8x2<S>(float high, float low)            S in e4m3 e5m2
//   uint16_t   convert_fp8x2_of<S>(half2)
//   half2      convert_from_fp8x2<S>(uint16_t)
//   uint8_t    convert_fp4x2(float high, float low)
//   half2      convert_from_fp4x2(uint8_t)
// sat<&f>, relu<&f> and ftz<&f> of types.h modify them.
//
// NaN to an integer: 0, except that an f64 source or a 64-bit integer gives the top bit alone.
#pragma once
#include "sim/meaning/half.h"

namespace headroom::sim::meaning {

template <Integer D, Integer S> inline D convert(S x) { return D(x); }

template <Integer D, Integer S> inline D convert_sat(S x) {
  using Limits = std::numeric_limits<D>;
  if constexpr (std::is_signed_v<S>) {
    int64_t low = std::is_signed_v<D> ? int64_t(Limits::min()) : 0;
    int64_t high = sizeof(D) == 8 ? INT64_MAX : int64_t(Limits::max());
    int64_t y = x < low ? low : x;
    return D(y > high ? high : y);
  } else {
    uint64_t high = uint64_t(Limits::max());
    return D(x > high ? high : x);
  }
}

// ---- integer to float

template <Round R>
inline double directed_sum(double high, double low) {   // |high| >= |low|, integers
  double sum = high + low, error = low - (sum - high);
  uint64_t b = bits_of(sum);
  if constexpr (R == rz) b -= (error > 0 && sum < 0) || (error < 0 && sum > 0);
  if constexpr (R == rm) b += error < 0 ? (sum > 0 ? uint64_t(-1) : 1) : 0;
  if constexpr (R == rp) b += error > 0 ? (sum > 0 ? 1 : uint64_t(-1)) : 0;
  return float_of<double>(b);
}
template <Integer S> inline double high_part(S x) {
  if constexpr (std::is_signed_v<S>)
    return double(int32_t(x >> 32)) * 0x1p32;
  else
    return double(uint32_t(x >> 32)) * 0x1p32;
}
template <Integer S> inline double odd_double(S x) {   // exact up to 32 bits, to odd beyond
  if constexpr (sizeof(S) < 8)
    return double(x);
  else {
    double high = high_part(x), low = double(uint32_t(x)), sum = high + low;
    return odd(sum, low - (sum - high));
  }
}
template <AnyFloat D, Integer S, Round R = rn> inline D convert(S x) {
  if constexpr (std::same_as<D, double>) {
    if constexpr (sizeof(S) < 8)
      return double(x);
    else
      return directed_sum<R>(high_part(x), double(uint32_t(x)));
  } else if constexpr (std::same_as<D, float>) {
    if constexpr (R == rn && sizeof(S) < 8)
      return float(x);
    else
      return narrow<R>(odd_double(x));
  } else {
    return shorten<D, R>(odd_double(x));
  }
}

// ---- float to integer

template <Round R, Float T> inline T whole(T x) {
  if constexpr (R == rn) return __builtin_rint(x);
  if constexpr (R == rz) return __builtin_trunc(x);
  if constexpr (R == rm) return __builtin_floor(x);
  if constexpr (R == rp) return __builtin_ceil(x);
}
template <Round R> inline float whole(float x) {
  if constexpr (R == rn) return __builtin_rintf(x);
  if constexpr (R == rz) return __builtin_truncf(x);
  if constexpr (R == rm) return __builtin_floorf(x);
  if constexpr (R == rp) return __builtin_ceilf(x);
}

// From a whole number, with what lies outside of D clamped.
template <Integer D, Float T> inline D saturate_to(T x) {
  using Limits = std::numeric_limits<D>;
  constexpr D half = Limits::max() / 2 + 1;
  constexpr T low = T(Limits::min()), end = T(2) * T(half);   // in [low, end) all is well
  T inside = x >= low ? x : low;
  inside = inside < end ? inside : T(0);
  D result;
  if constexpr (sizeof(D) <= 4 && !std::same_as<D, int32_t>) {
    // Added to 3·2^51 an integer of up to 51 bits stands in the low bits of the sum: vectorises
    // everywhere.
    result = D(uint32_t(bits_of(double(inside) + 0x1.8p52)));
  } else {
    result = D(inside);
  }
  return x >= end ? Limits::max() : result;
}
template <Integer D, AnyFloat S, Round R = rz> inline D convert(S x) {
  constexpr bool zero = !std::same_as<S, double> && sizeof(D) < 8;
  constexpr D for_nan = zero ? D(0) : D(Unsigned<D>(1) << (width<D> - 1));
  D result = saturate_to<D>(whole<R>(widen(x)));
  return is_nan(x) ? for_nan : result;
}

// ---- float to float: from and to f64 and from bf16 a NaN keeps its sign and the bits that fit;
// others become the one NaN

template <Half H> inline double wide_nan(H x) {
  return float_of<double>(uint64_t(sign(x)) << 48 | Format<double>::infinity | 0x0008000000000000 |
                          uint64_t(x.bits & (Format<H>::normal - 1)) << (52 - Small<H>::fraction));
}
template <Half H> inline H short_nan(double x) {
  uint32_t payload = uint32_t(bits_of(x) >> (52 - Small<H>::fraction)) & (Format<H>::normal - 1);
  return {
      uint16_t(uint32_t(sign(x) >> 48) | Format<H>::infinity | Format<H>::normal >> 1 | payload)};
}

template <AnyFloat D, AnyFloat S, Round R = rn> inline D convert(S x) {
  if constexpr (std::same_as<D, S>)
    return x;
  else if constexpr (std::same_as<D, float> && std::same_as<S, double>)
    return narrow<R>(x);
  else if constexpr (std::same_as<D, float> && std::same_as<S, bfloat>)
    return float_of<float>(uint32_t(x.bits) << 16);
  else if constexpr (std::same_as<D, double> && Half<S>)
    return is_nan(x) ? wide_nan(x) : double(widen(x));
  else if constexpr (Half<D> && std::same_as<S, double>)
    return is_nan(x) ? short_nan<D>(x) : shorten<D, R>(x);
  else if constexpr (Half<D>)
    return shorten<D, R>(widen(x));
  else
    return widen(x);
}
template <Round R> inline float narrow_ftz(double x) {
  return flush_tiny(narrow<R>(x), narrow<R>(x * higher));
}
template <> inline constexpr auto ftz<&convert<float, double, rn>> = &narrow_ftz<rn>;
template <> inline constexpr auto ftz<&convert<float, double, rz>> = &narrow_ftz<rz>;
template <> inline constexpr auto ftz<&convert<float, double, rm>> = &narrow_ftz<rm>;
template <> inline constexpr auto ftz<&convert<float, double, rp>> = &narrow_ftz<rp>;
inline double widen_ftz(float x) { return canonical(flush(x)); }
template <> inline constexpr auto ftz<&convert<double, float, rn>> = &widen_ftz;

template <Round R, AnyFloat T> inline T round_to_integral(T x) {
  if constexpr (Half<T>)
    return shorten<T>(whole<R>(widen(x)));
  else if constexpr (std::same_as<T, double>)
    return is_nan(x) ? quiet(x) : whole<R>(x);
  else
    return canonical(whole<R>(x));
}

// ---- packed narrow formats

inline uint32_t tf32_bits(uint32_t encoded) { return encoded << 13; }
inline uint32_t tf32_rn(float x) { return tf32_bits(encode<tf32, rn>(x)); }
inline uint32_t tf32_rz(float x) { return tf32_bits(encode<tf32, rz>(x)); }
inline uint32_t tf32_rna(float x) {   // a NaN loses its low bits only
  return is_nan(x) ? bits_of(x) & ~0x1fffu : tf32_bits(encode<tf32, rn, to_infinity, true>(x));
}

template <Half H, Round R = rn, Overflow O = to_infinity>
inline Pair<H> convert_pair(float high, float low) {
  return {encode<Small<H>, R, O>(high) << 16 | encode<Small<H>, R, O>(low)};
}
template <class S> inline uint16_t convert_fp8x2(float high, float low) {
  return uint16_t(encode<S, rn, to_finite>(high) << 8 | encode<S, rn, to_finite>(low));
}
template <class S> inline uint16_t convert_fp8x2_of(half2 x) {
  return convert_fp8x2<S>(widen(high<half>(x)), widen(low<half>(x)));
}
template <class S> inline half2 convert_from_fp8x2(uint16_t x) {
  return pair(shorten<half>(decode<S>(x & 0xff)), shorten<half>(decode<S>(x >> 8)));
}
inline uint8_t convert_fp4x2(float high, float low) {
  return uint8_t(encode<e2m1, rn, to_finite>(high) << 4 | encode<e2m1, rn, to_finite>(low));
}
inline half2 convert_from_fp4x2(uint8_t x) {
  return pair(shorten<half>(decode<e2m1>(x & 15)), shorten<half>(decode<e2m1>(x >> 4)));
}

}   // namespace headroom::sim::meaning
