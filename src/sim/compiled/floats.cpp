// Floats of 32 bits: every NaN that they make is one.
#include "sim/compiled/emit.h"

namespace headroom::sim::compiled {
namespace {

void canonical(Vectors& v, Zmm d) {
  const Zmm& nan = v.quiet_nan();
  v.a.vcmpps(k1, d, d, 3);
  v.a.k(k1).vmovdqa32(d, nan);
}
void add_float(Vectors& v, Zmm d, Zmm p, Zmm q) {
  v.a.vaddps(d, p, q);
  canonical(v, d);
}
void sub_float(Vectors& v, Zmm d, Zmm p, Zmm q) {
  v.a.vsubps(d, p, q);
  canonical(v, d);
}
void mul_float(Vectors& v, Zmm d, Zmm p, Zmm q) {
  v.a.vmulps(d, p, q);
  canonical(v, d);
}
void fma_float(Vectors& v, const Operation& o) {
  const bool sums = o.operand[0] == o.operand[3], scales = !sums && o.operand[0] == o.operand[1];
  const Value p = v.in(o.operand[1]), q = v.in(o.operand[2]), r = v.in(o.operand[3]),
              d = sums || scales ? v.change(o.operand[0]) : v.out(o.operand[0]);
  for (size_t h = 0; h < 2; ++h) {
    if (sums) {
      v.a.vfmadd231ps(d[h], p[h], q[h]);
    } else {
      if (!scales) v.a.vmovdqa64(d[h], p[h]);
      v.a.vfmadd213ps(d[h], q[h], r[h]);
    }
    canonical(v, d[h]);
  }
  v.done();
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

constexpr Meaning float_table[] = {
    {"add.f32", 3, two<add_float>},
    {"sub.f32", 3, two<sub_float>},
    {"mul.f32", 3, two<mul_float>},
    {"fma.rn.f32", 4, fma_float},
    {"cvt.rn.f32.s32", 2, one<float_of<To::nearest, true>>},
    {"cvt.rz.f32.s32", 2, one<float_of<To::zero, true>>},
    {"cvt.rm.f32.s32", 2, one<float_of<To::minus, true>>},
    {"cvt.rp.f32.s32", 2, one<float_of<To::plus, true>>},
    {"cvt.rn.f32.u32", 2, one<float_of<To::nearest, false>>},
    {"cvt.rz.f32.u32", 2, one<float_of<To::zero, false>>},
    {"cvt.rm.f32.u32", 2, one<float_of<To::minus, false>>},
    {"cvt.rp.f32.u32", 2, one<float_of<To::plus, false>>},
};

}  // namespace

std::span<const Meaning> floats() { return float_table; }

}  // namespace headroom::sim::compiled
