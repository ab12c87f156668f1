// Integer arithmetic: PTX ISA 9.7.1 and 9.7.2.
//
//   mad_wide<int32_t>(-2, 3, 10) == 4    add_sat(INT_MAX, 1) == INT_MAX    div<int32_t>(7, 0) == -1
//
// Holds, over T in u16 s16 u32 s32 u64 s64:
//   T         add sub mul_lo mul_hi mul24_lo mul24_hi div rem min max min_relu max_relu (T, T)
//   T         abs neg (T)
//   T         mad_lo mad_hi mad24_lo mad24_hi (T, T, T)
//   Wide<T>   mul_wide(T, T)    mad_wide(T, T, Wide<T>)
//   U<T>      sad(T, T, U<T>): U<T> is the unsigned T
//   int32_t   add_sat sub_sat (int32_t, int32_t)
//   int32_t   mad_hi_sat mad24_hi_sat (int32_t, int32_t, int32_t)
//   Carried<T>   add_carry sub_borrow (T, T, bool)    mad_lo_carry mad_hi_carry (T, T, T, bool)
// With a carry in of false these are the forms without one. After a subtraction the flag holds the
// borrow.
#pragma once
#include <limits>

#include "sim/meaning/types.h"

namespace headroom::sim::meaning {

using int128 = __int128;
using uint128 = unsigned __int128;

template <Integer T> using Unsigned = std::make_unsigned_t<T>;
// Wide enough that the product of two narrow operands is not a signed int: that would overflow.
template <Integer T> using Ring = std::conditional_t<(sizeof(T) < 4), uint32_t, Unsigned<T>>;

// Twice as wide, of the same sign: only their types are of interest.
uint16_t widened(uint8_t);
int16_t widened(int8_t);
uint32_t widened(uint16_t);
int32_t widened(int16_t);
uint64_t widened(uint32_t);
int64_t widened(int32_t);
uint128 widened(uint64_t);
int128 widened(int64_t);
template <Integer T> using Wide = decltype(widened(T{}));

template <Integer T> inline constexpr int width = 8 * sizeof(T);

template <Integer T> inline T add(T a, T b) { return T(Ring<T>(a) + Ring<T>(b)); }
template <Integer T> inline T sub(T a, T b) { return T(Ring<T>(a) - Ring<T>(b)); }
template <Integer T> inline T neg(T a) { return T(Ring<T>(0) - Ring<T>(a)); }
template <Integer T> inline T abs(T a) { return a < 0 ? neg(a) : a; }
template <Integer T> inline T min(T a, T b) { return a < b ? a : b; }
template <Integer T> inline T max(T a, T b) { return a > b ? a : b; }
template <Integer T> inline T min_relu(T a, T b) { return max(min(a, b), T(0)); }
template <Integer T> inline T max_relu(T a, T b) { return max(max(a, b), T(0)); }

template <Integer T> inline T mul_lo(T a, T b) { return T(Ring<T>(a) * Ring<T>(b)); }
template <Integer T> inline Wide<T> mul_wide(T a, T b) { return Wide<T>(Wide<T>(a) * Wide<T>(b)); }
template <> inline Wide<uint16_t> mul_wide(uint16_t a, uint16_t b) {
  return uint32_t(a) * uint32_t(b);
}
template <Integer T> inline T mul_hi(T a, T b) { return T(mul_wide(a, b) >> width<T>); }
template <Integer T> inline T mad_lo(T a, T b, T c) { return add(mul_lo(a, b), c); }
template <Integer T> inline T mad_hi(T a, T b, T c) { return add(mul_hi(a, b), c); }
template <Integer T> inline Wide<T> mad_wide(T a, T b, Wide<T> c) { return add(mul_wide(a, b), c); }

// The 48-bit product of the low 24 bits; "lo" its bits 31..0, "hi" its bits 47..16.
template <Integer T> inline Wide<T> product24(T a, T b) {
  return mul_wide(T(T(uint32_t(a) << 8) >> 8), T(T(uint32_t(b) << 8) >> 8));
}
template <Integer T> inline T mul24_lo(T a, T b) { return T(product24(a, b)); }
template <Integer T> inline T mul24_hi(T a, T b) { return T(product24(a, b) >> 16); }
template <Integer T> inline T mad24_lo(T a, T b, T c) { return add(mul24_lo(a, b), c); }
template <Integer T> inline T mad24_hi(T a, T b, T c) { return add(mul24_hi(a, b), c); }

template <Integer T> inline Unsigned<T> sad(T a, T b, Unsigned<T> c) {
  Unsigned<T> distance =
      a < b ? Unsigned<T>(Ring<T>(b) - Ring<T>(a)) : Unsigned<T>(Ring<T>(a) - Ring<T>(b));
  return add(distance, c);
}

inline int32_t clamp_s32(int64_t x) {
  x = x > INT32_MAX ? INT32_MAX : x;
  return int32_t(x < INT32_MIN ? INT32_MIN : x);
}
inline int32_t add_sat(int32_t a, int32_t b) { return clamp_s32(int64_t(a) + b); }
inline int32_t sub_sat(int32_t a, int32_t b) { return clamp_s32(int64_t(a) - b); }
inline int32_t mad_hi_sat(int32_t a, int32_t b, int32_t c) {
  return clamp_s32(int64_t(mul_hi(a, b)) + c);
}
inline int32_t mad24_hi_sat(int32_t a, int32_t b, int32_t c) {
  return clamp_s32(int64_t(mul24_hi(a, b)) + c);
}

// By zero: quotient and remainder are all ones, as on an H200; the smallest number by -1 wraps.
// Up to 32 bits the quotient of doubles is exact enough to truncate, and vectorises where integers
// cannot.
template <Integer T> inline T div(T a, T b) {
  if constexpr (sizeof(T) <= 4) {
    double quotient = double(a) / double(b == 0 ? T(1) : b);
    double whole = __builtin_trunc(quotient);
    // Added to 3·2^51 an integer of up to 51 bits stands in the low bits of the sum.
    T result = T(uint32_t(bits_of(whole + 0x1.8p52)));
    return b == 0 ? T(-1) : result;
  } else {
    bool wraps = std::is_signed_v<T> && b == T(-1);
    T divisor = b == 0 || wraps ? T(1) : b;
    T quotient = T(a / divisor);
    return b == 0 ? T(-1) : wraps ? neg(a) : quotient;
  }
}
template <Integer T> inline T rem(T a, T b) {
  return b == 0 ? T(-1) : sub(a, mul_lo(div(a, b), b));
}

// ---- extended precision: 9.7.2

template <Integer T> inline Carried<T> add_carry(T a, T b, bool carry) {
  using U = Unsigned<T>;
  U sum = U(a) + U(b), out = sum + U(carry);
  return {T(out), sum < U(a) || out < sum};
}
template <Integer T> inline Carried<T> sub_borrow(T a, T b, bool borrow) {
  using U = Unsigned<T>;
  U difference = U(a) - U(b);
  return {T(difference - U(borrow)), U(a) < U(b) || difference < U(borrow)};
}
template <Integer T> inline Carried<T> mad_lo_carry(T a, T b, T c, bool carry) {
  return add_carry(mul_lo(a, b), c, carry);
}
template <Integer T> inline Carried<T> mad_hi_carry(T a, T b, T c, bool carry) {
  return add_carry(mul_hi(a, b), c, carry);
}

}   // namespace headroom::sim::meaning
