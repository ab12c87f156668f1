// Approximate functions: PTX ISA 9.7.3 and 9.7.4, within the manual's error and with its special
// values; mostly far closer than a GPU.
//
//   ex2_approx(3) == 8    lg2_approx(0) == -inf    div_approx(inf, 0x1p127f) is NaN
//
//               manual's bound                             here
//   ex2         relative 2^-22                             degree 7 in double
//   lg2         absolute 2^-22 in (0.5, 2), else relative  atanh series in double
//   sin cos     absolute 2^-20.5 up to 2π, 2^-14.7 to 100π in turns, degree 9 and 8 in double
//   tanh        relative 2^-11                             by ex2 in double
//   rcp         1 ulp                                      correctly rounded
//   rsqrt       relative 2^-22.9                           by double
//   sqrt        relative 2^-23                             correctly rounded
//   div         2 ulp, approx and full                     correctly rounded
//   rcp rsqrt   of f64 .ftz: the high word                 the same
//   rsqrt       of f64: relative 2^-22                     a step of Newton's, as on a GPU
//   ex2 tanh    of f16: relative 2^-9.9, 2^-10.987         by f32
//   ex2 tanh    of bf16: relative 2^-7, 2^-8               by f32
//
// Holds
//   float    ex2_approx lg2_approx sin_approx cos_approx tanh_approx (float)
//   float    rcp_approx rsqrt_approx sqrt_approx (float)    div_approx div_full (float, float)
//   double   rcp_approx_ftz rsqrt_approx_ftz rsqrt_approx_f64 (double)
//   H        ex2_approx_half tanh_approx_half <H>(H)
// The .ftz forms are ftz<&f>.
#pragma once
#include "sim/meaning/half.h"

namespace headroom::sim::meaning {

inline constexpr double log2_of_e = 1.4426950408889634, ln_2 = 0.6931471805599453,
                        two_pi = 6.283185307179586;

inline double round_even(double x) { return __builtin_rint(x); }

// 2^n for whole n in the range of normal numbers.
inline double power_of_two(double n) {
  return float_of<double>((bits_of(n + 0x1.8p52) + 1023) << 52);
}

// Relative error below 2^-27.
inline double exp2(double x) {
  x = x < 1000 ? x : 1000;
  x = x > -1000 ? x : -1000;
  double n = round_even(x), t = (x - n) * ln_2;
  double p =
      1 + t * (1 + t * (1.0 / 2 +
                        t * (1.0 / 6 + t * (1.0 / 24 + t * (1.0 / 120 +
                                                            t * (1.0 / 720 + t * (1.0 / 5040)))))));
  return p * power_of_two(n);
}
inline float ex2_approx(float x) {
  float result = float(exp2(x));
  return is_nan(x) ? canonical(x) : result;
}

inline float lg2_approx(float x) {
  uint64_t b = bits_of(double(x));
  // m in [√½, √2), x = m · 2^e
  uint64_t shifted = b - 0x3fe6a09e667f3bcd;
  double e = float_of<double>(0x4330000000000000 | ((shifted >> 52) ^ 0x800)) - (0x1p52 + 2048);
  double m = float_of<double>((shifted & 0x000fffffffffffff) + 0x3fe6a09e667f3bcd);
  double s = (m - 1) / (m + 1), q = s * s;
  double atanh =
      s *
      (1 + q * (1.0 / 3 +
                q * (1.0 / 5 + q * (1.0 / 7 + q * (1.0 / 9 + q * (1.0 / 11 + q * (1.0 / 13)))))));
  float result = float(e + 2 * log2_of_e * atanh);
  result = x == 0 ? -__builtin_inff() : result;
  result = x == __builtin_inff() ? x : result;
  return x >= 0 ? result : float_of<float>(uint32_t(Format<float>::nan));
}

// x in turns, between -½ and ½ of one: what is beyond the precision of x counts as whole turns.
struct Angle {
  double quarter, sine, cosine;
};
inline Angle angle_of_turns(double turns) {
  double part = turns - round_even(turns);
  double quarter = round_even(part * 4), t = (part - quarter / 4) * two_pi, q = t * t;
  double sine = t * (1 + q * (-1.0 / 6 + q * (1.0 / 120 + q * (-1.0 / 5040 + q * (1.0 / 362880)))));
  double cosine = 1 + q * (-1.0 / 2 + q * (1.0 / 24 + q * (-1.0 / 720 + q * (1.0 / 40320))));
  return {quarter, sine, cosine};
}
inline Angle angle(double x) { return angle_of_turns(x / two_pi); }
inline double sine_of(Angle a) {
  return a.quarter == 1    ? a.cosine
         : a.quarter == -1 ? -a.cosine
         : a.quarter == 0  ? a.sine
                           : -a.sine;
}
inline double cosine_of(Angle a) {
  return a.quarter == 1    ? -a.sine
         : a.quarter == -1 ? a.sine
         : a.quarter == 0  ? a.cosine
                           : -a.cosine;
}
inline float sin_approx(float x) {
  return canonical(float_of<float>(bits_of(float(sine_of(angle(std::fabs(x))))) ^ sign(x)));
}
inline float cos_approx(float x) { return canonical(float(cosine_of(angle(std::fabs(x))))); }

// MUFU.SIN and MUFU.COS: of x turns, as machine code has them.
inline float sin_turns(float x) {
  return canonical(
      float_of<float>(bits_of(float(sine_of(angle_of_turns(std::fabs(x))))) ^ sign(x)));
}
inline float cos_turns(float x) {
  return canonical(float(cosine_of(angle_of_turns(std::fabs(x)))));
}

// FCHK: whether a / b cannot be had by a product with 1 / b and corrections, all of them normal
// numbers. The H200's rule is not known; where the short way would do, the long one gives the same.
inline bool division_is_hard(float a, float b) {
  const int ea = int(bits_of(a) >> 23 & 255), eb = int(bits_of(b) >> 23 & 255);
  return ea == 255 || eb == 255 || eb == 0 || ea <= 24 || eb >= 253 || ea - eb >= 125 ||
         ea - eb <= -125;
}

inline float tanh_approx(float x) {
  double y = std::fabs(x), q = y * y;
  double small = y * (1 + q * (-1.0 / 3 + q * (2.0 / 15 - q * (17.0 / 315)))),
         large = 1 - 2 / (exp2(2 * log2_of_e * y) + 1);
  float value = float(y < 0.0625 ? small : large);
  return is_nan(x) ? canonical(x) : float_of<float>(bits_of(value) | sign(x));
}

inline float rcp_approx(float x) { return canonical(1 / x); }
inline float sqrt_approx(float x) { return canonical(std::sqrt(x)); }
inline float rsqrt_approx(float x) { return canonical(float(1 / std::sqrt(double(x)))); }
inline float div_full(float a, float b) { return canonical(a / b); }
inline float div_approx(float a, float b) {   // a · rcp(b): 1/b is flushed from 2^126 on
  uint32_t m = magnitude(b);
  bool beyond = m > 0x7e800000 && m < Format<float>::infinity;
  float quotient = beyond ? a * 0.0f : a / b;
  return canonical(beyond ? float_of<float>(bits_of(quotient) ^ sign(b)) : quotient);
}

// Only the high word takes part, and only the high word is made.
inline double high_word(double x) { return float_of<double>(bits_of(x) & 0xffffffff00000000); }
inline double round_to_high_word(double x) {
  uint64_t b = bits_of(x);
  bool finite = magnitude(x) < Format<double>::infinity;
  return float_of<double>((finite ? b + 0x80000000 : b) & 0xffffffff00000000);
}
inline double rcp_approx_ftz(double x) {
  double result = flush(round_to_high_word(1 / flush(high_word(x))));
  return result != result ? float_of<double>(uint64_t(0x7fffffff00000000)) : result;
}
inline double rsqrt_approx_ftz(double x) {
  double result = round_to_high_word(1 / std::sqrt(flush(high_word(x))));
  return result != result ? float_of<double>(uint64_t(0x7fffffff00000000)) : result;
}
// One step of Newton's from the high word, as ptxas makes it: all but correctly rounded.
inline double rsqrt_approx_f64(double x) {
  const bool tiny = magnitude(x) < Format<double>::normal;
  const double scaled = tiny ? x * 0x1p54 : x;
  const double y = round_to_high_word(1 / std::sqrt(high_word(scaled)));
  const double error = std::fma(-(y * y), scaled, 1.0);
  const double better = std::fma(std::fma(error, 0.375, 0.5), y * error, y);
  double result = tiny ? better * 0x1p27 : better;
  result = x == 0 || x == __builtin_inf() ? 1 / x : result;
  result = x < 0 ? float_of<double>(Format<double>::nan) : result;
  return is_nan(x) ? quiet(x) : result;
}

template <> inline constexpr auto ftz<&div_full> = &div_ftz<rn>;
inline float div_approx_ftz(float a, float b) {
  a = flush(a), b = flush(b);
  return flush_tiny(div_approx(a, b), a * higher / b);
}
template <> inline constexpr auto ftz<&div_approx> = &div_approx_ftz;

template <Half H> inline H ex2_approx_half(H x) { return shorten<H>(ex2_approx(widen(x))); }
template <Half H> inline H tanh_approx_half(H x) { return shorten<H>(tanh_approx(widen(x))); }

}   // namespace headroom::sim::meaning
