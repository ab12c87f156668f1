// Floats of 32 bits: of a NaN nobody asks which it is, so that what goes in and comes out is as the host has it.
#include "sim/compiled/emit.h"

namespace headroom::sim::compiled {
namespace {

void add_float(Vectors& v, Zmm d, Zmm p, Zmm q) { v.lane_ops().vaddps(d, p, q); }
void sub_float(Vectors& v, Zmm d, Zmm p, Zmm q) { v.lane_ops().vsubps(d, p, q); }
void mul_float(Vectors& v, Zmm d, Zmm p, Zmm q) { v.lane_ops().vmulps(d, p, q); }
void fma_float(Vectors& v, const Operation& o) {
  const bool in_place = !v.masked(), sums = in_place && o.operand[0] == o.operand[3],
             scales = in_place && !sums && o.operand[0] == o.operand[1];
  const Value p = v.in_float(o.operand[1]), q = v.in_float(o.operand[2]),
              r = v.in_float(o.operand[3]),
              d = sums || scales ? v.change_float(o.operand[0]) : v.out(o.operand[0]);
  for (size_t h = 0; h < 2; ++h) {
    v.half(h);
    if (sums) {
      v.a.vfmadd231ps(d[h], p[h], q[h]);
    } else {
      if (!scales) v.a.vmovdqa64(d[h], p[h]);
      v.lane_ops().vfmadd213ps(d[h], q[h], r[h]);
    }
  }
  v.makes_floats();
  v.done();
}
// To integers, and of floats to floats.
template <auto F>
void of_float(Vectors& v, const Operation& o) {
  one<F, &Vectors::in_float>(v, o);
}
template <auto F>
void one_float(Vectors& v, const Operation& o) {
  v.makes_floats();
  of_float<F>(v, o);
}
template <auto F>
void two_floats(Vectors& v, const Operation& o) {
  v.makes_floats();
  two<F, &Vectors::in_float>(v, o);
}
enum class To { nearest, zero, minus, plus };
template <To R, bool Signed>
void float_of(Vectors& v, Zmm d, Zmm p) {
  if (R == To::nearest) v.a.rn_sae();
  if (R == To::zero) v.a.rz_sae();
  if (R == To::minus) v.a.rd_sae();
  if (R == To::plus) v.a.ru_sae();
  Signed ? v.a.vcvtdq2ps(d, p) : v.a.vcvtudq2ps(d, p);
}

// -0 is below 0, and a number stays beside a NaN.
template <bool Least>
void rank(Vectors& v, Value d, Value p, Value q) {
  const Value other = v.between();
  const auto ordered = [&](const Zmm& to,
                           const Zmm& from) {  // integers in the order of the numbers
    v.a.vpsrad(to, from, 31);
    v.a.vpandd(to, to, all(v, 0x7fffffff));
    v.a.vpxord(to, to, from);
  };
  for (size_t h = 0; h < 2; ++h) {
    ordered(other[0], p[h]);
    ordered(other[1], q[h]);
    Least ? v.a.vpminsd(d[h], other[0], other[1]) : v.a.vpmaxsd(d[h], other[0], other[1]);
    ordered(other[0], d[h]);
    v.a.vmovdqa64(d[h], other[0]);
    v.a.vcmpps(k1, p[h], p[h], 3);
    v.a.k(k1).vmovdqa32(d[h], q[h]);
    v.a.vcmpps(k1, q[h], q[h], 3);
    v.a.k(k1).vmovdqa32(d[h], p[h]);
  }
  v.makes_floats();
}
template <bool Least>
void extreme(Vectors& v, const Operation& o) {
  const Value p = v.in_float(o.operand[1]), q = v.in_float(o.operand[2]), d = v.out(o.operand[0]);
  rank<Least>(v, d, p, q);
  v.done();
}
void reciprocal(Vectors& v, Zmm d, Zmm p) {
  v.a.vmovdqu64(scratch, all(v, 0x3f800000));
  v.lane_ops().vdivps(d, scratch, p);
}
void root(Vectors& v, Zmm d, Zmm p) { v.lane_ops().vsqrtps(d, p); }

// ---- .ftz: a result is tiny if it is so once rounded as if exponents had no end (meaning/float.h)

template <auto F>
void flushed_one(Vectors& v, const Operation& o) {
  const Value p = v.in_float(o.operand[1]), d = v.out(o.operand[0]), a = v.between();
  for (size_t h = 0; h < 2; ++h) {
    v.half(h);
    flush(v, a[h], p[h]);
    F(v, d[h], a[h]);
    flush(v, d[h], d[h]);
  }
  v.makes_floats();
  v.done();
}
template <auto F>
void flushed_two(Vectors& v, const Operation& o) {
  const Value p = v.in_float(o.operand[1]), q = v.in_float(o.operand[2]), d = v.out(o.operand[0]),
              a = v.between(), b = v.between();
  for (size_t h = 0; h < 2; ++h) {
    v.half(h);
    flush(v, a[h], p[h]);
    flush(v, b[h], q[h]);
    F(v, d[h], a[h], b[h]);
    flush(v, d[h], d[h]);
  }
  v.makes_floats();
  v.done();
}
template <bool Least>
void flushed_extreme(Vectors& v, const Operation& o) {
  const Value p = v.in_float(o.operand[1]), q = v.in_float(o.operand[2]), d = v.out(o.operand[0]),
              a = v.between(), b = v.between();
  for (size_t h = 0; h < 2; ++h) {
    flush(v, a[h], p[h]);
    flush(v, b[h], q[h]);
  }
  rank<Least>(v, d, a, b);
  v.done();
}
void zero_if_tiny(Vectors& v, Zmm d, Zmm higher) {
  v.a.vpandd(higher, higher, all(v, 0x7fffffff));
  v.a.vcmpps(k1, higher, all(v, 0x0c800000), 17);  // 2^-102
  v.a.k(k1).vpandd(d, d, all(v, 0x80000000));
}
void mul_flushed(Vectors& v, const Operation& o) {
  const Value p = v.in_float(o.operand[1]), q = v.in_float(o.operand[2]), d = v.out(o.operand[0]),
              a = v.between(), b = v.between();
  for (size_t h = 0; h < 2; ++h) {
    flush(v, a[h], p[h]);
    flush(v, b[h], q[h]);
    v.half(h);
    v.lane_ops().vmulps(d[h], a[h], b[h]);
    v.a.vmulps(a[h], a[h], all(v, 0x4b800000));  // 2^24
    v.a.vmulps(a[h], a[h], b[h]);
    zero_if_tiny(v, d[h], a[h]);
  }
  v.makes_floats();
  v.done();
}
void fma_flushed(Vectors& v, const Operation& o) {
  const Value p = v.in_float(o.operand[1]), q = v.in_float(o.operand[2]),
              r = v.in_float(o.operand[3]), d = v.out(o.operand[0]), a = v.between(),
              b = v.between(), c = v.between();
  for (size_t h = 0; h < 2; ++h) {
    flush(v, a[h], p[h]);
    flush(v, b[h], q[h]);
    flush(v, c[h], r[h]);
    v.half(h);
    v.a.vmovdqa64(d[h], a[h]);
    v.lane_ops().vfmadd213ps(d[h], b[h], c[h]);
    v.a.vmulps(a[h], a[h], all(v, 0x4b800000));
    v.a.vmulps(c[h], c[h], all(v, 0x4b800000));
    v.a.vfmadd213ps(a[h], b[h], c[h]);
    zero_if_tiny(v, d[h], a[h]);
  }
  v.makes_floats();
  v.done();
}

// ---- to integers: NaN is 0, what lies outside is the nearest that is one

constexpr int nearest = 0, down = 1, up = 2, cut = 3;
template <int R>
void to_signed(Vectors& v, Zmm d, Zmm p) {
  v.a.vrndscaleps(scratch, p, R | 8);
  v.a.vcvttps2dq(d, scratch);
  v.a.vcmpps(k1, p, all(v, 0x4f000000), 29);  // 2^31 and above
  v.a.k(k1).vmovdqu32(d, all(v, 0x7fffffff));
  v.a.vcmpps(k1, p, p, 7);
  v.a.k(k1).z().vmovdqa32(d, d);
}
template <int R>
void to_unsigned(Vectors& v, Zmm d, Zmm p) {
  v.a.vrndscaleps(scratch, p, R | 8);
  v.a.vcvttps2udq(d, scratch);
  v.a.vpxord(scratch, scratch, scratch);
  v.a.vcmpps(k1, p, scratch, 30);  // above 0
  v.a.k(k1).z().vmovdqa32(d, d);
}
template <int R>
void whole(Vectors& v, Zmm d, Zmm p) {
  v.a.vrndscaleps(d, p, R | 8);
}

constexpr Meaning float_table[] = {
    {"add.f32", 3, two_floats<add_float>},
    {"sub.f32", 3, two_floats<sub_float>},
    {"mul.f32", 3, two_floats<mul_float>},
    {"fma.rn.f32", 4, fma_float},
    {"cvt.rn.f32.s32", 2, one<float_of<To::nearest, true>>},
    {"cvt.rz.f32.s32", 2, one<float_of<To::zero, true>>},
    {"cvt.rm.f32.s32", 2, one<float_of<To::minus, true>>},
    {"cvt.rp.f32.s32", 2, one<float_of<To::plus, true>>},
    {"cvt.rn.f32.u32", 2, one<float_of<To::nearest, false>>},
    {"cvt.rz.f32.u32", 2, one<float_of<To::zero, false>>},
    {"cvt.rm.f32.u32", 2, one<float_of<To::minus, false>>},
    {"cvt.rp.f32.u32", 2, one<float_of<To::plus, false>>},
    {"min.f32", 3, extreme<true>},
    {"max.f32", 3, extreme<false>},
    {"rcp.approx.f32", 2, one_float<reciprocal>},
    {"sqrt.approx.f32", 2, one_float<root>},
    {"rcp.approx.ftz.f32", 2, flushed_one<reciprocal>},
    {"sqrt.approx.ftz.f32", 2, flushed_one<root>},
    {"add.ftz.f32", 3, flushed_two<add_float>},
    {"sub.ftz.f32", 3, flushed_two<sub_float>},
    {"mul.ftz.f32", 3, mul_flushed},
    {"fma.rn.ftz.f32", 4, fma_flushed},
    {"min.ftz.f32", 3, flushed_extreme<true>},
    {"max.ftz.f32", 3, flushed_extreme<false>},
    {"cvt.rni.s32.f32", 2, of_float<to_signed<nearest>>},
    {"cvt.rzi.s32.f32", 2, of_float<to_signed<cut>>},
    {"cvt.rmi.s32.f32", 2, of_float<to_signed<down>>},
    {"cvt.rpi.s32.f32", 2, of_float<to_signed<up>>},
    {"cvt.rni.ftz.s32.f32", 2, of_float<to_signed<nearest>>},
    {"cvt.rzi.ftz.s32.f32", 2, of_float<to_signed<cut>>},
    {"cvt.rni.u32.f32", 2, of_float<to_unsigned<nearest>>},
    {"cvt.rzi.u32.f32", 2, of_float<to_unsigned<cut>>},
    {"cvt.rmi.u32.f32", 2, of_float<to_unsigned<down>>},
    {"cvt.rpi.u32.f32", 2, of_float<to_unsigned<up>>},
    {"cvt.rni.ftz.u32.f32", 2, of_float<to_unsigned<nearest>>},
    {"cvt.rzi.ftz.u32.f32", 2, of_float<to_unsigned<cut>>},
    {"cvt.rni.f32.f32", 2, one_float<whole<nearest>>},
    {"cvt.rzi.f32.f32", 2, one_float<whole<cut>>},
    {"cvt.rmi.f32.f32", 2, one_float<whole<down>>},
    {"cvt.rpi.f32.f32", 2, one_float<whole<up>>},
};

}  // namespace

std::span<const Meaning> floats() { return float_table; }

}  // namespace headroom::sim::compiled
