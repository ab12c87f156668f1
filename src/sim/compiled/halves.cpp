// Halves, two a word: computed in 32 bits, sixteen halves at a time, and rounded once more. Their one NaN is 0x7fff.
#include "sim/compiled/emit.h"

namespace headroom::sim::compiled {
namespace {

// Halves 16 part … 16 part + 15 of a vector as floats, and back.
void widen_halves(Vectors& v, Zmm d, Zmm p, int part) {
  if (part) {
    v.a.vextracti64x4(d.ymm(), p, 1);
    v.a.vcvtph2ps(d, d.ymm());
  } else {
    v.a.vcvtph2ps(d, p.ymm());
  }
}
void shorten_halves(Vectors& v, Zmm d, Zmm from, Zmm room, int part) {
  canonical(v, from);
  v.a.vcvtps2ph(room.ymm(), from, 0);
  part ? v.a.vinserti64x4(d, d, room.ymm(), 1) : v.a.vmovdqa64(d.ymm(), room.ymm());
}
void add_halves(Vectors& v, Zmm a, Zmm b) { v.a.vaddps(a, a, b); }
void sub_halves(Vectors& v, Zmm a, Zmm b) { v.a.vsubps(a, a, b); }
void mul_halves(Vectors& v, Zmm a, Zmm b) { v.a.vmulps(a, a, b); }

template <auto F>
void two_halves(Vectors& v, const Operation& o) {
  const Value p = v.in(o.operand[1]), q = v.in(o.operand[2]), d = v.out(o.operand[0]),
              t = v.between();
  for (size_t h = 0; h < 2; ++h)
    for (int part = 0; part < 2; ++part) {
      widen_halves(v, t[0], p[h], part);
      widen_halves(v, t[1], q[h], part);
      F(v, t[0], t[1]);
      shorten_halves(v, d[h], t[0], t[1], part);
    }
  v.done();
}
// The product is exact; the sum is rounded to odd (meaning/round.h), so that it can be rounded again.
void fma_halves(Vectors& v, const Operation& o) {
  const Value p = v.in(o.operand[1]), q = v.in(o.operand[2]), r = v.in(o.operand[3]),
              d = v.out(o.operand[0]), t = v.between(), u = v.between();
  const Zmm &product = t[0], &c = t[1], &sum = u[0], &other = u[1];
  for (size_t h = 0; h < 2; ++h)
    for (int part = 0; part < 2; ++part) {
      widen_halves(v, product, p[h], part);
      widen_halves(v, c, q[h], part);
      v.a.vmulps(product, product, c);
      widen_halves(v, c, r[h], part);
      v.a.vaddps(sum, product, c);
      v.a.vsubps(other, sum, product);  // what c gave
      v.a.vsubps(c, c, other);
      v.a.vsubps(other, sum, other);
      v.a.vsubps(product, product, other);
      v.a.vaddps(product, product, c);  // the error
      // One step to odd, away from zero where the error has the sum's sign.
      v.a.vptestnmd(k1, sum, all(v, 1));
      v.a.vpxord(other, other, other);
      v.a.k(k1).vcmpps(k1, product, other, 12);  // some error, and no NaN
      v.a.vpxord(other, product, sum);
      v.a.vpsrad(other, other, 31);  // -1 where the signs differ
      v.a.vpord(other, other, all(v, 1));
      v.a.k(k1).vpaddd(sum, sum, other);
      shorten_halves(v, d[h], sum, other, part);
    }
  v.done();
}
void low_twice(Vectors& v, Zmm d, Zmm p) {
  v.a.vpslld(scratch, p, 16);
  v.a.vpandd(d, p, all(v, 0xffff));
  v.a.vpord(d, d, scratch);
}
void high_twice(Vectors& v, Zmm d, Zmm p) {
  v.a.vpsrld(scratch, p, 16);
  v.a.vpandd(d, p, all(v, 0xffff0000));
  v.a.vpord(d, d, scratch);
}
template <bool High>
void widen_one(Vectors& v, Zmm d, Zmm p) {
  if (High) v.a.vpsrld(scratch, p, 16);
  v.a.vpmovdw(d.ymm(), High ? scratch : p);
  v.a.vcvtph2ps(d, d.ymm());
  canonical(v, d);
}
void pack_halves(Vectors& v, const Operation& o) {  // {d, high, low} of f32
  const Value p = v.in_float(o.operand[1]), q = v.in_float(o.operand[2]), d = v.out(o.operand[0]),
              t = v.between();
  for (size_t h = 0; h < 2; ++h) {
    for (size_t i = 0; i < 2; ++i) {
      v.a.vmovdqa64(t[i], i ? q[h] : p[h]);
      canonical(v, t[i]);
      v.a.vcvtps2ph(t[i].ymm(), t[i], 0);
      v.a.vpmovzxwd(t[i], t[i].ymm());
    }
    v.a.vpslld(d[h], t[0], 16);
    v.a.vpord(d[h], d[h], t[1]);
  }
  v.done();
}

constexpr Meaning half_table[] = {
    {"add.f16x2", 3, two_halves<add_halves>}, {"sub.f16x2", 3, two_halves<sub_halves>},
    {"mul.f16x2", 3, two_halves<mul_halves>}, {"fma.rn.f16x2", 4, fma_halves},
    {"!low_twice", 2, one<low_twice>},        {"!high_twice", 2, one<high_twice>},
    {"!widen_low", 2, one<widen_one<false>>}, {"!widen_high", 2, one<widen_one<true>>},
    {"cvt.rn.f16x2.f32", 3, pack_halves},
};

}  // namespace

std::span<const Meaning> halves() { return half_table; }

}  // namespace headroom::sim::compiled
