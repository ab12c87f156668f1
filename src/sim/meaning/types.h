// The words that meanings are written in: 16-bit floats as bits, rounding directions, and the
// modifiers of an instruction as functions of its meaning.
//
//   &fma<float>                 fma.rn.f32
//   &fma<float, rm>             fma.rm.f32
//   ftz<&fma<float>>            fma.rn.ftz.f32
//   sat<ftz<&add<float>>>       add.ftz.sat.f32
//   relu<&fma<half>>            fma.rn.relu.f16
//   packed<&add<half>>          add.f16x2     half2(half2, half2)
//   packed<&min<int16_t>>       min.s16x2     uint32_t(uint32_t, uint32_t)
//
// Every meaning is a plain function, total over its inputs, and free of the host's rounding mode.
// They vectorise in a loop over lanes when compiled with -O3 -fno-math-errno -fno-trapping-math.
//
// Holds
//   half bfloat half2 bfloat2      Round {rn rz rm rp}      Carried<T> {value, flag}
//   bits_of magnitude sign (T)     float_of<T>(bits)        is_nan canonical quiet (T)
//   flush saturate rectify (T)     pair<T>(low, high)       low high <T>(Pair<T>)
//   the modifiers ftz<F> sat<F> relu<F> packed<F>
#pragma once
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace headroom::sim::meaning {

struct half {
  uint16_t bits;
};
struct bfloat {
  uint16_t bits;
};
struct half2 {   // element 0 in the low half
  uint32_t bits;
};
struct bfloat2 {
  uint32_t bits;
};

enum Round { rn, rz, rm, rp };   // nearest even, toward zero, down, up

// A result and the carry (or borrow) out of it.
template <class T> struct Carried {
  T value;
  bool flag;
};

template <class T>
concept Integer = std::integral<T> && !std::same_as<T, bool>;
template <class T>
concept Float = std::same_as<T, float> || std::same_as<T, double>;
template <class T>
concept Half = std::same_as<T, half> || std::same_as<T, bfloat>;
template <class T>
concept AnyFloat = Float<T> || Half<T>;

// ---- bits

inline uint16_t bits_of(half x) { return x.bits; }
inline uint16_t bits_of(bfloat x) { return x.bits; }
inline uint32_t bits_of(float x) { return std::bit_cast<uint32_t>(x); }
inline uint64_t bits_of(double x) { return std::bit_cast<uint64_t>(x); }
template <class T> using Bits = decltype(bits_of(T{}));
template <AnyFloat T> inline T float_of(Bits<T> bits) { return std::bit_cast<T>(bits); }

// Sign, infinity, the smallest normal number, the number 1, and the NaN that arithmetic produces.
template <class T> struct Format;
template <> struct Format<half> {
  static constexpr uint16_t sign = 0x8000, infinity = 0x7c00, normal = 0x0400, one = 0x3c00,
                            nan = 0x7fff;
};
template <> struct Format<bfloat> {
  static constexpr uint16_t sign = 0x8000, infinity = 0x7f80, normal = 0x0080, one = 0x3f80,
                            nan = 0x7fff;
};
template <> struct Format<float> {
  static constexpr uint32_t sign = 0x80000000, infinity = 0x7f800000, normal = 0x00800000,
                            one = 0x3f800000, nan = 0x7fffffff;
};
template <> struct Format<double> {
  static constexpr uint64_t sign = 0x8000000000000000, infinity = 0x7ff0000000000000,
                            normal = 0x0010000000000000, one = 0x3ff0000000000000,
                            nan = 0xfff8000000000000;
};

template <AnyFloat T> inline Bits<T> magnitude(T x) {
  return bits_of(x) & Bits<T>(~Format<T>::sign);
}
template <AnyFloat T> inline Bits<T> sign(T x) { return bits_of(x) & Bits<T>(Format<T>::sign); }

template <AnyFloat T> inline bool is_nan(T x) {
  if constexpr (Float<T>)
    return x != x;
  else
    return magnitude(x) > Format<T>::infinity;
}

// f32 and 16-bit arithmetic has one NaN; f64 arithmetic hands on an operand's NaN, made quiet, as
// the host does.
template <AnyFloat T> inline T canonical(T x) {
  if constexpr (std::same_as<T, double>)
    return x;
  else
    return is_nan(x) ? float_of<T>(Format<T>::nan) : x;
}

template <AnyFloat T> inline T quiet(T nan) {   // what an operation makes of a NaN operand
  if constexpr (std::same_as<T, double>)
    return float_of<T>(bits_of(nan) | 0x0008000000000000);
  else
    return float_of<T>(Bits<T>(Format<T>::nan));
}

// ---- what the modifiers do to a value

template <AnyFloat T> inline T flush(T x) {
  return float_of<T>(magnitude(x) < Format<T>::normal ? sign(x) : bits_of(x));
}
template <AnyFloat T> inline T saturate(T x) {   // NaN and -0 become +0
  Bits<T> b = bits_of(x);
  bool positive = b <= Format<T>::infinity;
  return float_of<T>(positive ? (b < Format<T>::one ? b : Bits<T>(Format<T>::one)) : Bits<T>(0));
}
template <AnyFloat T> inline T rectify(T x) {   // negative becomes +0, NaN stays
  return float_of<T>(is_nan(x) ? Bits<T>(Format<T>::nan) : sign(x) ? Bits<T>(0) : bits_of(x));
}

template <class T> inline T flush_if_float(T x) {
  if constexpr (AnyFloat<T>)
    return flush(x);
  else
    return x;
}

// ---- the modifiers

template <auto F> struct Modified;
template <class R, class... A, R (*F)(A...)> struct Modified<F> {
  static R ftz(A... a) { return flush_if_float(F(flush_if_float(a)...)); }
  static R sat(A... a) { return saturate(F(a...)); }
  static R relu(A... a) { return rectify(F(a...)); }
};
template <auto F> inline constexpr auto ftz = &Modified<F>::ftz;
template <auto F> inline constexpr auto sat = &Modified<F>::sat;
template <auto F> inline constexpr auto relu = &Modified<F>::relu;

// Two 16-bit elements in a 32-bit register.
template <class T> struct PairOf { using type = uint32_t; };
template <> struct PairOf<half> { using type = half2; };
template <> struct PairOf<bfloat> { using type = bfloat2; };
template <class T> using Pair = typename PairOf<T>::type;

template <class T> inline Pair<T> pair(T low, T high) {
  uint32_t bits = std::bit_cast<uint16_t>(low) | uint32_t(std::bit_cast<uint16_t>(high)) << 16;
  return std::bit_cast<Pair<T>>(bits);
}
template <class T> inline T low(Pair<T> x) {
  return std::bit_cast<T>(uint16_t(std::bit_cast<uint32_t>(x)));
}
template <class T> inline T high(Pair<T> x) {
  return std::bit_cast<T>(uint16_t(std::bit_cast<uint32_t>(x) >> 16));
}

template <auto F> struct Packed;
template <class R, class... A, R (*F)(A...)> struct Packed<F> {
  static Pair<R> apply(Pair<A>... a) { return pair<R>(F(low<A>(a)...), F(high<A>(a)...)); }
};
template <auto F> inline constexpr auto packed = &Packed<F>::apply;

}   // namespace headroom::sim::meaning
