// Integer arithmetic: sections 9.7.1 and 9.7.2 of the manual.
#include "sim/lanes/isa.h"
#include "sim/lanes/lift.h"
#include "sim/lanes/names.h"
#include "sim/meaning/integer.h"

namespace headroom::sim::HEADROOM_ISA {
namespace {

using namespace meaning;

// The flag is that of an adder (H200): a subtraction leaves and takes in the opposite of a borrow,
// which shows where the two kinds are mixed.
template <class T>
Carried<T> sub_carry(T a, T b, bool carry) {
  const Carried<T> difference = sub_borrow<T>(a, b, !carry);
  return {difference.value, !difference.flag};
}
template <class T>
Carried<T> add_out(T a, T b) {
  return add_carry<T>(a, b, false);
}
template <class T>
Carried<T> sub_out(T a, T b) {
  return sub_carry<T>(a, b, true);
}
template <class T>
Carried<T> mad_lo_out(T a, T b, T c) {
  return mad_lo_carry<T>(a, b, c, false);
}
template <class T>
Carried<T> mad_hi_out(T a, T b, T c) {
  return mad_hi_carry<T>(a, b, c, false);
}
template <class T>
T add_in(T a, T b, bool carry) {
  return add_carry<T>(a, b, carry).value;
}
template <class T>
T sub_in(T a, T b, bool carry) {
  return sub_carry<T>(a, b, carry).value;
}
template <class T>
T mad_lo_in(T a, T b, T c, bool carry) {
  return mad_lo_carry<T>(a, b, c, carry).value;
}
template <class T>
T mad_hi_in(T a, T b, T c, bool carry) {
  return mad_hi_carry<T>(a, b, c, carry).value;
}

}  // namespace

void integer_rows(RowTable& table) {
  each<uint16_t, int16_t, uint32_t, int32_t, uint64_t, int64_t>([&]<class T>() {
    table.add("add", Lift<&add<T>>::row, name<T>);
    table.add("sub", Lift<&sub<T>>::row, name<T>);
    table.add("mul.lo", Lift<&mul_lo<T>>::row, name<T>);
    table.add("mul.hi", Lift<&mul_hi<T>>::row, name<T>);
    table.add("mad.lo", Lift<&mad_lo<T>>::row, name<T>);
    table.add("mad.hi", Lift<&mad_hi<T>>::row, name<T>);
    table.add("div", Lift<&div<T>>::row, name<T>);
    table.add("rem", Lift<&rem<T>>::row, name<T>);
    table.add("min", Lift<&min<T>>::row, name<T>);
    table.add("max", Lift<&max<T>>::row, name<T>);
    table.add("sad", Lift<&sad<T>>::row, name<T>);
  });
  each<int16_t, int32_t, int64_t>([&]<class T>() {
    table.add("abs", Lift<&abs<T>>::row, name<T>);
    table.add("neg", Lift<&neg<T>>::row, name<T>);
  });
  each<uint16_t, int16_t, uint32_t, int32_t>([&]<class T>() {
    table.add("mul.wide", Lift<&mul_wide<T>>::row, name<T>);
    table.add("mad.wide", Lift<&mad_wide<T>>::row, name<T>);
  });
  each<uint32_t, int32_t>([&]<class T>() {
    table.add("mul24.lo", Lift<&mul24_lo<T>>::row, name<T>);
    table.add("mul24.hi", Lift<&mul24_hi<T>>::row, name<T>);
    table.add("mad24.lo", Lift<&mad24_lo<T>>::row, name<T>);
    table.add("mad24.hi", Lift<&mad24_hi<T>>::row, name<T>);
  });
  each<uint32_t, int32_t, uint64_t, int64_t>([&]<class T>() {
    table.add("add.cc", Lift<&add_out<T>>::row, name<T>);
    table.add("addc.cc", Lift<&add_carry<T>>::row, name<T>);
    table.add("addc", Lift<&add_in<T>>::row, name<T>);
    table.add("sub.cc", Lift<&sub_out<T>>::row, name<T>);
    table.add("subc.cc", Lift<&sub_carry<T>>::row, name<T>);
    table.add("subc", Lift<&sub_in<T>>::row, name<T>);
    table.add("mad.lo.cc", Lift<&mad_lo_out<T>>::row, name<T>);
    table.add("mad.hi.cc", Lift<&mad_hi_out<T>>::row, name<T>);
    table.add("madc.lo.cc", Lift<&mad_lo_carry<T>>::row, name<T>);
    table.add("madc.hi.cc", Lift<&mad_hi_carry<T>>::row, name<T>);
    table.add("madc.lo", Lift<&mad_lo_in<T>>::row, name<T>);
    table.add("madc.hi", Lift<&mad_hi_in<T>>::row, name<T>);
  });
  table.add("add.sat.s32", Lift<&add_sat>::row);
  table.add("sub.sat.s32", Lift<&sub_sat>::row);
  table.add("mad.hi.sat.s32", Lift<&mad_hi_sat>::row);
  table.add("mad24.hi.sat.s32", Lift<&mad24_hi_sat>::row);
  table.add("add.u16x2", Lift<packed<&add<uint16_t>>>::row);
  table.add("add.s16x2", Lift<packed<&add<int16_t>>>::row);
  table.add("min.u16x2", Lift<packed<&min<uint16_t>>>::row);
  table.add("min.s16x2", Lift<packed<&min<int16_t>>>::row);
  table.add("max.u16x2", Lift<packed<&max<uint16_t>>>::row);
  table.add("max.s16x2", Lift<packed<&max<int16_t>>>::row);
  table.add("min.relu.s16x2", Lift<packed<&min_relu<int16_t>>>::row);
  table.add("max.relu.s16x2", Lift<packed<&max_relu<int16_t>>>::row);
  table.add("min.s16x2.relu", Lift<packed<&min_relu<int16_t>>>::row);
  table.add("max.s16x2.relu", Lift<packed<&max_relu<int16_t>>>::row);
  table.add("min.s32.relu", Lift<&min_relu<int32_t>>::row);
  table.add("max.s32.relu", Lift<&max_relu<int32_t>>::row);
  table.add("min.relu.s32", Lift<&min_relu<int32_t>>::row);
  table.add("max.relu.s32", Lift<&max_relu<int32_t>>::row);
}

}  // namespace headroom::sim::HEADROOM_ISA
