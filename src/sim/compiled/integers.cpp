// Integers and bits: sums, products, logic, shifts of one word, sums of three, pairs of registers.
#include "sim/compiled/emit.h"

namespace headroom::sim::compiled {
namespace {

void copy(Vectors& v, Zmm d, Zmm p) { v.a.vmovdqa64(d, p); }
void add(Vectors& v, Zmm d, Zmm p, Zmm q) { v.a.vpaddd(d, p, q); }
void sub(Vectors& v, Zmm d, Zmm p, Zmm q) { v.a.vpsubd(d, p, q); }
void mul(Vectors& v, Zmm d, Zmm p, Zmm q) { v.a.vpmulld(d, p, q); }
void mad(Vectors& v, Zmm d, Zmm p, Zmm q, Zmm r) {
  v.a.vpmulld(d, p, q);
  v.a.vpaddd(d, d, r);
}
void min_signed(Vectors& v, Zmm d, Zmm p, Zmm q) { v.a.vpminsd(d, p, q); }
void max_signed(Vectors& v, Zmm d, Zmm p, Zmm q) { v.a.vpmaxsd(d, p, q); }
void min_unsigned(Vectors& v, Zmm d, Zmm p, Zmm q) { v.a.vpminud(d, p, q); }
void max_unsigned(Vectors& v, Zmm d, Zmm p, Zmm q) { v.a.vpmaxud(d, p, q); }
void and_(Vectors& v, Zmm d, Zmm p, Zmm q) { v.a.vpandd(d, p, q); }
void or_(Vectors& v, Zmm d, Zmm p, Zmm q) { v.a.vpord(d, p, q); }
void xor_(Vectors& v, Zmm d, Zmm p, Zmm q) { v.a.vpxord(d, p, q); }
void invert(Vectors& v, Zmm d, Zmm p) { v.a.vpternlogd(d, p, p, 0x55); }
void negate(Vectors& v, Zmm d, Zmm p) {
  v.a.vpxord(d, d, d);
  v.a.vpsubd(d, d, p);
}
void magnitude(Vectors& v, Zmm d, Zmm p) { v.a.vpabsd(d, p); }
template <int Table>
void logic(Vectors& v, Zmm d, Zmm p, Zmm q, Zmm r) {
  v.a.vmovdqa64(d, p);
  v.a.vpternlogd(d, q, r, Table);
}
void any_logic(Vectors& v, const Operation& o) {
  const Value p = v.in(o.operand[1]), q = v.in(o.operand[2]), r = v.in(o.operand[3]),
              d = v.out(o.operand[0]);
  for (size_t h = 0; h < 2; ++h) {
    v.a.vmovdqa64(d[h], p[h]);
    v.a.vpternlogd(d[h], q[h], r[h], uint8_t(o.offset));
  }
  v.done();
}

// ---- sums of three, some of them inverted: ~x is −x − 1

void add3(Vectors& v, const Operation& o) {
  const Value source[] = {v.in(o.operand[1]), v.in(o.operand[2]), v.in(o.operand[3])},
              d = v.out(o.operand[0]);
  uint32_t more = uint32_t(o.offset);
  for (int i = 0; i < 3; ++i) more -= o.extra >> i & 1;
  for (size_t h = 0; h < 2; ++h) {
    if (more)
      v.a.vmovdqu64(d[h], all(v, more));
    else
      v.a.vpxord(d[h], d[h], d[h]);
    for (int i = 0; i < 3; ++i)
      o.extra >> i & 1 ? v.a.vpsubd(d[h], d[h], source[i][h])
                       : v.a.vpaddd(d[h], d[h], source[i][h]);
  }
  v.done();
}

// A sum below an addend has wrapped.
void wrapped(Vectors& v, x86::KReg to, Zmm sum, Zmm addend) { v.a.vpcmpud(to, sum, addend, 1); }

// {d, once, twice, a, b, c, carry, carry}
void add3_carry(Vectors& v, const Operation& o) {
  const Value source[] = {v.in(o.operand[3]), v.in(o.operand[4]), v.in(o.operand[5])},
              d = v.out(o.operand[0]), ones = v.between(), other = v.between();
  v.reads(o.operand[6], 4);
  v.reads(o.operand[7], 4);
  const auto addend = [&](int i, size_t h) {
    if (!(o.extra >> i & 1)) return source[i][h];
    v.a.vpternlogd(other[h], source[i][h], source[i][h], 0x55);
    return other[h];
  };
  const x86::KReg once[] = {k4, x86::k0}, twice[] = {k3, k5};
  for (size_t h = 0; h < 2; ++h) {
    v.ones(ones[h]);
    const Zmm a = addend(0, h);
    v.a.vmovdqa64(scratch, a);
    const Zmm b = addend(1, h);
    v.a.vpaddd(d[h], scratch, b);
    wrapped(v, k1, d[h], b);
    const Zmm c = addend(2, h);
    v.a.vpaddd(d[h], d[h], c);
    wrapped(v, k2, d[h], c);
    v.a.vmovdqa64(scratch, d[h]);  // and at most 3 more
    if (o.offset) v.a.vpaddd(d[h], d[h], all(v, uint32_t(o.offset)));
    for (const int carry : {6, 7}) {
      v.load(k3, o.operand[carry], int(h));
      v.a.k(k3).vpsubd(d[h], d[h], ones[h]);
    }
    wrapped(v, k3, d[h], scratch);
    v.a.korw(once[h], k1, k2);
    v.a.kandw(k5, k1, k2);
    v.a.kandw(k1, once[h], k3);
    v.a.korw(k5, k5, k1);
    v.a.korw(once[h], once[h], k3);
    if (h == 0) v.a.kmovw(x86::edx, k5);
  }
  v.a.kmovw(twice[0], x86::edx);
  v.store(o.operand[1], once[0], once[1]);
  v.store(o.operand[2], twice[0], twice[1]);
  v.done();
}

void with_carry(Vectors& v, const Operation& o) {
  const Value p = v.in(o.operand[1]), d = v.out(o.operand[0]);
  v.reads(o.operand[2], 4);
  v.ones(scratch);
  for (size_t h = 0; h < 2; ++h) {
    v.load(k1, o.operand[2], int(h));
    v.a.vmovdqa64(d[h], p[h]);
    v.a.k(k1).vpsubd(d[h], d[h], scratch);
  }
  v.done();
}

// ---- products of 64 bits, of even lanes and of odd ones

template <bool Signed>
void product(Vectors& v, Zmm low, Zmm high, Zmm p, Zmm q, Zmm other) {
  const auto multiply = [&](Zmm d, Zmm a, Zmm b) {
    Signed ? v.a.vpmuldq(d, a, b) : v.a.vpmuludq(d, a, b);
  };
  v.a.vpsrlq(scratch, p, 32);
  v.a.vpsrlq(other, q, 32);
  multiply(other, scratch, other);  // odd
  multiply(low, p, q);              // even
  v.a.vpsrlq(high, low, 32);
  v.a.mov(x86::ecx, 0xaaaa);
  v.a.kmovw(k1, x86::ecx);
  v.a.k(k1).vmovdqa32(high, other);
  v.a.vpsllq(other, other, 32);
  v.a.k(k1).vmovdqa32(low, other);
}
template <bool Signed>
void high_product(Vectors& v, const Operation& o) {
  const Value p = v.in(o.operand[1]), q = v.in(o.operand[2]), d = v.out(o.operand[0]),
              low = v.between(), other = v.between();
  for (size_t h = 0; h < 2; ++h) product<Signed>(v, low[h], d[h], p[h], q[h], other[h]);
  v.done();
}
// Into a pair of registers, and with the sum of another pair.
template <bool Signed>
void wide_product(Vectors& v, const Operation& o) {
  const Value p = v.in(o.operand[1]), q = v.in(o.operand[2]), low = v.out(o.operand[0]),
              high = v.out(o.operand[0] + next_register), other = v.between();
  for (size_t h = 0; h < 2; ++h) product<Signed>(v, low[h], high[h], p[h], q[h], other[h]);
  v.done();
}
template <bool Signed>
void wide_mad(Vectors& v, const Operation& o) {
  const Value p = v.in(o.operand[1]), q = v.in(o.operand[2]), low_addend = v.in(o.operand[3]),
              high_addend = v.in(o.operand[3] + next_register), low = v.out(o.operand[0]),
              high = v.out(o.operand[0] + next_register), other = v.between();
  for (size_t h = 0; h < 2; ++h) {
    product<Signed>(v, low[h], high[h], p[h], q[h], other[h]);
    v.a.vpaddd(low[h], low[h], low_addend[h]);
    wrapped(v, k1, low[h], low_addend[h]);
    v.a.vpaddd(high[h], high[h], high_addend[h]);
    v.ones(scratch);
    v.a.k(k1).vpsubd(high[h], high[h], scratch);
  }
  v.done();
}

// ---- bits: by halves of bytes, then summed

void count_bits(Vectors& v, const Operation& o) {
  static constexpr std::array<uint32_t, 16> counts = {
      0x02010100, 0x03020201, 0x03020201, 0x04030302, 0x02010100, 0x03020201,
      0x03020201, 0x04030302, 0x02010100, 0x03020201, 0x03020201, 0x04030302,
      0x02010100, 0x03020201, 0x03020201, 0x04030302};
  const Value p = v.in(o.operand[1]), d = v.out(o.operand[0]), known = v.between();
  v.a.vmovdqu64(known[0], v.table(counts));
  for (size_t h = 0; h < 2; ++h) {
    v.a.vpandd(scratch, p[h], all(v, 0x0f0f0f0f));
    v.a.vpshufb(d[h], known[0], scratch);
    v.a.vpsrld(scratch, p[h], 4);
    v.a.vpandd(scratch, scratch, all(v, 0x0f0f0f0f));
    v.a.vpshufb(scratch, known[0], scratch);
    v.a.vpaddb(d[h], d[h], scratch);
    v.a.vmovdqu64(scratch, all(v, 0x01010101));
    v.a.vpmaddubsw(d[h], d[h], scratch);
    v.a.vpmaddwd(d[h], d[h], all(v, 0x00010001));
  }
  v.done();
}

constexpr Meaning integer_table[] = {
    {"popc.b32", 2, count_bits},
    {"!mov4", 2, one<copy>},
    {"add.u32", 3, two<add>},
    {"add.s32", 3, two<add>},
    {"sub.u32", 3, two<sub>},
    {"sub.s32", 3, two<sub>},
    {"mul.lo.u32", 3, two<mul>},
    {"mul.lo.s32", 3, two<mul>},
    {"mad.lo.u32", 4, three<mad>},
    {"mad.lo.s32", 4, three<mad>},
    {"mul.hi.u32", 3, high_product<false>},
    {"mul.hi.s32", 3, high_product<true>},
    {"min.s32", 3, two<min_signed>},
    {"max.s32", 3, two<max_signed>},
    {"min.u32", 3, two<min_unsigned>},
    {"max.u32", 3, two<max_unsigned>},
    {"neg.s32", 2, one<negate>},
    {"abs.s32", 2, one<magnitude>},
    {"and.b32", 3, two<and_>},
    {"or.b32", 3, two<or_>},
    {"xor.b32", 3, two<xor_>},
    {"not.b32", 2, one<invert>},
    {"!masked", 4, three<logic<0x6a>>},
    {"!lop3", 4, any_logic},
    {"!lop3_192", 4, three<logic<0xc0>>},
    {"!lop3_252", 4, three<logic<0xfc>>},
    {"!lop3_60", 4, three<logic<0x3c>>},
    {"!lop3_48", 4, three<logic<0x30>>},
    {"!lop3_12", 4, three<logic<0x0c>>},
    {"!lop3_51", 4, three<logic<0x33>>},
    {"!lop3_15", 4, three<logic<0x0f>>},
    {"!lop3_128", 4, three<logic<0x80>>},
    {"!lop3_254", 4, three<logic<0xfe>>},
    {"!lop3_150", 4, three<logic<0x96>>},
    {"!lop3_248", 4, three<logic<0xf8>>},
    {"!lop3_120", 4, three<logic<0x78>>},
    {"!lop3_226", 4, three<logic<0xe2>>},
    {"!lop3_184", 4, three<logic<0xb8>>},
    {"!lop3_202", 4, three<logic<0xca>>},
    {"!lop3_232", 4, three<logic<0xe8>>},
    {"!iadd3", 4, add3},
    {"!iadd3.co", 8, add3_carry},
    {"!carry", 3, with_carry},
    {"!pairs:mul.wide.u32", 3, wide_product<false>},
    {"!pairs:mul.wide.s32", 3, wide_product<true>},
    {"!pairs:mad.wide.u32", 4, wide_mad<false>},
    {"!pairs:mad.wide.s32", 4, wide_mad<true>},
};

}  // namespace

std::span<const Meaning> integers() { return integer_table; }

}  // namespace headroom::sim::compiled
