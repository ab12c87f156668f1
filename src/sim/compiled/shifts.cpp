// Shifts of one word and of two, and bytes of two words in another order.
#include "sim/compiled/emit.h"

namespace headroom::sim::compiled {
namespace {

void shift_left(Vectors& v, Zmm d, Zmm p, Zmm n) { v.a.vpsllvd(d, p, n); }
void shift_right(Vectors& v, Zmm d, Zmm p, Zmm n) { v.a.vpsrlvd(d, p, n); }
void shift_signed(Vectors& v, Zmm d, Zmm p, Zmm n) { v.a.vpsravd(d, p, n); }

// A word shifted by `n`, to the left with what comes over from the low word, or to the right with that of
// the high one, which is shifted back by 32 − n. `other` may be n.
enum class From { low, high };
template <From Over>
void shift_over(Vectors& v, Zmm d, Zmm own, Zmm over, Zmm n, Zmm other) {
  constexpr bool left = Over == From::low;
  v.a.vmovdqu64(scratch, all(v, 32));
  v.a.vpsubd(scratch, scratch, n);
  left ? v.a.vpsrlvd(d, over, scratch) : v.a.vpsllvd(d, over, scratch);
  left ? v.a.vpsllvd(other, own, n) : v.a.vpsrlvd(other, own, n);
  v.a.vpord(d, d, other);
}

enum class Amount { wraps, clamps };
template <From Over, Amount A>
void narrow(Vectors& v, Value d, Value low, Value n, Value high) {
  const Value by = v.between(), own = Over == From::low ? high : low,
              over = Over == From::low ? low : high;
  for (size_t h = 0; h < 2; ++h) {
    if (A == Amount::wraps && low[h] == high[h]) {
      Over == From::low ? v.a.vprolvd(d[h], low[h], n[h]) : v.a.vprorvd(d[h], low[h], n[h]);
      continue;
    }
    A == Amount::wraps ? v.a.vpandd(by[h], n[h], all(v, 31)) : v.a.vpminud(by[h], n[h], all(v, 32));
    shift_over<Over>(v, d[h], own[h], over[h], by[h], by[h]);
  }
}
// Of 64 bits: from 32 on it is the other word alone, by n − 32.
template <From Over, auto Shift>
void wide(Vectors& v, Value d, Value low, Value n, Value high) {
  const Value by = v.between(), own = Over == From::low ? high : low,
              over = Over == From::low ? low : high;
  for (size_t h = 0; h < 2; ++h) {
    shift_over<Over>(v, d[h], own[h], over[h], n[h], by[h]);
    v.a.vpcmpud(k1, n[h], all(v, 32), 5);
    v.a.vpsubd(by[h], n[h], all(v, 32));
    v.a.k(k1);
    Shift(v, d[h], over[h], by[h]);
  }
}
// Rows of machine code have {low, n, high}, those of PTX {low, high, n}.
template <auto F, int N = 2, int High = 3>
void funnel(Vectors& v, const Operation& o) {
  const Value low = v.in(o.operand[1]), n = v.in(o.operand[N]), high = v.in(o.operand[High]),
              d = v.out(o.operand[0]);
  F(v, d, low, n, high);
  v.done();
}
// LEA.HI: the upper word by less than 32, {low, high, n}.
void shifted_high(Vectors& v, const Operation& o) {
  const Value low = v.in(o.operand[1]), high = v.in(o.operand[2]), n = v.in(o.operand[3]),
              d = v.out(o.operand[0]), other = v.between();
  for (size_t h = 0; h < 2; ++h) {
    shift_over<From::low>(v, d[h], high[h], low[h], n[h], other[h]);
  }
  v.done();
}
// Where only one of the words is in the result.
template <auto F, int Word>
void half_of_funnel(Vectors& v, const Operation& o) {
  const Value p = v.in(o.operand[Word]), n = v.in(o.operand[2]), d = v.out(o.operand[0]);
  for (size_t h = 0; h < 2; ++h) F(v, d[h], p[h], n[h]);
  v.done();
}

// ---- bytes of {b, a} by the four low digits of a selector; 8 and more: their signs

void permute(Vectors& v, const Operation& o) {
  static constexpr std::array<uint32_t, 16> places = {
      0x00000000, 0x04040404, 0x08080808, 0x0c0c0c0c, 0x00000000, 0x04040404,
      0x08080808, 0x0c0c0c0c, 0x00000000, 0x04040404, 0x08080808, 0x0c0c0c0c,
      0x00000000, 0x04040404, 0x08080808, 0x0c0c0c0c};
  const Value p = v.in(o.operand[1]), q = v.in(o.operand[2]), selector = v.in(o.operand[3]),
              d = v.out(o.operand[0]), digits = v.between(), other = v.between();
  for (size_t h = 0; h < 2; ++h) {
    const Zmm& digit = digits[h];  // one a byte
    v.a.vpandd(digit, selector[h], all(v, 0xffff));
    v.a.vpslld(scratch, digit, 8);
    v.a.vpord(digit, digit, scratch);
    v.a.vpandd(digit, digit, all(v, 0x00ff00ff));
    v.a.vpslld(scratch, digit, 4);
    v.a.vpord(digit, digit, scratch);
    v.a.vpandd(digit, digit, all(v, 0x0f0f0f0f));
    v.a.vpandd(scratch, digit, all(v, 0x03030303));
    v.a.vpord(scratch, scratch, v.table(places));
    v.a.vpshufb(other[h], p[h], scratch);
    v.a.vpshufb(d[h], q[h], scratch);
    v.a.vptestmb(k1, digit, all(v, 0x04040404));
    v.a.k(k1).vpblendmb(d[h], other[h], d[h]);
    v.a.vpmovb2m(k1, d[h]);
    v.a.vpmovm2b(other[h], k1);
    v.a.vptestmb(k1, digit, all(v, 0x08080808));
    v.a.k(k1).vpblendmb(d[h], d[h], other[h]);
  }
  v.done();
}

constexpr Meaning shift_table[] = {
    {"shl.b32", 3, two<shift_left>},
    {"shr.u32", 3, two<shift_right>},
    {"shr.b32", 3, two<shift_right>},
    {"shr.s32", 3, two<shift_signed>},
    {"shf.l.wrap.b32", 4, funnel<narrow<From::low, Amount::wraps>, 3, 2>},
    {"shf.r.wrap.b32", 4, funnel<narrow<From::high, Amount::wraps>, 3, 2>},
    {"shf.l.clamp.b32", 4, funnel<narrow<From::low, Amount::clamps>, 3, 2>},
    {"shf.r.clamp.b32", 4, funnel<narrow<From::high, Amount::clamps>, 3, 2>},
    {"!shf0", 4, half_of_funnel<shift_left, 1>},
    {"!shf8", 4, half_of_funnel<shift_left, 1>},
    {"!shf17", 4, half_of_funnel<shift_right, 3>},
    {"!shf25", 4, half_of_funnel<shift_right, 3>},
    {"!shf21", 4, half_of_funnel<shift_signed, 3>},
    {"!shf29", 4, half_of_funnel<shift_signed, 3>},
    {"!shf18", 4, funnel<narrow<From::low, Amount::wraps>>},
    {"!shf3", 4, funnel<narrow<From::high, Amount::wraps>>},
    {"!shf16", 4, funnel<narrow<From::low, Amount::clamps>>},
    {"!shf1", 4, funnel<narrow<From::high, Amount::clamps>>},
    {"!shf24", 4, funnel<wide<From::low, shift_left>>},
    {"!shf9", 4, funnel<wide<From::high, shift_right>>},
    {"!shf13", 4, funnel<wide<From::high, shift_signed>>},
    {"!shifted_high", 4, shifted_high},
    {"prmt.b32", 4, permute},
};

}  // namespace

std::span<const Meaning> shifts() { return shift_table; }

}  // namespace headroom::sim::compiled
