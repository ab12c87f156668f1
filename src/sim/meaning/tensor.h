// How tensor cores sum products, as measured on sm_90 (docs/tensor.md): products are exact, lie
// beside the addend with their least bits cut off below the greatest exponent, are summed without
// error, and the sum is cut off to the result. No fma chain gives these bits.
//
//   fused_sums<8>(row of A, k rows of 8 columns of B, addends)   8 sums of k products and an addend
//   cut_f32(sum, 23)                                             rounded to zero as f32
//
// Older architectures keep fewer bits (Volta 23, Turing and Ampere 24: Fasi et al. 2021, Li et al.
// 2024) and sum fewer products at once.
#pragma once
#include <cmath>

#include "sim/meaning/convert.h"
#include "sim/meaning/types.h"

namespace headroom::sim::meaning {

// A number as signed integer and exponent: value · 2^(exponent - fraction bits). Zero has an
// exponent below all others; what is not finite has one above: 0 is a NaN, ±1 an infinity.
struct Factor {
  int32_t value, exponent;
};
inline constexpr int32_t of_zero = -(1 << 16), not_finite = 1 << 18, any_not_finite = 1 << 17,
                         of_nothing = -(1 << 20);   // no element: not even times infinity

// E exponent bits, M of fraction; e4m3 has no infinity and one NaN.
template <int E, int M, bool Infinity = true> inline Factor factor(uint32_t bits) {
  constexpr int32_t most = (1 << E) - 1, bias = most >> 1, fractions = (1 << M) - 1;
  const int32_t field = int32_t(bits >> M) & most, fraction = int32_t(bits) & fractions;
  const int32_t sign = -int32_t(bits >> (E + M) & 1);
  int32_t magnitude = field != 0 ? fraction | 1 << M : fraction;
  int32_t exponent = (field != 0 ? field : 1) - bias;
  exponent = magnitude == 0 ? of_zero : exponent;
  const bool special = Infinity ? field == most : (field == most) & (fraction == fractions);
  magnitude = special ? int32_t(Infinity && fraction == 0) : magnitude;
  return {(magnitude ^ sign) - sign, special ? not_finite : exponent};
}

// |value| · 2^lift / 2^shift, cut off, with the sign of value. 0 <= shift.
inline int32_t aligned(int32_t value, int lift, int32_t shift) {
  const int32_t sign = value >> 31;
  const uint32_t magnitude = uint32_t((value ^ sign) - sign) << lift >> (shift < 31 ? shift : 31);
  return (int32_t(magnitude) ^ sign) - sign;
}

// Of `Columns` columns: each the sum of k products and an addend, aligned with `bits` bits below
// the greatest exponent. lift: bits - fraction bits of a product; addend_lift: of the addend, or <
// 0.
template <int Columns> inline void fused_sums(const int32_t* a, const int32_t* a_exponent,
                                              const int32_t* b, const int32_t* b_exponent, int k,
                                              int lift, const int32_t* c, const int32_t* c_exponent,
                                              int addend_lift, int bits, int32_t* greatest,
                                              double* sum) {
  int32_t top[Columns], sums[Columns];
  for (int j = 0; j < Columns; ++j) top[j] = c_exponent[j], sums[j] = 0;
  for (int i = 0; i < k; ++i) {
    const int32_t e = a_exponent[i];
    for (int j = 0; j < Columns; ++j) {
      const int32_t exponent = e + b_exponent[i * Columns + j];
      top[j] = top[j] > exponent ? top[j] : exponent;
    }
  }
  for (int i = 0; i < k; ++i) {
    const int32_t e = a_exponent[i], v = a[i];
    for (int j = 0; j < Columns; ++j)
      sums[j] += aligned(v * b[i * Columns + j], lift, top[j] - (e + b_exponent[i * Columns + j]));
  }
  for (int j = 0; j < Columns; ++j) {
    const int32_t up = addend_lift > 0 ? addend_lift : 0, down = up - addend_lift;
    const int32_t addend = aligned(c[j], up, top[j] - c_exponent[j] + down);
    const int32_t scale = top[j] > -400 ? (top[j] < 400 ? top[j] : 400) : -400;
    greatest[j] = top[j];
    sum[j] =
        (double(sums[j]) + double(addend)) * float_of<double>(uint64_t(scale - bits + 1023) << 52);
  }
}

// Rounded to zero as a float with `bits` bits of fraction; too large is infinite.
inline uint32_t cut_f32(double x, int bits) {
  const double unit = float_of<double>(uint64_t(1023 - 126 - bits) << 52);
  const double per_unit = float_of<double>(uint64_t(1023 + 126 + bits) << 52);
  const double normal = float_of<double>(bits_of(x) & ~((1ull << (52 - bits)) - 1));
  const double small = std::trunc(x * per_unit) * unit;
  return bits_of(float(std::fabs(x) < 0x1p-126 ? small : normal));
}
// Rounded to nearest as f16; what becomes zero loses its sign.
inline uint32_t round_f16(double x) {
  const uint32_t bits = convert<half, double, rn>(x).bits;
  return bits == 0x8000 ? 0 : bits;
}

// The sum where not all factors are finite: infinite or the NaN of tensor cores.
inline double special_sum(const int32_t* a, const int32_t* a_exponent, const int32_t* b,
                          const int32_t* b_exponent, int stride, int k, int32_t c,
                          int32_t c_exponent) {
  double sum = 0;
  auto number = [](int32_t value, int32_t exponent) {
    return exponent < any_not_finite ? double(value) : value == 0 ? NAN : value * HUGE_VAL;
  };
  for (int i = 0; i < k; ++i)
    if (a_exponent[i] != of_nothing)
      sum += number(a[i], a_exponent[i]) * number(b[i * stride], b_exponent[i * stride]);
  return sum + number(c, c_exponent);
}

}   // namespace headroom::sim::meaning
