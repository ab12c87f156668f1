// Values of 8 bytes a lane, which stay in memory: eight lanes after the other.
#include "sim/compiled/emit.h"

namespace headroom::sim::compiled {
namespace {

using Words = std::array<uint32_t, 16>;

void join(Vectors& v, const Operation& o) {
  const Value low = v.in(o.operand[1]), high = v.in(o.operand[2]);
  v.overwrites(o.operand[0], 8 * lanes);
  for (int part = 0; part < 4; ++part) {
    const size_t h = size_t(part / 2);
    v.a.vmovdqu64(scratch, v.table(part % 2 ? woven_high : woven_low));
    v.a.vpermi2d(scratch, low[h], high[h]);
    v.store_wide(o.operand[0], part, scratch);
  }
  v.done();
}
template <const Words& Which>
void half_of_wide(Vectors& v, const Operation& o) {
  v.reads(o.operand[1], 8 * lanes);
  const Value d = v.out(o.operand[0]);
  for (int h = 0; h < 2; ++h) {
    v.a.vmovdqu64(d[size_t(h)], v.table(Which));
    v.a.vmovdqu64(scratch, v.memory(o.operand[1], 128 * h, 64));
    v.a.vpermi2d(d[size_t(h)], scratch, v.memory(o.operand[1], 128 * h + 64, 64));
  }
  v.done();
}
// An operation on two of them, a vector of eight lanes after the other.
template <auto F>
void wide_two(Vectors& v, const Operation& o) {
  v.reads(o.operand[1], 8 * lanes);
  v.reads(o.operand[2], 8 * lanes);
  v.overwrites(o.operand[0], 8 * lanes);
  for (int part = 0; part < 4; ++part) {
    v.a.vmovdqu64(scratch, v.memory(o.operand[1], 64 * part, 64));
    F(v, scratch, v.memory(o.operand[2], 64 * part, 64));
    v.store_wide(o.operand[0], part, scratch);
  }
}
void add64(Vectors& v, Zmm d, const x86::Mem& q) { v.a.vpaddq(d, d, q); }
void sub64(Vectors& v, Zmm d, const x86::Mem& q) { v.a.vpsubq(d, d, q); }
void and64(Vectors& v, Zmm d, const x86::Mem& q) { v.a.vpandq(d, d, q); }
void or64(Vectors& v, Zmm d, const x86::Mem& q) { v.a.vporq(d, d, q); }
void xor64(Vectors& v, Zmm d, const x86::Mem& q) { v.a.vpxorq(d, d, q); }
// Products of 32-bit registers, eight lanes after the other, alone or with a sum.
enum class Sum { none, wide };
template <bool Signed, Sum With>
void wide_result(Vectors& v, const Operation& o) {
  const Value p = v.in(o.operand[1]), q = v.in(o.operand[2]), widened = v.between();
  if (With == Sum::wide) v.reads(o.operand[3], 8 * lanes);
  v.overwrites(o.operand[0], 8 * lanes);
  const auto widen = [&](const Zmm& to, const Zmm& from, int part) {
    part % 2 ? v.a.vextracti64x4(to.ymm(), from, 1) : v.a.vmovdqa64(to.ymm(), from.ymm());
    v.a.vpmovzxdq(to, to.ymm());
  };
  for (int part = 0; part < 4; ++part) {
    const size_t h = size_t(part / 2);
    widen(widened[0], p[h], part);
    widen(widened[1], q[h], part);
    Signed ? v.a.vpmuldq(scratch, widened[0], widened[1])
           : v.a.vpmuludq(scratch, widened[0], widened[1]);
    if (With == Sum::wide) v.a.vpaddq(scratch, scratch, v.memory(o.operand[3], 64 * part, 64));
    v.store_wide(o.operand[0], part, scratch);
  }
  v.done();
}
void copy64(Vectors& v, const Operation& o) {
  v.reads(o.operand[1], 8 * lanes);
  v.overwrites(o.operand[0], 8 * lanes);
  for (int part = 0; part < 4; ++part) {
    v.a.vmovdqu64(scratch, v.memory(o.operand[1], 64 * part, 64));
    v.store_wide(o.operand[0], part, scratch);
  }
}

constexpr Meaning wide_table[] = {
    {"!mov8", 2, copy64},
    {"mul.wide.u32", 3, wide_result<false, Sum::none>},
    {"mul.wide.s32", 3, wide_result<true, Sum::none>},
    {"mad.wide.u32", 4, wide_result<false, Sum::wide>},
    {"mad.wide.s32", 4, wide_result<true, Sum::wide>},
    {"!join", 3, join},
    {"!low", 2, half_of_wide<even>},
    {"!high", 2, half_of_wide<odd>},
    {"add.u64", 3, wide_two<add64>},
    {"add.s64", 3, wide_two<add64>},
    {"sub.u64", 3, wide_two<sub64>},
    {"sub.s64", 3, wide_two<sub64>},
    {"and.b64", 3, wide_two<and64>},
    {"or.b64", 3, wide_two<or64>},
    {"xor.b64", 3, wide_two<xor64>},
};

}  // namespace

std::span<const Meaning> wides() { return wide_table; }

}  // namespace headroom::sim::compiled
