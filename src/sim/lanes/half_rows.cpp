// 16-bit floats, alone and packed: section 9.7.4.
#include "sim/lanes/isa.h"
#include "sim/lanes/lift.h"
#include "sim/lanes/names.h"
#include "sim/meaning/approx.h"
#include "sim/meaning/compare.h"
#include "sim/meaning/float.h"
#include "sim/meaning/half.h"

namespace headroom::sim::HEADROOM_ISA {
namespace {

using namespace meaning;

// One operation over a half and over a pair of them.
template <auto F> void both(RowTable& table, std::string_view spelling, std::string_view one, std::string_view two) {
  table.add(spelling, Lift<F>::seldom, one);
  table.add(spelling, Lift<packed<F>>::seldom, two);
}

template <class H> void rows_of(RowTable& table, std::string_view one, std::string_view two) {
  both<&add<H>>(table, "add{.rn}", one, two);
  both<&sub<H>>(table, "sub{.rn}", one, two);
  both<&mul<H>>(table, "mul{.rn}", one, two);
  both<&fma<H>>(table, "fma.rn", one, two);
  both<sat<&add<H>>>(table, "add{.rn}.sat", one, two);
  both<sat<&sub<H>>>(table, "sub{.rn}.sat", one, two);
  both<sat<&mul<H>>>(table, "mul{.rn}.sat", one, two);
  both<sat<&fma<H>>>(table, "fma.rn.sat", one, two);
  both<relu<&fma<H>>>(table, "fma.rn.relu", one, two);
  both<ftz<&add<H>>>(table, "add{.rn}.ftz", one, two);
  both<ftz<&sub<H>>>(table, "sub{.rn}.ftz", one, two);
  both<ftz<&mul<H>>>(table, "mul{.rn}.ftz", one, two);
  both<ftz<&fma<H>>>(table, "fma.rn.ftz", one, two);
  both<sat<ftz<&add<H>>>>(table, "add{.rn}.ftz.sat", one, two);
  both<sat<ftz<&sub<H>>>>(table, "sub{.rn}.ftz.sat", one, two);
  both<sat<ftz<&mul<H>>>>(table, "mul{.rn}.ftz.sat", one, two);
  both<sat<ftz<&fma<H>>>>(table, "fma.rn.ftz.sat", one, two);
  both<relu<ftz<&fma<H>>>>(table, "fma.rn.ftz.relu", one, two);
  both<&abs<H>>(table, "abs", one, two);
  both<&neg<H>>(table, "neg", one, two);
  both<ftz<&abs<H>>>(table, "abs.ftz", one, two);
  both<ftz<&neg<H>>>(table, "neg.ftz", one, two);
  both<&min<H>>(table, "min", one, two);
  both<&max<H>>(table, "max", one, two);
  both<ftz<&min<H>>>(table, "min.ftz", one, two);
  both<ftz<&max<H>>>(table, "max.ftz", one, two);
  both<&min_nan<H>>(table, "min.NaN", one, two);
  both<&max_nan<H>>(table, "max.NaN", one, two);
  both<&min_xorsign<H>>(table, "min.xorsign.abs", one, two);
  both<&max_xorsign<H>>(table, "max.xorsign.abs", one, two);
  both<&min_nan_xorsign<H>>(table, "min.NaN.xorsign.abs", one, two);
  both<&max_nan_xorsign<H>>(table, "max.NaN.xorsign.abs", one, two);
  both<&tanh_approx_half<H>>(table, "tanh.approx", one, two);
}

}  // namespace

void half_rows(RowTable& table) {
  rows_of<half>(table, "f16", "f16x2");
  rows_of<bfloat>(table, "bf16", "bf16x2");
  both<&ex2_approx_half<half>>(table, "ex2.approx", "f16", "f16x2");
  both<ftz<&ex2_approx_half<bfloat>>>(table, "ex2.approx.ftz", "bf16", "bf16x2");
}

}  // namespace headroom::sim::HEADROOM_ISA
