// Comparison and selection: sections 9.7.5 and 9.7.6. decode joins setp's second predicate and
// writes set's value.
#include "sim/lanes/isa.h"
#include "sim/lanes/lift.h"
#include "sim/lanes/names.h"
#include "sim/meaning/compare.h"

namespace headroom::sim::HEADROOM_ISA {
namespace {

using namespace meaning;

template <class T, Comparison C>
void comparison(RowTable& table, std::string_view spelling, std::string_view type) {
  table.add(spelling, Lift<&setp<C, T>>::row, type);
}

template <class T>
void signed_order(RowTable& table, std::string_view type) {
  comparison<T, eq>(table, "setp.eq", type);
  comparison<T, ne>(table, "setp.ne", type);
  comparison<T, lt>(table, "setp.lt", type);
  comparison<T, le>(table, "setp.le", type);
  comparison<T, gt>(table, "setp.gt", type);
  comparison<T, ge>(table, "setp.ge", type);
}
template <class T>
void unsigned_order(RowTable& table, std::string_view type) {
  comparison<T, lo>(table, "setp.lo", type);
  comparison<T, ls>(table, "setp.ls", type);
  comparison<T, hi>(table, "setp.hi", type);
  comparison<T, hs>(table, "setp.hs", type);
}
template <class T>
void unordered(RowTable& table, std::string_view type) {
  comparison<T, equ>(table, "setp.equ", type);
  comparison<T, neu>(table, "setp.neu", type);
  comparison<T, ltu>(table, "setp.ltu", type);
  comparison<T, leu>(table, "setp.leu", type);
  comparison<T, gtu>(table, "setp.gtu", type);
  comparison<T, geu>(table, "setp.geu", type);
  comparison<T, num>(table, "setp.num", type);
  comparison<T, nan>(table, "setp.nan", type);
}
template <class T, Comparison C>
void flushed(RowTable& table, std::string_view spelling) {
  table.add(spelling, Lift<ftz<&setp<C, T>>>::row, name<T>);
}
template <class T>
void flushing(RowTable& table) {
  flushed<T, eq>(table, "setp.eq.ftz");
  flushed<T, ne>(table, "setp.ne.ftz");
  flushed<T, lt>(table, "setp.lt.ftz");
  flushed<T, le>(table, "setp.le.ftz");
  flushed<T, gt>(table, "setp.gt.ftz");
  flushed<T, ge>(table, "setp.ge.ftz");
  flushed<T, equ>(table, "setp.equ.ftz");
  flushed<T, neu>(table, "setp.neu.ftz");
  flushed<T, ltu>(table, "setp.ltu.ftz");
  flushed<T, leu>(table, "setp.leu.ftz");
  flushed<T, gtu>(table, "setp.gtu.ftz");
  flushed<T, geu>(table, "setp.geu.ftz");
  flushed<T, num>(table, "setp.num.ftz");
  flushed<T, nan>(table, "setp.nan.ftz");
}

template <class T>
void selection(RowTable& table, std::string_view type) {
  table.add("selp", Lift<&selp<T>>::row, type);
  table.add("slct", Lift<&slct<T, int32_t>>::row, type, "s32");
  table.add("slct", Lift<&slct<T, float>>::row, type, "f32");
  table.add("slct.ftz", Lift<ftz<&slct<T, float>>>::row, type, "f32");
}

}  // namespace

void compare_rows(RowTable& table) {
  each<uint16_t, int16_t, uint32_t, int32_t, uint64_t, int64_t>([&]<class T>() {
    signed_order<T>(table, name<T>);
    selection<T>(table, name<T>);
  });
  each<uint16_t, uint32_t, uint64_t>([&]<class T>() { unsigned_order<T>(table, name<T>); });
  each<float, double, half, bfloat>([&]<class T>() {
    signed_order<T>(table, name<T>);
    unordered<T>(table, name<T>);
  });
  flushing<float>(table);
  flushing<half>(table);
  const auto bits = [&]<class T>(std::string_view type) {
    comparison<T, eq>(table, "setp.eq", type);
    comparison<T, ne>(table, "setp.ne", type);
    selection<T>(table, type);
  };
  bits.operator()<uint16_t>("b16");
  bits.operator()<uint32_t>("b32");
  bits.operator()<uint64_t>("b64");
  selection<uint32_t>(table, "f32");
  selection<uint64_t>(table, "f64");
}

}  // namespace headroom::sim::HEADROOM_ISA
