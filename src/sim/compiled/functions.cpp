// Functions that a GPU approximates: computed in 64 bits, or from an estimate of the host's, which is made better
// until there is no doubt how it is rounded. Where there is doubt, or a number is none, the long way is gone.
//
//   MUFU.RSQ R0, R1   ->   vrsqrt14ps  …  kortestw  jz  …  vsqrtpd vdivpd vsqrtpd vdivpd …
#include "sim/compiled/emit.h"

namespace headroom::sim::compiled {
namespace {

// ---- in 64 bits, eight lanes after the other: F(v, d, x, other)

template <auto F>
void by_doubles(Vectors& v, Zmm d, Zmm p, Value t, Value other) {
  for (int part = 0; part < 2; ++part) {
    const x86::Ymm half = other[0].ymm();
    part ? v.a.vextracti64x4(half, p, 1) : v.a.vmovdqa64(half, p.ymm());
    v.a.vcvtps2pd(t[0], half);
    F(v, scratch, t[0], t[1], other[0]);
    v.a.vcvtpd2ps(half, scratch);
    part ? v.a.vinserti64x4(d, d, half, 1) : v.a.vmovdqa64(d.ymm(), half);
  }
  canonical(v, d);
}
void reciprocal_root(Vectors& v, Zmm d, Zmm x, Zmm, Zmm) {
  v.a.vsqrtpd(x, x);
  v.a.vmovdqu64(d, all64(v, 1.0));
  v.a.vdivpd(d, d, x);
}
void power_of_two(Vectors& v, Zmm d, Zmm x, Zmm n, Zmm) {  // meaning/approx.h: exp2
  v.a.vmovdqa64(n, x);
  v.a.vminpd(x, x, all64(v, 1000.0));
  v.a.vmaxpd(x, x, all64(v, -1000.0));
  v.a.vrndscalepd(n, x, 8);
  v.a.vsubpd(x, x, n);
  v.a.vmulpd(x, x, all64(v, 0.6931471805599453));
  v.a.vmulpd(d, x, all64(v, 1.0 / 5040));
  for (const double c : {1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 1.0 / 2, 1.0}) {
    v.a.vaddpd(d, d, all64(v, c));
    v.a.vmulpd(d, d, x);
  }
  v.a.vaddpd(d, d, all64(v, 1.0));
  v.a.vaddpd(n, n, all64(v, 0x1.8p52));
  v.a.vpaddq(n, n, all64(v, uint64_t(1023)));
  v.a.vpsllq(n, n, 52);
  v.a.vmulpd(d, d, n);
}
enum class Subnormals { kept, flushed };
template <auto F, Subnormals S>
void function(Vectors& v, const Operation& o) {
  const Value p = v.in_float(o.operand[1]), d = v.out(o.operand[0]), t = v.between(),
              other = v.between(), argument = v.between();
  for (size_t h = 0; h < 2; ++h) {
    v.half(h);
    v.lane_ops().vmovdqa32(argument[h], p[h]);
    if (S == Subnormals::flushed) flush(v, argument[h], argument[h]);
    by_doubles<F>(v, d[h], argument[h], t, other);
    if (S == Subnormals::flushed) flush(v, d[h], d[h]);
    // The handler looks at the argument.
    const Zmm& nan = v.quiet_nan();
    v.a.vcmpps(k1, p[h], p[h], 3);
    v.a.k(k1).vmovdqa32(d[h], nan);
  }
  v.done();
}

// ---- from an estimate

// 1 / √x of sixteen lanes: y of 14 bits, e = 1 − x y² with the error of the product, and y + y e (½ + ⅜ e), of
// which the error is below 2^-12 of the last place: what a tenth of a percent of what is left over would change
// is in doubt, and so is no number (meaning/approx.h rounds twice).
void estimated_root(Vectors& v, x86::KReg doubtful, Zmm d, Zmm x, Zmm y, Zmm t, Zmm e, Zmm rest) {
  v.a.vrsqrt14ps(y, x);
  v.a.vmulps(t, x, y);
  v.a.vmovdqa64(rest, x);
  v.a.vfmsub213ps(rest, y, t);
  v.a.vmovdqa64(e, t);
  v.a.vfnmadd213ps(e, y, all(v, 0x3f800000));
  v.a.vfnmadd231ps(e, rest, y);
  v.a.vmulps(t, y, e);
  v.a.vmovdqu64(scratch, all(v, 0x3f000000));
  v.a.vfmadd132ps(e, scratch, all(v, 0x3ec00000));
  v.a.vmulps(t, t, e);
  v.a.vaddps(d, y, t);
  v.a.vsubps(rest, y, d);
  v.a.vaddps(rest, rest, t);
  v.a.vfmadd132ps(rest, d, all(v, 0x3f802000));  // 1 + 2^-10
  if (v.masked()) v.lane_mask();
  v.a.vcmpps(doubtful, rest, d, 4);
}
template <Subnormals S>
void quick_root(Vectors& v, const Operation& o) {
  const Value p = v.in_float(o.operand[1]), d = v.out(o.operand[0]), t = v.between(),
              other = v.between(), x = v.between();
  const asmjit::Label sure = v.a.newLabel();
  const Zmm& nan = v.quiet_nan();
  const x86::KReg doubtful[] = {k1, k2};
  for (size_t h = 0; h < 2; ++h) {
    v.half(h);
    v.lane_ops().vmovdqa32(x[h], p[h]);
    estimated_root(v, doubtful[h], d[h], x[h], t[0], t[1], other[0], other[1]);
    if (S == Subnormals::kept) continue;
    if (v.masked()) v.lane_mask();
    v.a.vcmpps(k3, x[h], all(v, 0x00800000), 17);
    v.a.korw(doubtful[h], doubtful[h], k3);
  }
  v.a.kortestw(k1, k2);
  v.a.jz(sure);
  for (size_t h = 0; h < 2; ++h) {
    if (S == Subnormals::flushed) flush(v, x[h], x[h]);
    by_doubles<reciprocal_root>(v, d[h], x[h], t, other);
    if (S == Subnormals::flushed) flush(v, d[h], d[h]);
    v.a.vcmpps(k1, p[h], p[h], 3);
    v.a.k(k1).vmovdqa32(d[h], nan);
  }
  v.a.bind(sure);
  v.done();
}

// ---- of the high word of a double, whose low word is 0: so is the result's, rounded

constexpr uint64_t high_bits = 0xffffffff00000000, exponent_bits = 0x7ff0000000000000;
enum class Of { number, root };

// Eight lanes: the error is below 2^12 of the last place; the quotient's exponent says whether x or it is
// no number, or one below the normal numbers.
template <Of F>
void estimated_word(Vectors& v, x86::KReg doubtful, Zmm d, Zmm x, Zmm t, Zmm e) {
  if (F == Of::number) {
    v.a.vrcp14pd(d, x);
    v.a.vmovdqa64(e, x);
    v.a.vfnmadd213pd(e, d, all64(v, 1.0));  // 1 − x d
    v.a.vfmadd213pd(e, e, e);
  } else {
    v.a.vrsqrt14pd(d, x);
    v.a.vmulpd(t, x, d);
    v.a.vfnmadd213pd(t, d, all64(v, 1.0));  // 1 − x d²
    v.a.vmovdqu64(e, all64(v, 0.375));
    v.a.vfmadd213pd(e, t, all64(v, 0.5));
    v.a.vmulpd(e, e, t);
  }
  v.a.vfmadd213pd(d, e, d);
  v.a.vpaddq(t, d, d);  // without the sign
  v.a.vpsubq(t, t, all64(v, uint64_t(1) << 53));
  if (v.masked()) v.a.k(k5);
  v.a.vpcmpuq(k1, t, all64(v, uint64_t(F == Of::number ? 2044 : 1533) << 53), 5);
  v.a.vpaddq(t, d, all64(v, uint64_t(0x80002000)));
  if (v.masked()) v.a.k(k5);
  v.a.vptestnmq(k2, t, all64(v, uint64_t(0xffffc000)));
  v.a.vpaddq(d, d, all64(v, uint64_t(0x80000000)));
  v.a.vpandq(d, d, all64(v, high_bits));
  v.a.korw(k1, k1, k2);
  v.a.korw(doubtful, doubtful, k1);
}
void flush_double(Vectors& v, Zmm d) {
  v.a.vptestnmq(k1, d, all64(v, exponent_bits));
  v.a.k(k1).vpandq(d, d, all64(v, uint64_t(1) << 63));
}
template <Of F>
void exact_word(Vectors& v, Zmm d, Zmm x, Zmm t) {
  flush_double(v, x);
  if (F == Of::root) v.a.vsqrtpd(x, x);
  v.a.vmovdqu64(d, all64(v, 1.0));
  v.a.vdivpd(d, d, x);
  v.a.vpandq(t, d, all64(v, exponent_bits));
  v.a.vpcmpuq(k1, t, all64(v, exponent_bits), 4);
  v.a.k(k1).vpaddq(d, d, all64(v, uint64_t(0x80000000)));
  v.a.vpandq(d, d, all64(v, high_bits));
  if (F == Of::number) flush_double(v, d);
  v.a.vcmppd(k1, d, d, 3);
  v.a.k(k1).vmovdqu64(d, all64(v, uint64_t(0x7fffffff00000000)));
}
template <Of F>
void of_high_word(Vectors& v, const Operation& o) {
  v.reads(o.operand[1], 8 * lanes);
  const Value low = v.between(), high = v.between(), xt = v.between(), other = v.between();
  const Zmm made[] = {low[0], low[1], high[0], high[1]}, &x = xt[0], &t = xt[1], &e = other[0];
  const asmjit::Label sure = v.a.newLabel();
  v.overwrites(o.operand[0], 8 * lanes);
  v.a.kxorw(k3, k3, k3);
  const auto argument = [&](int part) {
    v.part(part);
    v.part_ops().vmovdqu64(x, v.memory(o.operand[1], 64 * part, 64));
    v.a.vpandq(x, x, all64(v, high_bits));
  };
  for (int part = 0; part < 4; ++part) {
    argument(part);
    estimated_word<F>(v, k3, made[part], x, t, e);
  }
  v.a.kortestw(k3, k3);
  v.a.jz(sure);
  for (int part = 0; part < 4; ++part) {
    argument(part);
    exact_word<F>(v, made[part], x, t);
  }
  v.a.bind(sure);
  for (int part = 0; part < 4; ++part) v.store_wide(o.operand[0], part, made[part]);
  v.done();
}

constexpr Meaning function_table[] = {
    {"rsqrt.approx.f32", 2, quick_root<Subnormals::kept>},
    {"rsqrt.approx.ftz.f32", 2, quick_root<Subnormals::flushed>},
    {"ex2.approx.f32", 2, function<power_of_two, Subnormals::kept>},
    {"ex2.approx.ftz.f32", 2, function<power_of_two, Subnormals::flushed>},
    {"rcp.approx.ftz.f64", 2, of_high_word<Of::number>},
    {"rsqrt.approx.ftz.f64", 2, of_high_word<Of::root>},
};

}  // namespace

std::span<const Meaning> functions() { return function_table; }

}  // namespace headroom::sim::compiled
