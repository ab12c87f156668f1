// Rounding in every direction, by exact error terms and integers: the host's mode stays as it is.
//
//   narrow<rz>(1e-50) == 0     narrow<rp>(1e-50) == 0x1p-149f     narrow<rz>(1e50) == FLT_MAX
//
// Up to f32 a result is first made in double "to odd": if inexact, the neighbour whose last bit is
// one. An odd double can be rounded once more, in any direction, and gives what rounding the exact
// result gives (Boldo and Melquiond, Emulation of FMA and correctly rounded sums, IEEE Transactions
// on Computers 57, 2008). For f64 the exact result is held in 128 bits, its lowest bit standing for
// all that was cut off.
//
// Holds
//   double   odd(sum, error)    odd_sum<R>(a, b)    odd_fma<R>(a, b, c)    odd_quotient(a, b)
//   double   odd_root(a)        mirrored_sum<R>(a, b)
//   float    narrow<R>(double)  narrow_odd(double)
//   double   pack<R>(negative, exponent, magnitude)
//   double   directed_mul directed_div <R>(a, b)    directed_fma<R>(a, b, c)    directed_sqrt<R>(a)
#pragma once
#include <cmath>

#include "sim/meaning/integer.h"

namespace headroom::sim::meaning {

// sum + error is exact; the error of a non-finite sum is NaN and changes nothing.
template <Float T> inline T odd(T sum, T error) {
  Bits<T> b = bits_of(sum);
  Bits<T> move = sign(sum) == sign(error) ? 1 : ~Bits<T>(0);
  move = std::fabs(error) > 0 ? move : 0;
  return float_of<T>(b + (b & 1 ? 0 : move));
}
// An exact zero of unlike signs is +0, but -0 when rounding down: down is the mirror of up.
template <Round R> inline double mirrored_sum(double a, double b) {
  if constexpr (R == rm)
    return -((-a) + (-b));
  else
    return a + b;
}
template <Round R> inline double odd_sum(double a, double b) {
  double sum = mirrored_sum<R>(a, b), b_part = sum - a;
  return odd(sum, (a - (sum - b_part)) + (b - b_part));
}
// Of f32, to round to 16 bits once more.
inline float odd_float_sum(float a, float b) {
  float sum = a + b, b_part = sum - a;
  return odd(sum, (a - (sum - b_part)) + (b - b_part));
}
// For operands of at most 24 bits, whose product is exact in double.
template <Round R> inline double odd_fma(double a, double b, double c) {
  return odd_sum<R>(a * b, c);
}
inline double odd_quotient(double a, double b) {
  double quotient = a / b, residual = std::fma(-quotient, b, a);
  return odd(quotient, float_of<double>(bits_of(residual) ^ sign(b)));
}
inline double odd_root(double a) {
  double root = std::sqrt(a);
  return odd(root, std::fma(-root, root, a));
}

// Nearest first; if that lies on the wrong side of x, its neighbour on the other side.
template <Round R> inline float narrow(double x) {
  float y = float(x);
  double back = y;
  uint32_t b = bits_of(y), down = b - 1, up = b + 1;
  if constexpr (R == rz) b = std::fabs(back) > std::fabs(x) ? down : b;
  if constexpr (R == rm) b = back > x ? (x > 0 ? down : up) : b;
  if constexpr (R == rp) b = back < x ? (x > 0 ? up : down) : b;
  return float_of<float>(b);
}
inline float narrow_odd(double x) {
  float y = float(x);
  double back = y;
  uint32_t b = bits_of(y);
  double error = std::fabs(x) - std::fabs(back);
  uint32_t move = error > 0 ? 1 : error < 0 ? ~0u : 0;
  return float_of<float>(b + (b & 1 ? 0 : move));
}

// ---- f64 in 128 bits

inline int leading_zeros(uint128 x) {
  return uint64_t(x >> 64) ? std::countl_zero(uint64_t(x >> 64))
                           : 64 + std::countl_zero(uint64_t(x));
}
// Shifts right; a one stays in the lowest bit if any bit was cut off.
inline uint128 shift_sticky(uint128 x, int by) {
  if (by > 127) return x != 0;
  uint128 kept = x >> by;
  return kept | ((kept << by) != x);
}

struct Parts {   // (-1)^negative · magnitude · 2^exponent
  bool negative;
  int exponent;
  uint64_t magnitude;
};
inline Parts parts(double x) {
  int field = int(magnitude(x) >> 52);
  uint64_t fraction = bits_of(x) & 0x000fffffffffffff;
  return {sign(x) != 0, (field ? field : 1) - 1075,
          field ? fraction | uint64_t(1) << 52 : fraction};
}
inline Parts normalised(Parts p) {   // magnitude != 0: bit 52 becomes its highest
  int shift = std::countl_zero(p.magnitude) - 11;
  return {p.negative, p.exponent - shift, p.magnitude << shift};
}

// Rounds once. If the lowest bit of the magnitude is sticky the exact value may lie past it.
template <Round R> inline double pack(bool negative, int exponent, uint128 magnitude) {
  int leading = exponent + 127 - leading_zeros(magnitude);
  int lowest = leading - 52 > -1074 ? leading - 52 : -1074;
  int cut = lowest - exponent;
  uint64_t kept, up = 0;
  if (cut <= 0) {
    kept = uint64_t(magnitude << -cut);
  } else {
    kept = cut > 127 ? 0 : uint64_t(magnitude >> cut);
    uint128 rest = cut > 127 ? 1 : magnitude - (uint128(kept) << cut),
            middle = uint128(1) << (cut > 127 ? 127 : cut - 1);
    if (R == rn) up = rest > middle || (rest == middle && (kept & 1));
    if (R == rm) up = negative && rest;
    if (R == rp) up = !negative && rest;
  }
  uint64_t bits = kept + up + (uint64_t(lowest + 1074) << 52);
  if (leading > 1023 || bits > Format<double>::infinity) bits = Format<double>::infinity;
  bool inward = R == rz || (R == rm && !negative) || (R == rp && negative);
  if (bits == Format<double>::infinity && inward) bits -= 1;
  return float_of<double>(bits | (negative ? uint64_t(Format<double>::sign) : 0));
}

inline bool is_finite(double x) { return magnitude(x) < Format<double>::infinity; }

template <Round R> inline double directed_mul(double a, double b) {
  double product = a * b;
  if (!is_finite(a) || !is_finite(b) || a == 0 || b == 0) return product;
  Parts x = parts(a), y = parts(b);
  return pack<R>(x.negative != y.negative, x.exponent + y.exponent,
                 uint128(x.magnitude) * y.magnitude);
}
template <Round R> inline double directed_div(double a, double b) {
  if (!is_finite(a) || !is_finite(b) || a == 0 || b == 0) return a / b;
  Parts x = normalised(parts(a)), y = normalised(parts(b));
  uint128 dividend = uint128(x.magnitude) << 74, quotient = dividend / y.magnitude;
  return pack<R>(x.negative != y.negative, x.exponent - y.exponent - 74,
                 quotient | (quotient * y.magnitude != dividend));
}
template <Round R> inline double directed_sqrt(double a) {
  if (!is_finite(a) || !(a > 0)) return std::sqrt(a);
  Parts x = normalised(parts(a));
  int shift = x.exponent & 1 ? 73 : 72;
  uint128 square = uint128(x.magnitude) << shift;
  uint64_t root = uint64_t(std::sqrt(double(square)));
  root = uint64_t((root + square / root) / 2);
  while (uint128(root) * root > square) --root;
  while (uint128(root + 1) * (root + 1) <= square) ++root;
  bool inexact = uint128(root) * root != square;
  return pack<R>(false, (x.exponent - shift) / 2 - 1, uint128(root) << 1 | inexact);
}
template <Round R> inline double directed_fma(double a, double b, double c) {
  if (!is_finite(a) || !is_finite(b) || !is_finite(c)) return std::fma(a, b, c);
  if (a == 0 || b == 0) return mirrored_sum<R>(a * b, c);
  Parts x = parts(a), y = parts(b), z = parts(c);
  bool negative = x.negative != y.negative;
  // Both terms get bit 125 as their highest; what the smaller one loses stays as its lowest bit.
  uint128 product = uint128(x.magnitude) * y.magnitude, addend = z.magnitude;
  int up = leading_zeros(product) - 2, exponent = x.exponent + y.exponent - up;
  product <<= up;
  if (addend != 0) {
    int addend_up = leading_zeros(addend) - 2, addend_exponent = z.exponent - addend_up;
    addend <<= addend_up;
    if (exponent >= addend_exponent)
      addend = shift_sticky(addend, exponent - addend_exponent);
    else
      product = shift_sticky(product, addend_exponent - exponent), exponent = addend_exponent;
  }
  if (negative == z.negative) return pack<R>(negative, exponent, product + addend);
  if (product == addend) return R == rm ? -0.0 : 0.0;
  return product > addend ? pack<R>(negative, exponent, product - addend)
                          : pack<R>(z.negative, exponent, addend - product);
}

}   // namespace headroom::sim::meaning
