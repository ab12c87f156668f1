// Operations of 64 bits on pairs of registers as machine code has them, without joining them first:
// of an operand the row of the lower words, and behind it that of the upper ones.
//
//   DFMA R2, R4, R6, R8   !pairs:fma.rn.f64 {rows of R2, R4, R6, R8}
#include <bit>
#include <type_traits>

#include "sim/lanes/isa.h"
#include "sim/lanes/lift.h"
#include "sim/meaning/compare.h"
#include "sim/meaning/float.h"
#include "sim/meaning/integer.h"

namespace headroom::sim::HEADROOM_ISA {
namespace {

using namespace meaning;

template <class T>
struct PairInput : Input<T> {
  PairInput(Warp& warp, uint32_t operand) : Input<T>(warp, operand) {}
};
template <class T>
requires(sizeof(T) == 8) struct PairInput<T> {
  const uint32_t *low, *high;
  PairInput(Warp& warp, uint32_t operand) : low(at<uint32_t>(warp, operand)), high(low + lanes) {}
  T operator[](int i) const { return std::bit_cast<T>(uint64_t(high[i]) << 32 | low[i]); }
};

template <bool Full, class R>
void keep_pair(Warp& warp, uint32_t operand, const R* result) {
  uint32_t* low = at<uint32_t>(warp, operand);
  uint32_t* high = low + lanes;
  for (int i = 0; i < lanes; ++i) {
    const uint64_t bits = std::bit_cast<uint64_t>(result[i]);
    low[i] = Full || warp.lane_mask[i] ? uint32_t(bits) : low[i];
    high[i] = Full || warp.lane_mask[i] ? uint32_t(bits >> 32) : high[i];
  }
}

template <auto F>
struct LiftPairs;
template <class R, class... A, R (*F)(A...)>
struct LiftPairs<F> {
  template <bool Full, size_t... I>
  static void apply(Warp& warp, const Operation& operation, std::index_sequence<I...>) {
    [&](const PairInput<A>... in) __attribute__((always_inline)) {
      if constexpr (std::is_same_v<R, bool>) {
        alignas(64) int32_t flags[lanes];
        for (int i = 0; i < lanes; ++i) flags[i] = -int32_t(F(in[i]...));
        keep_bits<Full>(warp, operation.operand[0], collect(flags));
      } else {
        R out[lanes];
        for (int i = 0; i < lanes; ++i) out[i] = F(in[i]...);
        keep_pair<Full>(warp, operation.operand[0], out);
      }
    }
    (PairInput<A>(warp, operation.operand[1 + I])...);
  }
  template <bool Full>
  static void run(Warp& warp, const Operation& operation) {
    apply<Full>(warp, operation, std::index_sequence_for<A...>{});
  }
  static constexpr Row row = whole<&run<true>, &run<false>, sort_of<R>(), sort_of<A>()...>(1);
};

}  // namespace

void machine_pair_rows(RowTable& table) {
  table.add("!pairs:add.rn.f64", LiftPairs<&add<double>>::row);
  table.add("!pairs:mul.rn.f64", LiftPairs<&mul<double>>::row);
  table.add("!pairs:fma.rn.f64", LiftPairs<&fma<double>>::row);
  table.add("!pairs:setp.lt.f64", LiftPairs<&setp<lt, double>>::row);
  table.add("!pairs:setp.le.f64", LiftPairs<&setp<le, double>>::row);
  table.add("!pairs:setp.gt.f64", LiftPairs<&setp<gt, double>>::row);
  table.add("!pairs:setp.ge.f64", LiftPairs<&setp<ge, double>>::row);
  table.add("!pairs:setp.eq.f64", LiftPairs<&setp<eq, double>>::row);
  table.add("!pairs:setp.neu.f64", LiftPairs<&setp<neu, double>>::row);
  table.add("!pairs:mul.wide.u32", LiftPairs<&mul_wide<uint32_t>>::row);
  table.add("!pairs:mul.wide.s32", LiftPairs<&mul_wide<int32_t>>::row);
  table.add("!pairs:mad.wide.u32", LiftPairs<&mad_wide<uint32_t>>::row);
  table.add("!pairs:mad.wide.s32", LiftPairs<&mad_wide<int32_t>>::row);
}

}  // namespace headroom::sim::HEADROOM_ISA
