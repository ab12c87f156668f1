// Floats of 64 bits, eight lanes after the other: in pairs of registers, which are joined and parted again, and
// values of 8 bytes a lane, which stay in memory. A NaN is handed on: b's, then c's, then a's.
#include "sim/compiled/emit.h"

namespace headroom::sim::compiled {
namespace {

void hand_on(Vectors& v, Zmm d, Zmm from) {
  v.a.vcmppd(k1, from, from, 3);
  v.a.k(k1).vporq(d, from, all64(v, uint64_t(1) << 51));
}
// The host hands on the NaN of the first, if there are two.
void add_doubles(Vectors& v, Zmm d, Zmm a, Zmm b, Zmm) { v.part_ops().vaddpd(d, b, a); }
void mul_doubles(Vectors& v, Zmm d, Zmm a, Zmm b, Zmm) { v.part_ops().vmulpd(d, b, a); }
void sub_doubles(Vectors& v, Zmm d, Zmm a, Zmm b, Zmm) {
  v.part_ops().vsubpd(d, a, b);
  hand_on(v, d, b);
}
void plain_fma(Vectors& v, Zmm d, Zmm a, Zmm b, Zmm c) {
  v.a.vmovdqa64(d, a);
  v.part_ops().vfmadd213pd(d, b, c);
}
void fma_doubles(Vectors& v, Zmm d, Zmm a, Zmm b, Zmm c) {
  plain_fma(v, d, a, b, c);
  hand_on(v, d, c);
  hand_on(v, d, b);
}
// Signs: a NaN keeps its own. b: what is kept, c: what is flipped.
void change_sign(Vectors& v, Zmm d, Zmm a, Zmm b, Zmm c) {
  v.a.vpandq(d, a, b);
  v.a.vpxorq(d, d, c);
  v.a.vcmppd(k1, a, a, 3);
  v.a.k(k1).vmovdqa64(d, a);
}

// ---- pairs of registers

// Lanes 8 part … 8 part + 7 of a pair.
void join_lanes(Vectors& v, Zmm d, Value low, Value high, int part) {
  const size_t h = size_t(part / 2);
  v.a.vmovdqu64(d, v.table(part % 2 ? woven_high : woven_low));
  v.a.vpermi2d(d, low[h], high[h]);
}
struct Pair {
  Value low, high;
};
Pair pair_at(Vectors& v, uint32_t operand) {
  return {v.in(operand), v.in(operand + next_register)};
}

template <auto F>
void pairs(Vectors& v, const Operation& o) {
  const Vectors::Doubles p = v.doubles_in(o.operand[1]), q = v.doubles_in(o.operand[2]),
                         d = v.doubles_out();
  for (size_t h = 0; h < 2; ++h)
    for (size_t i = 0; i < 2; ++i) F(v, d[h][i], p[h][i], q[h][i], q[h][i]);
  v.made(o.operand[0], d);
}
// Which NaN it hands on is looked at where there is one.
void fma_pairs(Vectors& v, const Operation& o) {
  const Vectors::Doubles p = v.doubles_in(o.operand[1]), q = v.doubles_in(o.operand[2]),
                         r = v.doubles_in(o.operand[3]), d = v.doubles_out();
  const asmjit::Label sure = v.a.newLabel();
  for (size_t h = 0; h < 2; ++h)
    for (size_t i = 0; i < 2; ++i) plain_fma(v, d[h][i], p[h][i], q[h][i], r[h][i]);
  v.a.vcmppd(k1, d[0][0], d[0][1], 3);
  v.a.vcmppd(k2, d[1][0], d[1][1], 3);
  v.a.kortestw(k1, k2);
  v.a.jz(sure);
  for (size_t h = 0; h < 2; ++h)
    for (size_t i = 0; i < 2; ++i) {
      hand_on(v, d[h][i], r[h][i]);
      hand_on(v, d[h][i], q[h][i]);
    }
  v.a.bind(sure);
  v.made(o.operand[0], d);
}
template <int Predicate>
void compare_pairs(Vectors& v, const Operation& o) {
  const Pair p = pair_at(v, o.operand[1]), q = pair_at(v, o.operand[2]);
  const Value made = v.between();
  const x86::KReg to[] = {k3, k4};
  for (int part = 0; part < 4; ++part) {
    join_lanes(v, made[0], p.low, p.high, part);
    join_lanes(v, made[1], q.low, q.high, part);
    v.a.vcmppd(part % 2 ? k2 : k1, made[0], made[1], Predicate);
    if (part % 2) v.a.kunpckbw(to[part / 2], k2, k1);
  }
  v.store(o.operand[0], k3, k4);
  v.done();
}

// ---- values of 8 bytes a lane

template <auto F, int N>
void wide_doubles(Vectors& v, const Operation& o) {
  for (int i = 1; i <= N; ++i) v.reads(o.operand[i], 8 * lanes);
  const Value ab = v.between(), c = v.between();
  const Zmm source[] = {ab[0], ab[1], c[0]};
  v.overwrites(o.operand[0], 8 * lanes);
  for (int part = 0; part < 4; ++part) {
    for (int i = 0; i < N; ++i) v.a.vmovdqu64(source[i], v.memory(o.operand[i + 1], 64 * part, 64));
    v.part(part);
    F(v, scratch, source[0], source[1], source[2]);
    v.store_wide(o.operand[0], part, scratch);
  }
  v.done();
}
template <int Predicate>
void compare_wide(Vectors& v, const Operation& o) {
  v.reads(o.operand[1], 8 * lanes);
  v.reads(o.operand[2], 8 * lanes);
  const x86::KReg to[] = {k3, k4};
  for (int part = 0; part < 4; ++part) {
    v.a.vmovdqu64(scratch, v.memory(o.operand[1], 64 * part, 64));
    v.a.vcmppd(part % 2 ? k2 : k1, scratch, v.memory(o.operand[2], 64 * part, 64), Predicate);
    if (part % 2) v.a.kunpckbw(to[part / 2], k2, k1);
  }
  v.store(o.operand[0], k3, k4);
}
enum class Source { f32, s32, u32 };
template <Source F>
void widen_to_doubles(Vectors& v, const Operation& o) {
  const Value p = v.in(o.operand[1]), half = v.between();
  v.overwrites(o.operand[0], 8 * lanes);
  for (int part = 0; part < 4; ++part) {
    const Zmm& from = p[size_t(part / 2)];
    const x86::Ymm lower = half[0].ymm();
    part % 2 ? v.a.vextracti64x4(lower, from, 1) : v.a.vmovdqa64(lower, from.ymm());
    v.part(part);
    if (F == Source::f32) v.part_ops().vcvtps2pd(scratch, lower);
    if (F == Source::s32) v.a.vcvtdq2pd(scratch, lower);
    if (F == Source::u32) v.a.vcvtudq2pd(scratch, lower);
    v.store_wide(o.operand[0], part, scratch);
  }
  v.done();
}
void narrow_to_floats(Vectors& v, const Operation& o) {
  v.reads(o.operand[1], 8 * lanes);
  const Value d = v.out(o.operand[0]);
  for (int h = 0; h < 2; ++h) {
    const Zmm& to = d[size_t(h)];
    v.part(2 * h);
    v.part_ops().vcvtpd2ps(to.ymm(), v.memory(o.operand[1], 128 * h, 64));
    v.part(2 * h + 1);
    v.part_ops().vcvtpd2ps(scratch.ymm(), v.memory(o.operand[1], 128 * h + 64, 64));
    v.a.vinserti64x4(to, to, scratch.ymm(), 1);
  }
  v.done();
}

constexpr Meaning double_table[] = {
    {"!pairs:add.rn.f64", 3, pairs<add_doubles>},
    {"!pairs:mul.rn.f64", 3, pairs<mul_doubles>},
    {"!pairs:fma.rn.f64", 4, fma_pairs},
    {"!pairs:setp.lt.f64", 3, compare_pairs<17>},
    {"!pairs:setp.le.f64", 3, compare_pairs<18>},
    {"!pairs:setp.gt.f64", 3, compare_pairs<30>},
    {"!pairs:setp.ge.f64", 3, compare_pairs<29>},
    {"!pairs:setp.eq.f64", 3, compare_pairs<0>},
    {"!pairs:setp.neu.f64", 3, compare_pairs<4>},
    {"!signed64", 4, wide_doubles<change_sign, 3>},
    {"add.f64", 3, wide_doubles<add_doubles, 2>},
    {"sub.f64", 3, wide_doubles<sub_doubles, 2>},
    {"mul.f64", 3, wide_doubles<mul_doubles, 2>},
    {"add.rn.f64", 3, wide_doubles<add_doubles, 2>},
    {"sub.rn.f64", 3, wide_doubles<sub_doubles, 2>},
    {"mul.rn.f64", 3, wide_doubles<mul_doubles, 2>},
    {"fma.rn.f64", 4, wide_doubles<fma_doubles, 3>},
    {"setp.lt.f64", 3, compare_wide<17>},
    {"setp.le.f64", 3, compare_wide<18>},
    {"setp.gt.f64", 3, compare_wide<30>},
    {"setp.ge.f64", 3, compare_wide<29>},
    {"setp.eq.f64", 3, compare_wide<0>},
    {"setp.ne.f64", 3, compare_wide<12>},
    {"setp.neu.f64", 3, compare_wide<4>},
    {"cvt.f64.f32", 2, widen_to_doubles<Source::f32>},
    {"cvt.rn.f64.s32", 2, widen_to_doubles<Source::s32>},
    {"cvt.rn.f64.u32", 2, widen_to_doubles<Source::u32>},
    {"cvt.rn.f32.f64", 2, narrow_to_floats},
};

}  // namespace

std::span<const Meaning> doubles() { return double_table; }

}  // namespace headroom::sim::compiled
