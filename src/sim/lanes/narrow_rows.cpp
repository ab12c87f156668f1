// Conversion to and from narrow and packed formats: cvt of section 9.7.9 with tf32, f16x2, bf16x2,
// e4m3x2 and e5m2x2, and cvt.pack.
#include "sim/lanes/isa.h"
#include "sim/lanes/lift.h"
#include "sim/meaning/convert.h"

namespace headroom::sim::HEADROOM_ISA {
namespace {

using namespace meaning;

// ---- .relu and .satfinite of halves, alone and in pairs

template <class H, Round R, Overflow O, bool Relu>
H half_of(float x) {
  const H rounded = {uint16_t(encode<Small<H>, R, O>(x))};
  return Relu ? rectify(rounded) : rounded;
}
template <class H, Round R, Overflow O, bool Relu>
Pair<H> pair_of(float high, float low) {
  return pair(half_of<H, R, O, Relu>(low), half_of<H, R, O, Relu>(high));
}
template <class H, Round R>
void halves(RowTable& table, std::string_view one, std::string_view two) {
  const auto put = [&]<Overflow O, bool Relu>(std::string_view nearest,
                                              std::string_view truncated) {
    const std::string_view spelling = R == rn ? nearest : truncated;
    if (O == to_finite) table.add(spelling, Lift<&half_of<H, R, O, Relu>>::seldom, one, "f32");
    table.add(spelling, Lift<&pair_of<H, R, O, Relu>>::seldom, two, "f32");
  };
  put.template operator()<to_infinity, false>("cvt.rn", "cvt.rz");
  put.template operator()<to_infinity, true>("cvt.rn.relu", "cvt.rz.relu");
  put.template operator()<to_finite, false>("cvt.rn.satfinite", "cvt.rz.satfinite");
  put.template operator()<to_finite, true>("cvt.rn.relu.satfinite", "cvt.rz.relu.satfinite");
}

// ---- tf32

template <Round R, Overflow O, bool Relu>
uint32_t tf32_of(float x) {
  const uint32_t rounded = tf32_bits(encode<tf32, R, O>(x));
  return Relu && rounded >> 31 ? 0 : rounded;  // a NaN has no sign here
}
uint32_t tf32_rna_finite(float x) {
  const uint32_t rounded = tf32_rna(x);
  return (rounded & 0x7fffffff) >= 0x7f800000 ? rounded - (1 << 13) : rounded;  // of NaNs too
}

// ---- e4m3x2 and e5m2x2; .relu of a negative number is zero, of a NaN a NaN

template <class S, bool Relu>
uint16_t fp8_of(float high, float low) {
  if (Relu) high = rectify(high), low = rectify(low);
  return convert_fp8x2<S>(high, low);
}
template <class S, bool Relu>
uint16_t fp8_of_pair(half2 x) {
  return fp8_of<S, Relu>(widen(high<half>(x)), widen(low<half>(x)));
}
template <class S, bool Relu>
half2 pair_of_fp8(uint16_t x) {
  const half2 wide = convert_from_fp8x2<S>(x);
  return Relu ? pair(rectify(low<half>(wide)), rectify(high<half>(wide))) : wide;
}
template <class S>
void fp8(RowTable& table, std::string_view type) {
  table.add("cvt.rn.satfinite", Lift<&fp8_of<S, false>>::seldom, type, "f32");
  table.add("cvt.rn.satfinite.relu", Lift<&fp8_of<S, true>>::seldom, type, "f32");
  table.add("cvt.rn.satfinite", Lift<&fp8_of_pair<S, false>>::seldom, type, "f16x2");
  table.add("cvt.rn.satfinite.relu", Lift<&fp8_of_pair<S, true>>::seldom, type, "f16x2");
  table.add("cvt.rn.f16x2", Lift<&pair_of_fp8<S, false>>::seldom, type);
  table.add("cvt.rn.relu.f16x2", Lift<&pair_of_fp8<S, true>>::seldom, type);
}

// ---- cvt.pack: a above b, clamped; with c, which moves up and loses its top, below both

template <int Low, int High>
uint32_t clamp(int32_t x) {
  return uint32_t(x < Low ? Low : x > High ? High : x);
}
template <int Bits, int Low, int High>
uint32_t pack2(int32_t a, int32_t b) {
  constexpr uint32_t mask = (1u << Bits) - 1;
  return (clamp<Low, High>(a) & mask) << Bits | (clamp<Low, High>(b) & mask);
}
template <int Bits, int Low, int High>
uint32_t pack3(int32_t a, int32_t b, uint32_t c) {
  return c << 2 * Bits | pack2<Bits, Low, High>(a, b);
}

}  // namespace

void narrow_rows(RowTable& table) {
  halves<half, rn>(table, "f16", "f16x2");
  halves<half, rz>(table, "f16", "f16x2");
  halves<bfloat, rn>(table, "bf16", "bf16x2");
  halves<bfloat, rz>(table, "bf16", "bf16x2");
  table.add("cvt.rna.tf32.f32", Lift<&tf32_rna>::seldom);
  table.add("cvt.rna.satfinite.tf32.f32", Lift<&tf32_rna_finite>::seldom);
  table.add("cvt.rn.tf32.f32", Lift<&tf32_of<rn, to_infinity, false>>::seldom);
  table.add("cvt.rz.tf32.f32", Lift<&tf32_of<rz, to_infinity, false>>::seldom);
  table.add("cvt.rn.relu.tf32.f32", Lift<&tf32_of<rn, to_infinity, true>>::seldom);
  table.add("cvt.rz.relu.tf32.f32", Lift<&tf32_of<rz, to_infinity, true>>::seldom);
  fp8<e4m3>(table, "e4m3x2");
  fp8<e5m2>(table, "e5m2x2");
  table.add("cvt.pack.sat.u16.s32", Lift<&pack2<16, 0, 0xffff>>::seldom);
  table.add("cvt.pack.sat.s16.s32", Lift<&pack2<16, -0x8000, 0x7fff>>::seldom);
  table.add("cvt.pack.sat.u8.s32.b32", Lift<&pack3<8, 0, 0xff>>::seldom);
  table.add("cvt.pack.sat.s8.s32.b32", Lift<&pack3<8, -0x80, 0x7f>>::seldom);
  table.add("cvt.pack.sat.u4.s32.b32", Lift<&pack3<4, 0, 15>>::seldom);
  table.add("cvt.pack.sat.s4.s32.b32", Lift<&pack3<4, -8, 7>>::seldom);
  table.add("cvt.pack.sat.u2.s32.b32", Lift<&pack3<2, 0, 3>>::seldom);
  table.add("cvt.pack.sat.s2.s32.b32", Lift<&pack3<2, -2, 1>>::seldom);
}

}  // namespace headroom::sim::HEADROOM_ISA
