// Operations that decode makes by itself: predicate logic, packing and unpacking, addresses of
// local variables and parameters, the result of a reducing barrier, clocks, and calls into the
// executor (printf, assert, malloc). Their spellings start with '!': PTX cannot write them.
#include <chrono>

#include "sim/cluster.h"
#include "sim/lanes/isa.h"
#include "sim/lanes/lift.h"
#include "sim/machinery.h"
#include "sim/meaning/compare.h"
#include "sim/system_calls.h"

namespace headroom::sim::HEADROOM_ISA {
namespace {

// Predicate logic works on all 32 bits at once.
template <uint32_t (*F)(uint32_t, uint32_t), bool Full>
void bits(Warp& warp, const Operation& operation) {
  keep_bits<Full>(
      warp, operation.operand[0],
      F(*at<uint32_t>(warp, operation.operand[1]), *at<uint32_t>(warp, operation.operand[2])));
}
uint32_t conjunction(uint32_t a, uint32_t b) { return a & b; }
uint32_t disjunction(uint32_t a, uint32_t b) { return a | b; }
uint32_t difference(uint32_t a, uint32_t b) { return a ^ b; }
template <bool Full, bool Invert>
void copy_bits(Warp& warp, const Operation& operation) {
  const uint32_t a = *at<uint32_t>(warp, operation.operand[1]);
  keep_bits<Full>(warp, operation.operand[0], Invert ? ~a : a);
}

template <class T>
T copy(T a) {
  return a;
}
template <class T>
T choose(T a, T b, bool p) {
  return meaning::selp(a, b, p);
}

// mov.b64 d, {a, b}: the first element is the least significant.
template <class D, class S, int N>
void pack(Warp& warp, const Operation& operation) {
  D out[lanes] = {};
  for (int n = 0; n < N; ++n) {
    const S* in = at<S>(warp, operation.operand[1 + n]);
    for (int i = 0; i < lanes; ++i) out[i] = D(out[i] | D(D(in[i]) << (8 * sizeof(S) * n)));
  }
  keep<false>(warp, operation.operand[0], out);
}
template <class D, class S, int N>
void unpack(Warp& warp, const Operation& operation) {  // d…, a
  S in[lanes];
  // a may share a register with a result
  std::memcpy(in, at<S>(warp, operation.operand[N]), sizeof in);
  for (int n = 0; n < N; ++n) {
    D out[lanes];
    for (int i = 0; i < lanes; ++i) out[i] = D(in[i] >> (8 * sizeof(D) * n));
    keep<false>(warp, operation.operand[n], out);
  }
}

// The local address of a variable of this activation: operation.offset from where its locals begin.
template <class T>
void local_address(Warp& warp, const Operation& operation) {
  const Frame& frame = warp.frames[warp.groups[warp.current].frame];
  T out[lanes];
  for (T& value : out) value = T(frame.local_base + uint64_t(operation.offset));
  keep<false>(warp, operation.operand[0], out);
}

// isspacep: d = address lies in the window that operation.extra names (0: device memory)
void is_space(Warp& warp, const Operation& operation) {
  const uint64_t* a = at<uint64_t>(warp, operation.operand[1]);
  uint32_t yes = 0;
  for (int i = 0; i < lanes; ++i) {
    const uint64_t window = a[i] >> 32;
    const bool special = window >= shared_window >> 32 && window <= param_window >> 32;
    yes |= uint32_t(operation.extra ? window == operation.extra >> 32 : !special) << i;
  }
  keep_bits<false>(warp, operation.operand[0], yes);
}

enum class BarrierResult { popc, all, any };
template <BarrierResult Which>
void barrier_result(Warp& warp, const Operation& operation) {
  const uint32_t id = at<uint32_t>(warp, operation.operand[1])[__builtin_ctz(warp.mask)] & 15;
  const Barrier& barrier = warp.block->barriers[id];
  if constexpr (Which == BarrierResult::popc) {
    uint32_t out[lanes];
    for (uint32_t& value : out) value = barrier.result_count;
    keep<false>(warp, operation.operand[0], out);
  } else {
    const bool holds = Which == BarrierResult::all ? barrier.result_count == barrier.result_total
                                                   : barrier.result_count > 0;
    keep_bits<false>(warp, operation.operand[0], holds ? all_lanes : 0);
  }
}

// %clock: eight for every basic block that any warp enters and for every look, so that it only
// grows; %globaltimer: nanoseconds of the host. Where all that runs only waits, time leaps.
template <class T, bool High, bool Global>
void clock(Warp& warp, const Operation& operation) {
  Memory::Time& time = warp.block->machinery->time;
  uint64_t now = Global ? uint64_t(std::chrono::steady_clock::now().time_since_epoch().count())
                        : (time.clocks += clocks_of_basic_block) + clocks_of_turn(warp);
  now += time.leapt;
  if (High) now >>= 32;
  T out[lanes];
  for (T& value : out) value = T(now);
  keep<false>(warp, operation.operand[0], out);
}

void do_nothing(Warp&, const Operation&) {}

void cluster_arrive(Warp& warp, const Operation& operation) {
  arrive_at_cluster(warp, operation.instruction);
}

void system_call(Warp& warp, const Operation& operation) { call_system(warp, operation); }

constexpr uint8_t P = predicate_sort;
template <uint32_t (*F)(uint32_t, uint32_t)>
constexpr Row logic = whole<&bits<F, true>, &bits<F, false>, P, P, P>(1);
template <auto F, uint8_t... Sorts>
constexpr Row one(uint8_t outs) {
  return whole<F, F, Sorts...>(outs);
}

constexpr std::pair<std::string_view, Row> rows[] = {
    {"and.pred", logic<conjunction>},
    {"or.pred", logic<disjunction>},
    {"xor.pred", logic<difference>},
    {"not.pred", whole<&copy_bits<true, true>, &copy_bits<false, true>, P, P>(1)},
    {"mov.pred", whole<&copy_bits<true, false>, &copy_bits<false, false>, P, P>(1)},
    {"!mov1", Lift<&copy<uint8_t>>::row},
    {"!mov2", Lift<&copy<uint16_t>>::row},
    {"!mov4", Lift<&copy<uint32_t>>::row},
    {"!mov8", Lift<&copy<uint64_t>>::row},
    {"!mov16", Lift<&copy<unsigned __int128>>::row},
    {"!select2", Lift<&choose<uint16_t>>::row},
    {"!select4", Lift<&choose<uint32_t>>::row},
    {"!select8", Lift<&choose<uint64_t>>::row},
    {"!pack16x8", one<&pack<unsigned __int128, uint64_t, 2>, 16, 8, 8>(1)},
    {"!unpack16x8", one<&unpack<uint64_t, unsigned __int128, 2>, 8, 8, 16>(2)},
    {"!pack8x4", one<&pack<uint64_t, uint32_t, 2>, 8, 4, 4>(1)},
    {"!pack8x2", one<&pack<uint64_t, uint16_t, 4>, 8, 2, 2, 2, 2>(1)},
    {"!pack4x2", one<&pack<uint32_t, uint16_t, 2>, 4, 2, 2>(1)},
    {"!pack4x1", one<&pack<uint32_t, uint8_t, 4>, 4, 1, 1, 1, 1>(1)},
    {"!pack2x1", one<&pack<uint16_t, uint8_t, 2>, 2, 1, 1>(1)},
    {"!unpack8x4", one<&unpack<uint32_t, uint64_t, 2>, 4, 4, 8>(2)},
    {"!unpack8x2", one<&unpack<uint16_t, uint64_t, 4>, 2, 2, 2, 2, 8>(4)},
    {"!unpack4x2", one<&unpack<uint16_t, uint32_t, 2>, 2, 2, 4>(2)},
    {"!unpack4x1", one<&unpack<uint8_t, uint32_t, 4>, 1, 1, 1, 1, 4>(4)},
    {"!unpack2x1", one<&unpack<uint8_t, uint16_t, 2>, 1, 1, 2>(2)},
    {"!local4", one<&local_address<uint32_t>, 4>(1)},
    {"!local8", one<&local_address<uint64_t>, 8>(1)},
    {"!isspace", one<&is_space, P, 8>(1)},
    {"!barrier_popc", one<&barrier_result<BarrierResult::popc>, 4, 4>(1)},
    {"!barrier_and", one<&barrier_result<BarrierResult::all>, P, 4>(1)},
    {"!barrier_or", one<&barrier_result<BarrierResult::any>, P, 4>(1)},
    {"!%clock", one<&clock<uint32_t, false, false>, 4>(1)},
    {"!%clock_hi", one<&clock<uint32_t, true, false>, 4>(1)},
    {"!%clock64", one<&clock<uint64_t, false, false>, 8>(1)},
    {"!%globaltimer", one<&clock<uint64_t, false, true>, 8>(1)},
    {"!%globaltimer_lo", one<&clock<uint32_t, false, true>, 4>(1)},
    {"!%globaltimer_hi", one<&clock<uint32_t, true, true>, 4>(1)},
    {"!nothing", one<&do_nothing>(0)},
    {"!cluster_arrive", one<&cluster_arrive>(0)},
    {"!system", one<&system_call>(0)},
};

}  // namespace

void inner_rows(RowTable& table) {
  for (const auto& [spelling, row] : rows) table.add(spelling, row);
}

}  // namespace headroom::sim::HEADROOM_ISA
