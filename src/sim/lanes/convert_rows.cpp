// Conversion: section 9.7.9, cvt. Registers wider than the type are decode's business.
#include "sim/lanes/isa.h"
#include "sim/lanes/lift.h"
#include "sim/lanes/names.h"
#include "sim/meaning/convert.h"

namespace headroom::sim::HEADROOM_ISA {
namespace {

using namespace meaning;

template <class D, class S>
void integers(RowTable& table) {
  table.add("cvt", Lift<&convert<D, S>>::row, name<D>, name<S>);
  table.add("cvt.sat", Lift<&convert_sat<D, S>>::seldom, name<D>, name<S>);
}

template <class D, class S, Round R>
void to_float(RowTable& table, std::string_view spelling) {
  table.add(spelling, Lift<&convert<D, S, R>>::seldom, name<D>, name<S>);
}
template <class D, class S>
void to_float(RowTable& table) {
  to_float<D, S, rn>(table, "cvt.rn");
  to_float<D, S, rz>(table, "cvt.rz");
  to_float<D, S, rm>(table, "cvt.rm");
  to_float<D, S, rp>(table, "cvt.rp");
}

template <class D, class S, Round R>
void to_integer(RowTable& table, std::string_view plain, std::string_view flushed) {
  table.add(plain, Lift<&convert<D, S, R>>::seldom, name<D>, name<S>);
  table.add(flushed, Lift<ftz<&convert<D, S, R>>>::seldom, name<D>, name<S>);
}
template <class D, class S>
void to_integer(RowTable& table) {  // saturates by itself: .sat adds nothing
  to_integer<D, S, rn>(table, "cvt.rni{.sat}", "cvt.rni.ftz{.sat}");
  to_integer<D, S, rz>(table, "cvt.rzi{.sat}", "cvt.rzi.ftz{.sat}");
  to_integer<D, S, rm>(table, "cvt.rmi{.sat}", "cvt.rmi.ftz{.sat}");
  to_integer<D, S, rp>(table, "cvt.rpi{.sat}", "cvt.rpi.ftz{.sat}");
}

template <class T, Round R>
void integral(RowTable& table, std::string_view plain, std::string_view flushed,
              std::string_view saturated) {
  table.add(plain, Lift<&round_to_integral<R, T>>::seldom, name<T>, name<T>);
  table.add(flushed, Lift<ftz<&round_to_integral<R, T>>>::seldom, name<T>, name<T>);
  table.add(saturated, Lift<sat<&round_to_integral<R, T>>>::seldom, name<T>, name<T>);
}
template <class T>
T same(T x) {  // f32 and f64 are moved, halves pass through the converter
  if constexpr (Half<T>)
    return is_nan(x) ? quiet(x) : x;
  else
    return x;
}
template <class T>
T flushed(T x) {
  return canonical(flush(x));
}
// .ftz flushes what is subnormal in f32: a half never is, a bfloat may be.
float widened_ftz(half x) { return convert<float>(x); }
float widened_ftz(bfloat x) { return canonical(flush(convert<float>(x))); }
double widened_ftz(float x) { return widen_ftz(x); }

// Nor does .ftz touch what goes from f32 to a half (H200).
template <class D, class S, Round R>
constexpr auto narrowed_ftz =
    std::is_same_v<D, half>&& std::is_same_v<S, float> ? &convert<D, S, R> : ftz<&convert<D, S, R>>;

template <class D, class S, Round R>
void narrower(RowTable& table) {
  const auto put = [&](std::string_view spelling, const Row& row) {
    table.add(spelling, row, name<D>, name<S>);
  };
  if constexpr (R == rn) {
    put("cvt.rn", Lift<&convert<D, S, R>>::seldom);
    put("cvt.rn.ftz", Lift<narrowed_ftz<D, S, R>>::seldom);
    put("cvt.rn.sat", Lift<sat<&convert<D, S, R>>>::seldom);
    if constexpr (std::is_same_v<S, float>)
      put("cvt.rn.relu", Lift<relu<&convert<D, S, R>>>::seldom);
  } else if constexpr (R == rz) {
    put("cvt.rz", Lift<&convert<D, S, R>>::seldom);
    put("cvt.rz.ftz", Lift<narrowed_ftz<D, S, R>>::seldom);
    put("cvt.rz.sat", Lift<sat<&convert<D, S, R>>>::seldom);
    if constexpr (std::is_same_v<S, float>)
      put("cvt.rz.relu", Lift<relu<&convert<D, S, R>>>::seldom);
  } else if constexpr (R == rm) {
    put("cvt.rm", Lift<&convert<D, S, R>>::seldom);
    put("cvt.rm.ftz", Lift<narrowed_ftz<D, S, R>>::seldom);
  } else {
    put("cvt.rp", Lift<&convert<D, S, R>>::seldom);
    put("cvt.rp.ftz", Lift<narrowed_ftz<D, S, R>>::seldom);
  }
}

template <class D, class S>
void wider(RowTable& table) {
  table.add("cvt", Lift<&convert<D, S>>::seldom, name<D>, name<S>);
  if constexpr (std::is_same_v<D, double> && !std::is_same_v<S, float>)
    table.add("cvt.ftz", Lift<ftz<&convert<D, S>>>::seldom, name<D>, name<S>);
  else
    table.add("cvt.ftz", Lift<static_cast<D (*)(S)>(&widened_ftz)>::seldom, name<D>, name<S>);
  table.add("cvt.sat", Lift<sat<&convert<D, S>>>::seldom, name<D>, name<S>);
}

}  // namespace

void convert_rows(RowTable& table) {
  each<uint8_t, int8_t, uint16_t, int16_t, uint32_t, int32_t, uint64_t, int64_t>([&]<class D>() {
    each<uint8_t, int8_t, uint16_t, int16_t, uint32_t, int32_t, uint64_t, int64_t>(
        [&]<class S>() { integers<D, S>(table); });
    each<float, double, half, bfloat>([&]<class S>() {
      to_float<S, D>(table);
      to_integer<D, S>(table);
    });
  });
  each<float, double, half, bfloat>([&]<class T>() {
    integral<T, rn>(table, "cvt.rni", "cvt.rni.ftz", "cvt.rni.sat");
    integral<T, rz>(table, "cvt.rzi", "cvt.rzi.ftz", "cvt.rzi.sat");
    integral<T, rm>(table, "cvt.rmi", "cvt.rmi.ftz", "cvt.rmi.sat");
    integral<T, rp>(table, "cvt.rpi", "cvt.rpi.ftz", "cvt.rpi.sat");
    table.add("cvt", Lift<&same<T>>::seldom, name<T>, name<T>);
    table.add("cvt.ftz", Lift<&flushed<T>>::seldom, name<T>, name<T>);
    table.add("cvt.sat", Lift<sat<&same<T>>>::seldom, name<T>, name<T>);
    table.add("cvt.ftz.sat", Lift<sat<&flushed<T>>>::seldom, name<T>, name<T>);
  });
  each<float, half, bfloat>([&]<class D>() {
    narrower<D, double, rn>(table);
    narrower<D, double, rz>(table);
    narrower<D, double, rm>(table);
    narrower<D, double, rp>(table);
  });
  each<half, bfloat>([&]<class D>() {
    narrower<D, float, rn>(table);
    narrower<D, float, rz>(table);
    narrower<D, float, rm>(table);
    narrower<D, float, rp>(table);
    wider<float, D>(table);
    wider<double, D>(table);
  });
  wider<double, float>(table);
}

}  // namespace headroom::sim::HEADROOM_ISA
