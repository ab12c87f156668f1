// Predicates, which stay in memory: comparisons, choices, logic.
#include <cstddef>

#include "sim/compiled/emit.h"

namespace headroom::sim::compiled {
namespace {

enum class Sort { signed_, unsigned_, floating };
template <Sort S, int Predicate>
void compare(Vectors& v, const Operation& o) {
  const auto in = S == Sort::floating ? &Vectors::in_float : &Vectors::in;
  const Value p = (v.*in)(o.operand[1]), q = (v.*in)(o.operand[2]);
  const x86::KReg to[] = {k1, k2};
  for (size_t h = 0; h < 2; ++h) {
    if (S == Sort::signed_) v.a.vpcmpd(to[h], p[h], q[h], Predicate);
    if (S == Sort::unsigned_) v.a.vpcmpud(to[h], p[h], q[h], Predicate);
    if (S == Sort::floating) v.a.vcmpps(to[h], p[h], q[h], Predicate);
  }
  v.store(o.operand[0], k1, k2);
  v.done();
}
void nonzero(Vectors& v, const Operation& o) {
  const Value p = v.in(o.operand[1]);
  v.a.vptestmd(k1, p[0], p[0]);
  v.a.vptestmd(k2, p[1], p[1]);
  v.store(o.operand[0], k1, k2);
  v.done();
}
void sign(Vectors& v, const Operation& o) {
  const Value p = v.in(o.operand[1]);
  v.a.vpmovd2m(k1, p[0]);
  v.a.vpmovd2m(k2, p[1]);
  v.store(o.operand[0], k1, k2);
  v.done();
}
void choose(Vectors& v, const Operation& o) {  // {d, where it holds, else, p}
  const Value p = v.in(o.operand[1]), q = v.in(o.operand[2]), d = v.out(o.operand[0]);
  for (size_t h = 0; h < 2; ++h) {
    v.load(k1, o.operand[3], int(h));
    v.a.k(k1).vpblendmd(d[h], q[h], p[h]);
  }
  v.done();
}
// FCHK (meaning/approx.h): the exponents of a and b, and their difference, lie in three ranges, or it is hard.
void fchk(Vectors& v, const Operation& o) {
  const Value p = v.in(o.operand[1]), q = v.in(o.operand[2]), t = v.between();
  const x86::KReg to[] = {k1, k2};
  for (size_t h = 0; h < 2; ++h) {
    const auto exponent = [&](const Zmm& into, const Zmm& from) {
      v.a.vpslld(into, from, 1);
      v.a.vpsrld(into, into, 24);
    };
    exponent(t[0], p[h]);
    exponent(t[1], q[h]);
    v.a.vpsubd(scratch, t[0], all(v, 25));
    v.a.vpcmpud(k3, scratch, all(v, 230), 1);
    v.a.vpsubd(scratch, t[1], all(v, 1));
    v.a.k(k3).vpcmpud(k3, scratch, all(v, 252), 1);
    v.a.vpsubd(scratch, t[0], t[1]);
    v.a.vpaddd(scratch, scratch, all(v, 124));
    v.a.k(k3).vpcmpud(k3, scratch, all(v, 249), 1);
    v.a.knotw(to[h], k3);
  }
  v.store(o.operand[0], k1, k2);
  v.done();
}
// BSSY: the lanes that run are those that the barrier will wait for.
void begin_region(Vectors& v, const Operation& o) {
  const Value d = v.out(o.operand[0]);
  if (is_uniform(o))
    v.a.mov(x86::ecx, -1);
  else if (v.masked() && v.guarded())
    v.a.mov(x86::ecx, guarded_lanes);
  else
    v.a.mov(x86::ecx, x86::ptr_32(warp_register, offsetof(Warp, mask)));
  for (size_t h = 0; h < 2; ++h) v.a.vpbroadcastd(d[h], x86::ecx);
  v.done();
}
enum class Logic { and_, or_, xor_, not_, copy };
template <Logic L>
void predicate(Vectors& v, const Operation& o) {
  const bool two = L == Logic::and_ || L == Logic::or_ || L == Logic::xor_;
  v.reads(o.operand[1], 4);
  if (two) v.reads(o.operand[2], 4);
  v.a.mov(x86::ecx, v.memory(o.operand[1], 0, 4));
  if (L == Logic::and_) v.a.and_(x86::ecx, v.memory(o.operand[2], 0, 4));
  if (L == Logic::or_) v.a.or_(x86::ecx, v.memory(o.operand[2], 0, 4));
  if (L == Logic::xor_) v.a.xor_(x86::ecx, v.memory(o.operand[2], 0, 4));
  if (L == Logic::not_) v.a.not_(x86::ecx);
  v.store_word(o.operand[0]);
}
void predicates3(Vectors& v, const Operation& o) {
  for (const int i : {1, 2, 3}) v.reads(o.operand[i], 4);
  const Value third =
      v.between();  // first: doubles that make room for it go to memory by way of xmm30
  const x86::Xmm word = x86::xmm30, other = x86::xmm31;  // the NaN is lost
  v.forget_nan();
  v.a.vmovd(word, v.memory(o.operand[1], 0, 4));
  v.a.vmovd(other, v.memory(o.operand[2], 0, 4));
  v.a.mov(x86::ecx, v.memory(o.operand[3], 0, 4));
  v.a.vmovd(third[0].xmm(), x86::ecx);
  v.a.vpternlogd(word, other, third[0].xmm(), uint8_t(o.offset));
  v.a.vmovd(x86::ecx, word);
  v.store_word(o.operand[0]);
  v.done();
}

constexpr int eq = 0, lt = 1, le = 2, ne = 4, ge = 5, gt = 6;  // of integers

constexpr Sort S = Sort::signed_, U = Sort::unsigned_, F = Sort::floating;

constexpr Meaning predicate_table[] = {
    {"setp.eq.s32", 3, compare<S, eq>},
    {"setp.ne.s32", 3, compare<S, ne>},
    {"setp.lt.s32", 3, compare<S, lt>},
    {"setp.le.s32", 3, compare<S, le>},
    {"setp.gt.s32", 3, compare<S, gt>},
    {"setp.ge.s32", 3, compare<S, ge>},
    {"setp.eq.u32", 3, compare<U, eq>},
    {"setp.ne.u32", 3, compare<U, ne>},
    {"setp.lt.u32", 3, compare<U, lt>},
    {"setp.le.u32", 3, compare<U, le>},
    {"setp.gt.u32", 3, compare<U, gt>},
    {"setp.ge.u32", 3, compare<U, ge>},
    {"setp.eq.b32", 3, compare<U, eq>},
    {"setp.ne.b32", 3, compare<U, ne>},
    {"setp.eq.f32", 3, compare<F, 0>},
    {"setp.ne.f32", 3, compare<F, 12>},
    {"setp.lt.f32", 3, compare<F, 17>},
    {"setp.le.f32", 3, compare<F, 18>},
    {"setp.gt.f32", 3, compare<F, 30>},
    {"setp.ge.f32", 3, compare<F, 29>},
    {"setp.equ.f32", 3, compare<F, 8>},
    {"setp.neu.f32", 3, compare<F, 4>},
    {"setp.ltu.f32", 3, compare<F, 25>},
    {"setp.leu.f32", 3, compare<F, 26>},
    {"setp.gtu.f32", 3, compare<F, 22>},
    {"setp.geu.f32", 3, compare<F, 21>},
    {"setp.num.f32", 3, compare<F, 7>},
    {"setp.nan.f32", 3, compare<F, 3>},
    {"!nonzero", 2, nonzero},
    {"!sign", 2, sign},
    {"!fchk", 3, fchk},
    {"!select4", 4, choose},
    {"selp.b32", 4, choose},
    {"selp.u32", 4, choose},
    {"selp.s32", 4, choose},
    {"selp.f32", 4, choose},
    {"and.pred", 3, predicate<Logic::and_>},
    {"or.pred", 3, predicate<Logic::or_>},
    {"xor.pred", 3, predicate<Logic::xor_>},
    {"not.pred", 2, predicate<Logic::not_>},
    {"mov.pred", 2, predicate<Logic::copy>},
    {"!plop3", 4, predicates3},
    {"!bssy", 1, begin_region},
};

}  // namespace

std::span<const Meaning> predicates() { return predicate_table; }

}  // namespace headroom::sim::compiled
