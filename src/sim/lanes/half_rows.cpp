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

// One operation over a half and over a pair of them; `hot` if loops are made of it.
template <auto F>
void hot(RowTable& table, std::string_view spelling, std::string_view one, std::string_view two) {
  table.add(spelling, Lift<F>::row, one);
  table.add(spelling, Lift<packed<F>>::row, two);
}
template <auto F>
void both(RowTable& table, std::string_view spelling, std::string_view one, std::string_view two) {
  table.add(spelling, Lift<F>::seldom, one);
  table.add(spelling, Lift<packed<F>>::seldom, two);
}

template <class H>
void rows_of(RowTable& table, std::string_view one, std::string_view two) {
  hot<&add<H>>(table, "add{.rn}", one, two);
  hot<&sub<H>>(table, "sub{.rn}", one, two);
  hot<&mul<H>>(table, "mul{.rn}", one, two);
  hot<&fma<H>>(table, "fma.rn", one, two);
  both<relu<&fma<H>>>(table, "fma.rn.relu", one, two);
  both<&abs<H>>(table, "abs", one, two);
  both<&neg<H>>(table, "neg", one, two);
  both<&min<H>>(table, "min", one, two);
  both<&max<H>>(table, "max", one, two);
  both<&min_nan<H>>(table, "min.NaN", one, two);
  both<&max_nan<H>>(table, "max.NaN", one, two);
  both<&min_xorsign<H>>(table, "min.xorsign.abs", one, two);
  both<&max_xorsign<H>>(table, "max.xorsign.abs", one, two);
  both<&min_nan_xorsign<H>>(table, "min.NaN.xorsign.abs", one, two);
  both<&max_nan_xorsign<H>>(table, "max.NaN.xorsign.abs", one, two);
  both<&tanh_approx_half<H>>(table, "tanh.approx", one, two);
}

// bf16 has neither .ftz nor .sat.
void flushing_rows(RowTable& table) {
  const auto add_row = [&]<auto F>(std::string_view spelling) {
    both<F>(table, spelling, "f16", "f16x2");
  };
  add_row.operator()<sat<&add<half>>>("add{.rn}.sat");
  add_row.operator()<sat<&sub<half>>>("sub{.rn}.sat");
  add_row.operator()<sat<&mul<half>>>("mul{.rn}.sat");
  add_row.operator()<sat<&fma<half>>>("fma.rn.sat");
  add_row.operator()<ftz<&add<half>>>("add{.rn}.ftz");
  add_row.operator()<ftz<&sub<half>>>("sub{.rn}.ftz");
  add_row.operator()<ftz<&mul<half>>>("mul{.rn}.ftz");
  add_row.operator()<ftz<&fma<half>>>("fma.rn.ftz");
  add_row.operator()<sat<ftz<&add<half>>>>("add{.rn}.ftz.sat");
  add_row.operator()<sat<ftz<&sub<half>>>>("sub{.rn}.ftz.sat");
  add_row.operator()<sat<ftz<&mul<half>>>>("mul{.rn}.ftz.sat");
  add_row.operator()<sat<ftz<&fma<half>>>>("fma.rn.ftz.sat");
  add_row.operator()<relu<ftz<&fma<half>>>>("fma.rn.ftz.relu");
  add_row.operator()<ftz<&abs<half>>>("abs.ftz");
  add_row.operator()<ftz<&neg<half>>>("neg.ftz");
  add_row.operator()<ftz<&min<half>>>("min.ftz");
  add_row.operator()<ftz<&max<half>>>("max.ftz");
  add_row.operator()<ftz<&min_nan<half>>>("min.ftz.NaN");
  add_row.operator()<ftz<&max_nan<half>>>("max.ftz.NaN");
  add_row.operator()<ftz<&min_xorsign<half>>>("min.ftz.xorsign.abs");
  add_row.operator()<ftz<&max_xorsign<half>>>("max.ftz.xorsign.abs");
  add_row.operator()<ftz<&min_nan_xorsign<half>>>("min.ftz.NaN.xorsign.abs");
  add_row.operator()<ftz<&max_nan_xorsign<half>>>("max.ftz.NaN.xorsign.abs");
}

}  // namespace

void half_rows(RowTable& table) {
  rows_of<half>(table, "f16", "f16x2");
  rows_of<bfloat>(table, "bf16", "bf16x2");
  flushing_rows(table);
  both<&ex2_approx_half<half>>(table, "ex2.approx", "f16", "f16x2");
  both<ftz<&ex2_approx_half<bfloat>>>(table, "ex2.approx.ftz", "bf16", "bf16x2");
}

}  // namespace headroom::sim::HEADROOM_ISA
