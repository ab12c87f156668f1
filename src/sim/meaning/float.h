// Floating-point arithmetic of f32 and f64: PTX ISA 9.7.3. Bit-exact, subnormals included.
//
//   add<float>(1, 0x1p-30f) == 1      add<float, rp>(1, 0x1p-30f) == 1 + 0x1p-23f
//   min(NaN, 2.0f) == 2      min_nan(NaN, 2.0f) is NaN      min_xorsign(-1.0f, 2.0f) == -1
//
// Holds, over T in f32 f64, R in rn (default) rz rm rp:
//   T   add sub mul div <T, R>(T, T)    fma<T, R>(T, T, T)    rcp sqrt <T, R>(T)
// and over T in f32 f64 f16 bf16:
//   T   abs neg (T)    min max min_nan max_nan (T, T)
//   T   min_xorsign max_xorsign min_nan_xorsign max_nan_xorsign (T, T)
// Modifiers: ftz<&f>, sat<&f> of types.h; ftz of mul, fma, div and rcp is specialised here.
//
// A NaN result in f32 is 0x7fffffff. In f64 it is the NaN operand, made quiet, or
// 0xfff8000000000000 where there is none; of several NaN operands it is b, then
// c, then a (H200).
#pragma once
#include "sim/meaning/round.h"

namespace headroom::sim::meaning {

// A result of f64 where b's NaN, if it is one, is what stays.
template <Float T> inline T last_nan(T result, T b) {
  if constexpr (std::same_as<T, double>)
    return b != b ? quiet(b) : result;
  else
    return canonical(result);
}

template <Float T, Round R = rn> inline T fma(T a, T b, T c) {
  if constexpr (R == rn)
    return last_nan(last_nan(std::fma(a, b, c), c), b);
  else if constexpr (std::same_as<T, float>)
    return canonical(narrow<R>(odd_fma<R>(a, b, c)));
  else
    return last_nan(last_nan(directed_fma<R>(a, b, c), c), b);
}
template <Float T, Round R = rn> inline T add(T a, T b) {
  if constexpr (R == rn)
    return last_nan(a + b, b);
  else if constexpr (std::same_as<T, float>)
    return canonical(narrow<R>(odd_sum<R>(a, b)));
  else
    return last_nan(directed_fma<R>(a, 1.0, b), b);
}
template <Float T, Round R = rn> inline T sub(T a, T b) {
  if constexpr (R == rn)
    return last_nan(a - b, b);
  else
    return is_nan(b) ? quiet(b) : add<T, R>(a, -b);
}
template <Float T, Round R = rn> inline T mul(T a, T b) {
  if constexpr (R == rn)
    return last_nan(a * b, b);
  else if constexpr (std::same_as<T, float>)
    return canonical(narrow<R>(double(a) * double(b)));
  else
    return last_nan(directed_mul<R>(a, b), b);
}
template <Float T, Round R = rn> inline T div(T a, T b) {
  if constexpr (R == rn)
    return canonical(a / b);
  else if constexpr (std::same_as<T, float>)
    return canonical(narrow<R>(odd_quotient(a, b)));
  else
    return directed_div<R>(a, b);
}
template <Float T, Round R = rn> inline T rcp(T a) { return div<T, R>(T(1), a); }
template <Float T, Round R = rn> inline T sqrt(T a) {
  if constexpr (R == rn)
    return canonical(std::sqrt(a));
  else if constexpr (std::same_as<T, float>)
    return canonical(narrow<R>(odd_root(a)));
  else
    return directed_sqrt<R>(a);
}

template <AnyFloat T> inline T abs(T a) { return is_nan(a) ? quiet(a) : float_of<T>(magnitude(a)); }
template <AnyFloat T> inline T neg(T a) {
  return is_nan(a) ? quiet(a) : float_of<T>(Bits<T>(bits_of(a) ^ Format<T>::sign));
}

// ---- minimum and maximum: -0 is less than +0

// Integers in the order of the numbers: the order is total, and NaN lies outside of the infinities.
template <AnyFloat T> inline auto ordered(T a) {
  using S = std::make_signed_t<Bits<T>>;
  S b = S(bits_of(a));
  return S(b ^ S(S(b >> (8 * sizeof(S) - 1)) & S(~Format<T>::sign)));
}
template <AnyFloat T> inline T other_if_nan(T result, T a, T b) {
  result = is_nan(a) ? b : result;
  result = is_nan(b) ? a : result;
  return is_nan(result) ? quiet(b) : result;
}
template <AnyFloat T> inline T nan_if_nan(T result, T a, T b) {
  return is_nan(a) | is_nan(b) ? quiet(is_nan(b) ? b : a) : result;
}

template <AnyFloat T> inline T lesser(T a, T b) { return ordered(a) < ordered(b) ? a : b; }
template <AnyFloat T> inline T greater(T a, T b) { return ordered(a) > ordered(b) ? a : b; }
template <AnyFloat T> inline T min(T a, T b) { return other_if_nan(lesser(a, b), a, b); }
template <AnyFloat T> inline T max(T a, T b) { return other_if_nan(greater(a, b), a, b); }
template <AnyFloat T> inline T min_nan(T a, T b) { return nan_if_nan(lesser(a, b), a, b); }
template <AnyFloat T> inline T max_nan(T a, T b) { return nan_if_nan(greater(a, b), a, b); }

// .xorsign.abs: of the magnitudes, with the product of the signs; a NaN stays as it is.
template <AnyFloat T> inline T with_xor_sign(T result, T a, T b) {
  return is_nan(result) ? result : float_of<T>(Bits<T>(bits_of(result) | (sign(a) ^ sign(b))));
}
template <AnyFloat T> inline T min_xorsign(T a, T b) {
  return with_xor_sign(min(abs(a), abs(b)), a, b);
}
template <AnyFloat T> inline T max_xorsign(T a, T b) {
  return with_xor_sign(max(abs(a), abs(b)), a, b);
}
template <AnyFloat T> inline T min_nan_xorsign(T a, T b) {
  return with_xor_sign(min_nan(abs(a), abs(b)), a, b);
}
template <AnyFloat T> inline T max_nan_xorsign(T a, T b) {
  return with_xor_sign(max_nan(abs(a), abs(b)), a, b);
}

// ---- .ftz: a result is tiny, and flushed, if it is below 2^-126 once rounded as if exponents had
// no end (H200). So it is rounded a second time, 24 binades higher; what overflows there is not
// tiny.

inline constexpr float higher = 0x1p24f;

inline float flush_tiny(float result, float higher_result) {
  return float_of<float>(std::fabs(higher_result) < 0x1p-102f ? sign(result) : bits_of(result));
}
template <Round R> inline float mul_ftz(float a, float b) {
  a = flush(a), b = flush(b);
  return flush_tiny(mul<float, R>(a, b), mul<float, R>(a * higher, b));
}
template <Round R> inline float fma_ftz(float a, float b, float c) {
  a = flush(a), b = flush(b), c = flush(c);
  return flush_tiny(fma<float, R>(a, b, c), fma<float, R>(a * higher, b, c * higher));
}
template <Round R> inline float div_ftz(float a, float b) {
  a = flush(a), b = flush(b);
  return flush_tiny(div<float, R>(a, b), div<float, R>(a * higher, b));
}
template <Round R> inline float rcp_ftz(float a) { return div_ftz<R>(1.0f, a); }

template <> inline constexpr auto ftz<&mul<float, rn>> = &mul_ftz<rn>;
template <> inline constexpr auto ftz<&mul<float, rz>> = &mul_ftz<rz>;
template <> inline constexpr auto ftz<&mul<float, rm>> = &mul_ftz<rm>;
template <> inline constexpr auto ftz<&mul<float, rp>> = &mul_ftz<rp>;
template <> inline constexpr auto ftz<&fma<float, rn>> = &fma_ftz<rn>;
template <> inline constexpr auto ftz<&fma<float, rz>> = &fma_ftz<rz>;
template <> inline constexpr auto ftz<&fma<float, rm>> = &fma_ftz<rm>;
template <> inline constexpr auto ftz<&fma<float, rp>> = &fma_ftz<rp>;
template <> inline constexpr auto ftz<&div<float, rn>> = &div_ftz<rn>;
template <> inline constexpr auto ftz<&div<float, rz>> = &div_ftz<rz>;
template <> inline constexpr auto ftz<&div<float, rm>> = &div_ftz<rm>;
template <> inline constexpr auto ftz<&div<float, rp>> = &div_ftz<rp>;
template <> inline constexpr auto ftz<&rcp<float, rn>> = &rcp_ftz<rn>;
template <> inline constexpr auto ftz<&rcp<float, rz>> = &rcp_ftz<rz>;
template <> inline constexpr auto ftz<&rcp<float, rm>> = &rcp_ftz<rm>;
template <> inline constexpr auto ftz<&rcp<float, rp>> = &rcp_ftz<rp>;

}   // namespace headroom::sim::meaning
