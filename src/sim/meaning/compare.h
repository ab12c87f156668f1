// Comparison and selection: PTX ISA 9.7.5 and 9.7.6, testp and copysign of 9.7.3.
//
//   setp<lt, int32_t>(-1, 1)    setp<ltu, float>(NaN, 1)    set<ge, float, uint32_t>(2, 1) == ~0u
//
// Holds, over T of any integer or float type, C in
//   eq ne lt le gt ge (integers by their sign, floats ordered)    lo ls hi hs (unsigned)
//   equ neu ltu leu gtu geu (true for NaN)    num nan:
//   bool   setp<C, T>(T, T)
//   bool   setp_and setp_or setp_xor <C, T>(T, T, bool)
//   bool   setp_not_and setp_not_or setp_not_xor <C, T>(T, T, bool): the second result of setp
//   D      set<C, T, D>(T, T)    set_and set_or set_xor <C, T, D>(T, T, bool): 1.0 or all ones
//   T      selp(T, T, bool)    slct<T, S>(T, T, S): S in s32 f32
//   bool   testp_finite testp_infinite testp_number testp_notanumber testp_normal
//          testp_subnormal (T)
//   T      copysign(T a, T b): b with the sign of a
#pragma once
#include "sim/meaning/half.h"

namespace headroom::sim::meaning {

enum Comparison { eq, ne, lt, le, gt, ge, lo, ls, hi, hs, equ, neu, ltu, leu, gtu, geu, num, nan };

template <Comparison C, class V> inline bool relate(V a, V b) {
  if constexpr (C == eq) return a == b;
  if constexpr (C == ne) return (a < b) | (a > b);   // of floats: ordered, so false for NaN
  if constexpr (C == lt || C == lo) return a < b;
  if constexpr (C == le || C == ls) return a <= b;
  if constexpr (C == gt || C == hi) return a > b;
  if constexpr (C == ge || C == hs) return a >= b;
  if constexpr (C == equ) return !((a < b) | (a > b));
  if constexpr (C == neu) return !(a == b);
  if constexpr (C == ltu) return !(a >= b);
  if constexpr (C == leu) return !(a > b);
  if constexpr (C == gtu) return !(a <= b);
  if constexpr (C == geu) return !(a < b);
  if constexpr (C == num) return (a == a) & (b == b);
  if constexpr (C == nan) return (a != a) | (b != b);
}

template <Comparison C, class T> inline bool setp(T a, T b) {
  if constexpr (AnyFloat<T>)
    return relate<C>(widen(a), widen(b));
  else if constexpr (C == lo || C == ls || C == hi || C == hs)
    return relate<C>(Unsigned<T>(a), Unsigned<T>(b));
  else
    return relate<C>(a, b);
}
template <Comparison C, class T> inline bool setp_and(T a, T b, bool c) {
  return setp<C>(a, b) & c;
}
template <Comparison C, class T> inline bool setp_or(T a, T b, bool c) { return setp<C>(a, b) | c; }
template <Comparison C, class T> inline bool setp_xor(T a, T b, bool c) {
  return setp<C>(a, b) ^ c;
}
template <Comparison C, class T> inline bool setp_not_and(T a, T b, bool c) {
  return !setp<C>(a, b) & c;
}
template <Comparison C, class T> inline bool setp_not_or(T a, T b, bool c) {
  return !setp<C>(a, b) | c;
}
template <Comparison C, class T> inline bool setp_not_xor(T a, T b, bool c) {
  return !setp<C>(a, b) ^ c;
}

template <class D> inline D truth(bool holds) {
  if constexpr (AnyFloat<D>)
    return float_of<D>(holds ? Bits<D>(Format<D>::one) : Bits<D>(0));
  else
    return holds ? D(-1) : D(0);
}
template <Comparison C, class T, class D> inline D set(T a, T b) { return truth<D>(setp<C>(a, b)); }
template <Comparison C, class T, class D> inline D set_and(T a, T b, bool c) {
  return truth<D>(setp<C>(a, b) & c);
}
template <Comparison C, class T, class D> inline D set_or(T a, T b, bool c) {
  return truth<D>(setp<C>(a, b) | c);
}
template <Comparison C, class T, class D> inline D set_xor(T a, T b, bool c) {
  return truth<D>(setp<C>(a, b) ^ c);
}

// Of integers by their bits: a compiler makes a branch a lane of the plain choice.
template <class T> inline T selp(T a, T b, bool c) {
  if constexpr (std::integral<T>)
    return T(b ^ ((a ^ b) & T(-int32_t(c))));
  else
    return c ? a : b;
}
template <class T, class S> inline T slct(T a, T b, S c) {
  return c >= S(0) ? a : b;
}   // NaN selects b

template <AnyFloat T> inline bool testp_finite(T a) { return magnitude(a) < Format<T>::infinity; }
template <AnyFloat T> inline bool testp_infinite(T a) {
  return magnitude(a) == Format<T>::infinity;
}
template <AnyFloat T> inline bool testp_number(T a) { return magnitude(a) <= Format<T>::infinity; }
template <AnyFloat T> inline bool testp_notanumber(T a) {
  return magnitude(a) > Format<T>::infinity;
}
template <AnyFloat T> inline bool testp_subnormal(T a) {
  return (magnitude(a) != 0) & (magnitude(a) < Format<T>::normal);
}
template <AnyFloat T> inline bool testp_normal(T a) {
  return testp_finite(a) & !testp_subnormal(a);
}   // zeros too

template <AnyFloat T> inline T copysign(T a, T b) {
  return float_of<T>(Bits<T>(sign(a) | magnitude(b)));
}

}   // namespace headroom::sim::meaning
