// Operations of machine code that no PTX instruction is alone: sums of three with carries, address
// sums, funnel shifts of halves of 64 bits, moves between register files, convergence barriers.
// Their spellings start with '!': neither language can write them.
//
//   IADD3 R0, P0, P1, R1, -R2, R3   !iadd3.co {d, p, q, a, b, c}, offset 1, extra 0b010: a + ~b + c + 1
#include <array>
#include <bit>

#include "sim/cluster.h"
#include "sim/lanes/isa.h"
#include "sim/lanes/lift.h"
#include "sim/machinery.h"
#include "sim/mbarrier.h"
#include "sim/meaning/approx.h"
#include "sim/meaning/bits.h"
#include "sim/warp.h"

namespace headroom::sim::HEADROOM_ISA {
namespace {

using namespace meaning;

uint32_t inverting(const Operation& operation, int source) {
  return operation.extra >> source & 1 ? ~0u : 0;
}

// d = a + b + c + offset, a source inverted where its bit in `extra` is set.
template <bool Full>
void add3(Warp& warp, const Operation& operation) {
  const uint32_t xa = inverting(operation, 0), xb = inverting(operation, 1),
                 xc = inverting(operation, 2), more = uint32_t(operation.offset);
  const uint32_t* a = at<uint32_t>(warp, operation.operand[1]);
  const uint32_t* b = at<uint32_t>(warp, operation.operand[2]);
  const uint32_t* c = at<uint32_t>(warp, operation.operand[3]);
  uint32_t out[lanes];
  for (int i = 0; i < lanes; ++i) out[i] = (a[i] ^ xa) + (b[i] ^ xb) + (c[i] ^ xc) + more;
  keep<Full>(warp, operation.operand[0], out);
}

// The same with two carries in (0 or 1 each) and two out: the sum reaches 2^32, and 2 · 2^32.
void add3_carry(Warp& warp, const Operation& operation) {
  const uint32_t xa = inverting(operation, 0), xb = inverting(operation, 1),
                 xc = inverting(operation, 2);
  const uint32_t* a = at<uint32_t>(warp, operation.operand[3]);
  const uint32_t* b = at<uint32_t>(warp, operation.operand[4]);
  const uint32_t* c = at<uint32_t>(warp, operation.operand[5]);
  const uint32_t carry = *at<uint32_t>(warp, operation.operand[6]),
                 carry2 = *at<uint32_t>(warp, operation.operand[7]),
                 more = uint32_t(operation.offset);  // at most 3
  uint32_t out[lanes];
  alignas(64) int32_t once[lanes], twice[lanes];
  for (int i = 0; i < lanes; ++i) {  // in 32 bits: twice as many lanes a vector
    const uint32_t first = a[i] ^ xa, two = first + (b[i] ^ xb), third = c[i] ^ xc,
                   three = two + third, sum = three + (more + (carry >> i & 1) + (carry2 >> i & 1));
    const int32_t carries = int32_t(two < first) + int32_t(three < third) + int32_t(sum < three);
    out[i] = sum;
    once[i] = -int32_t(carries >= 1);
    twice[i] = -int32_t(carries >= 2);
  }
  keep<false>(warp, operation.operand[0], out);
  keep_bits<false>(warp, operation.operand[1], collect(once));
  keep_bits<false>(warp, operation.operand[2], collect(twice));
}

uint32_t with_carry(uint32_t a, bool carry) { return a + carry; }
uint64_t join(uint32_t low, uint32_t high) { return uint64_t(high) << 32 | low; }
uint32_t low_half(uint64_t a) { return uint32_t(a); }
uint32_t high_half(uint64_t a) { return uint32_t(a >> 32); }

// Signs and absolute values: bits that are kept, then bits that are flipped.
uint32_t masked(uint32_t a, uint32_t kept, uint32_t flipped) { return (a & kept) ^ flipped; }

// "!shf" and 12 to "!shf12". No std::string here: an inline function of the library, compiled for one
// instruction set, could be linked into code for another.
template <int N, size_t Size>
constexpr std::array<char, 16> numbered(const char (&prefix)[Size]) {
  std::array<char, 16> text{};
  size_t n = 0;
  for (; prefix[n]; ++n) text[n] = prefix[n];
  if (N >= 100) text[n++] = char('0' + N / 100);
  if (N >= 10) text[n++] = char('0' + N / 10 % 10);
  text[n] = char('0' + N % 10);
  return text;
}
template <int N>
constexpr auto shf_name = numbered<N>("!shf");
template <int N>
constexpr auto lop3_name = numbered<N>("!lop3_");

// SHF: {high, low} shifted by c, `bits` of them; of the halves, the upper or the lower.
struct Funnel {
  bool right, wrap, is_signed, wide, high;
};
template <int Kind>
uint32_t funnel(uint32_t low, uint32_t by, uint32_t high) {
  constexpr Funnel f{bool(Kind & 1), bool(Kind & 2), bool(Kind & 4), bool(Kind & 8),
                     bool(Kind & 16)};
  constexpr uint32_t width = f.wide ? 64 : 32;
  const uint32_t n = f.wrap ? by & (width - 1) : by > width ? width : by;
  const uint64_t both = uint64_t(high) << 32 | low;
  uint64_t out;
  if (f.right)
    out = f.is_signed ? uint64_t(int64_t(both) >> (n > 63 ? 63 : n)) : n > 63 ? 0 : both >> n;
  else
    out = n > 63 ? 0 : both << n;
  return uint32_t(f.high ? out >> 32 : out);
}
template <int... Kinds>
void funnels(RowTable& table, std::integer_sequence<int, Kinds...>) {
  (table.add(shf_name<Kinds>.data(), Lift<&funnel<Kinds>>::row), ...);
}

// LOP3: any function of three bits, its table in `offset`; those that compilers mostly write have rows
// of their own.
void lop3_any(Warp& warp, const Operation& operation) {
  const uint32_t* a = at<uint32_t>(warp, operation.operand[1]);
  const uint32_t* b = at<uint32_t>(warp, operation.operand[2]);
  const uint32_t* c = at<uint32_t>(warp, operation.operand[3]);
  uint32_t keeps[8], out[lanes];
  for (int row = 0; row < 8; ++row) keeps[row] = operation.offset >> row & 1 ? ~0u : 0;
  for (int i = 0; i < lanes; ++i) {
    const uint32_t x = a[i], y = b[i], z = c[i];
    out[i] = (~x & ((~y & ((~z & keeps[0]) | (z & keeps[1]))) |
                    (y & ((~z & keeps[2]) | (z & keeps[3]))))) |
             (x & ((~y & ((~z & keeps[4]) | (z & keeps[5]))) |
                   (y & ((~z & keeps[6]) | (z & keeps[7])))));
  }
  keep<false>(warp, operation.operand[0], out);
}
template <int Table>
uint32_t lop3_of(uint32_t a, uint32_t b, uint32_t c) {
  uint32_t out = 0;
  for (int row = 0; row < 8; ++row)
    if (Table >> row & 1) out |= (row & 4 ? a : ~a) & (row & 2 ? b : ~b) & (row & 1 ? c : ~c);
  return out;
}
template <int... Tables>
void lop3s(RowTable& table, std::integer_sequence<int, Tables...>) {
  (table.add(lop3_name<Tables>.data(), Lift<&lop3_of<Tables>>::row), ...);
}

// PLOP3: three predicates through a table of eight.
template <bool Full>
void predicates3(Warp& warp, const Operation& operation) {
  uint32_t out = 0;
  const uint32_t a = *at<uint32_t>(warp, operation.operand[1]),
                 b = *at<uint32_t>(warp, operation.operand[2]),
                 c = *at<uint32_t>(warp, operation.operand[3]);
  for (uint32_t row = 0; row < 8; ++row)
    if (operation.offset >> row & 1)
      out |= (row & 4 ? a : ~a) & (row & 2 ? b : ~b) & (row & 1 ? c : ~c);
  keep_bits<Full>(warp, operation.operand[0], out);
}

bool is_nonzero(uint32_t a) { return a != 0; }
bool sign_of(uint32_t a) { return a >> 31; }

// A value of the first lane that runs, for all lanes: what a uniform register holds.
void uniform(Warp& warp, const Operation& operation) {
  const uint32_t value = at<uint32_t>(warp, operation.operand[1])[std::countr_zero(warp.mask)];
  uint32_t* out = at<uint32_t>(warp, operation.operand[0]);
  for (int i = 0; i < lanes; ++i) out[i] = value;
}
// Ballots of the lanes that run, into a uniform register or predicate: operands {d, q}.
void uniform_ballot(Warp& warp, const Operation& operation) {
  const uint32_t value = *at<uint32_t>(warp, operation.operand[1]) & warp.mask;
  uint32_t* out = at<uint32_t>(warp, operation.operand[0]);
  for (int i = 0; i < lanes; ++i) out[i] = value;
}
enum class Vote { all, any, equal };
template <Vote Kind>
void uniform_vote(Warp& warp, const Operation& operation) {
  const uint32_t yes = *at<uint32_t>(warp, operation.operand[1]) & warp.mask;
  const bool holds = Kind == Vote::all   ? yes == warp.mask
                     : Kind == Vote::any ? yes != 0
                                         : yes == 0 || yes == warp.mask;
  *at<uint32_t>(warp, operation.operand[0]) = holds ? all_lanes : 0;
}

// An instruction of the uniform datapath, for all lanes though only some run.
void every(Warp& warp, const Operation& operation) {
  const uint32_t some = warp.mask;
  set_mask(warp, all_lanes);
  operation.move(warp, operation);
  set_mask(warp, some);
}

// BSSY: the lanes that run are those that the barrier will wait for. Every lane keeps a copy.
void begin_region(Warp& warp, const Operation& operation) {
  uint32_t out[lanes];
  for (uint32_t& value : out) value = warp.mask;
  keep<false>(warp, operation.operand[0], out);
}
// BREAK: the lanes that run are not waited for any more.
void break_out(Warp& warp, const Operation& operation) {
  uint32_t* masks = at<uint32_t>(warp, operation.operand[0]);
  uint32_t together = 0;
  each_lane(warp, [&](int lane) { together |= masks[lane]; });
  for (int i = 0; i < lanes; ++i)
    if (together >> i & 1) masks[i] &= ~warp.mask;
  wake_converging(warp);
}

// WARPSYNC {mask}: an H200 takes it for an illegal instruction where a lane is not in its own mask.
void member(Warp& warp, const Operation& operation) {
  const uint32_t* masks = at<uint32_t>(warp, operation.operand[0]);
  each_lane(warp, [&](int lane) {
    if (!(masks[lane] >> lane & 1))
      throw Fault{"illegal_mask",
                  "a lane of a warp is not in the mask that it gives (__syncwarp, a vote, a "
                  "shuffle)",
                  715,
                  std::nullopt,
                  operation.instruction,
                  lane};
  });
}

// BRA.DIV {d, mask, q}: all lanes, where somebody that the mask names is not one of those of q.
void diverged(Warp& warp, const Operation& operation) {
  const uint32_t named = at<uint32_t>(warp, operation.operand[1])[std::countr_zero(warp.mask)],
                 here = *at<uint32_t>(warp, operation.operand[2]) & warp.mask;
  keep_bits<false>(warp, operation.operand[0], named & warp.live & ~here ? warp.mask : 0);
}

// R2UR: the lanes whose value is not the first one's.
void differing(Warp& warp, const Operation& operation) {
  const uint32_t* a = at<uint32_t>(warp, operation.operand[1]);
  const uint32_t first = a[std::countr_zero(warp.mask)];
  uint32_t out = 0;
  for (int i = 0; i < lanes; ++i) out |= uint32_t(a[i] != first) << i;
  keep_bits<false>(warp, operation.operand[0], out);
}

// LEA.HI: the upper half of {high, low} << n, added to b.
uint32_t shifted_high(uint32_t low, uint32_t high, uint32_t n) {
  return n == 0 ? high : high << n | low >> (32 - n);
}

// Addresses of shared memory as hardware of sm_90 counts them, to those of the executor: a block's
// own begins at 0x400 there and at 0 here, block r of a cluster has r there and r + 1 here.
void generic(Warp& warp, const Operation& operation) {
  const uint64_t* a = at<uint64_t>(warp, operation.operand[1]);
  uint64_t out[lanes];
  const BlockState& block = *warp.block;
  const uint64_t own = block.cluster->blocks.size() > 1 ? uint64_t(block.rank) << rank_shift : 0;
  for (int i = 0; i < lanes; ++i) {
    const uint64_t rank = a[i] & rank_bits, offset = (a[i] & ~rank_bits) - 0x400;
    const uint64_t here = rank == own ? offset : offset + rank + (1u << rank_shift);
    out[i] = a[i] >> 32 == shared_window >> 32 ? here : a[i];
  }
  keep<false>(warp, operation.operand[0], out);
}
void cluster_shared(Warp& warp, const Operation& operation) {
  const uint32_t* a = at<uint32_t>(warp, operation.operand[1]);
  const uint32_t own = uint32_t(warp.block->rank) << rank_shift;
  uint32_t out[lanes];
  for (int i = 0; i < lanes; ++i) {
    const uint32_t rank = a[i] & uint32_t(rank_bits),
                   offset = (a[i] & ~uint32_t(rank_bits)) - 0x400;
    out[i] = rank == own ? offset : offset + rank + (1u << rank_shift);
  }
  keep<false>(warp, operation.operand[0], out);
}
uint32_t own_shared(uint32_t a) { return uint32_t(int32_t(a << 8) >> 8); }

// The state of a barrier in shared memory, as the hardware keeps it.
uint32_t barrier_state_high(uint64_t bits) {
  const BarrierWord word{bits};
  return uint32_t(word.phase()) << 31 | (((1u << 20) - uint32_t(word.pending())) & 0xfffff) << 11;
}
uint32_t barrier_state_low(uint64_t bits) {
  return ((1u << 20) - uint32_t(BarrierWord{bits}.expected())) << 1;
}

float mufu_sin(float x) { return sin_turns(x); }
float mufu_cos(float x) { return cos_turns(x); }
float flushed(float x) { return flush(x); }
bool fchk(float a, float b) { return division_is_hard(a, b); }

constexpr uint8_t P = predicate_sort;
template <auto F, uint8_t... Sorts>
constexpr Row one(uint8_t outs) {
  return whole<F, F, Sorts...>(outs);
}

constexpr std::pair<std::string_view, Row> rows[] = {
    {"!iadd3", whole<&add3<true>, &add3<false>, 4, 4, 4, 4>(1)},
    {"!iadd3.co", one<&add3_carry, 4, P, P, 4, 4, 4, P, P>(3)},
    {"!carry", Lift<&with_carry>::row},
    {"!join", Lift<&join>::row},
    {"!low", Lift<&low_half>::row},
    {"!high", Lift<&high_half>::row},
    {"!masked", Lift<&masked>::row},
    {"!lop3", one<&lop3_any, 4, 4, 4, 4>(1)},
    {"!generic", one<&generic, 8, 8>(1)},
    {"!cluster_shared", one<&cluster_shared, 4, 4>(1)},
    {"!barrier_state_high", Lift<&barrier_state_high>::row},
    {"!barrier_state_low", Lift<&barrier_state_low>::row},
    {"!own_shared", Lift<&own_shared>::row},
    {"!mufu_sin", Lift<&mufu_sin>::row},
    {"!mufu_cos", Lift<&mufu_cos>::row},
    {"!flush", Lift<&flushed>::row},
    {"!fchk", Lift<&fchk>::row},
    {"!plop3", whole<&predicates3<true>, &predicates3<false>, P, P, P, P>(1)},
    {"!nonzero", Lift<&is_nonzero>::row},
    {"!sign", Lift<&sign_of>::row},
    {"!shifted_high", Lift<&shifted_high>::row},
    {"!uniform", one<&uniform, 4, 4>(1)},
    {"!uniform_ballot", one<&uniform_ballot, 4, P>(1)},
    {"!uniform_all", one<&uniform_vote<Vote::all>, P, P>(1)},
    {"!uniform_any", one<&uniform_vote<Vote::any>, P, P>(1)},
    {"!uniform_equal", one<&uniform_vote<Vote::equal>, P, P>(1)},
    {"!every", one<&every>(0)},
    {"!bssy", one<&begin_region, 4>(1)},
    {"!break", one<&break_out, 4>(1)},
    {"!member", one<&member, 4>(0)},
    {"!diverged", one<&diverged, P, 4, P>(1)},
    {"!differing", one<&differing, P, 4>(1)},
};

}  // namespace

void machine_rows(RowTable& table) {
  for (const auto& [spelling, row] : rows) table.add(spelling, row);
  funnels(table, std::make_integer_sequence<int, 32>{});
  lop3s(table, std::integer_sequence<int, 0xc0, 0xfc, 0x3c, 0x30, 0x0c, 0x33, 0x0f, 0x80, 0xfe,
                                     0x96, 0xf8, 0x78, 0xe2, 0xb8, 0xca, 0xe8>{});
}

}  // namespace headroom::sim::HEADROOM_ISA
