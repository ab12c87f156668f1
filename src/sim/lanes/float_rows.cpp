// Floating point of f32 and f64: section 9.7.3. Forms that name a rounding keep it; .ftz and .sat
// wrap the meaning.
#include "sim/lanes/isa.h"
#include "sim/lanes/lift.h"
#include "sim/lanes/names.h"
#include "sim/meaning/approx.h"
#include "sim/meaning/compare.h"
#include "sim/meaning/float.h"

namespace headroom::sim::HEADROOM_ISA {
namespace {

using namespace meaning;

// A form of f32 with its .ftz and .sat variants: "add{.rn}" -> add{.rn}[.ftz][.sat].f32
template <auto F>
void with_ftz_sat(RowTable& table, const char* plain, const char* ftz_name, const char* sat_name,
                  const char* both) {
  table.add(plain, Lift<F>::row);
  table.add(ftz_name, Lift<ftz<F>>::row);
  table.add(sat_name, Lift<sat<F>>::seldom);
  table.add(both, Lift<sat<ftz<F>>>::seldom);
}
template <auto F>
void directed(RowTable& table, const char* plain, const char* ftz_name, const char* sat_name,
              const char* both) {
  table.add(plain, Lift<F>::seldom);
  table.add(ftz_name, Lift<ftz<F>>::seldom);
  table.add(sat_name, Lift<sat<F>>::seldom);
  table.add(both, Lift<sat<ftz<F>>>::seldom);
}
template <auto F>
void with_ftz(RowTable& table, const char* plain, const char* ftz_name) {
  table.add(plain, Lift<F>::row);
  table.add(ftz_name, Lift<ftz<F>>::row);
}

}  // namespace

void float_rows(RowTable& table) {
  with_ftz_sat<&add<float>>(table, "add{.rn}.f32", "add{.rn}.ftz.f32", "add{.rn}.sat.f32",
                            "add{.rn}.ftz.sat.f32");
  directed<&add<float, rz>>(table, "add.rz.f32", "add.rz.ftz.f32", "add.rz.sat.f32",
                            "add.rz.ftz.sat.f32");
  directed<&add<float, rm>>(table, "add.rm.f32", "add.rm.ftz.f32", "add.rm.sat.f32",
                            "add.rm.ftz.sat.f32");
  directed<&add<float, rp>>(table, "add.rp.f32", "add.rp.ftz.f32", "add.rp.sat.f32",
                            "add.rp.ftz.sat.f32");
  with_ftz_sat<&sub<float>>(table, "sub{.rn}.f32", "sub{.rn}.ftz.f32", "sub{.rn}.sat.f32",
                            "sub{.rn}.ftz.sat.f32");
  directed<&sub<float, rz>>(table, "sub.rz.f32", "sub.rz.ftz.f32", "sub.rz.sat.f32",
                            "sub.rz.ftz.sat.f32");
  directed<&sub<float, rm>>(table, "sub.rm.f32", "sub.rm.ftz.f32", "sub.rm.sat.f32",
                            "sub.rm.ftz.sat.f32");
  directed<&sub<float, rp>>(table, "sub.rp.f32", "sub.rp.ftz.f32", "sub.rp.sat.f32",
                            "sub.rp.ftz.sat.f32");
  with_ftz_sat<&mul<float>>(table, "mul{.rn}.f32", "mul{.rn}.ftz.f32", "mul{.rn}.sat.f32",
                            "mul{.rn}.ftz.sat.f32");
  directed<&mul<float, rz>>(table, "mul.rz.f32", "mul.rz.ftz.f32", "mul.rz.sat.f32",
                            "mul.rz.ftz.sat.f32");
  directed<&mul<float, rm>>(table, "mul.rm.f32", "mul.rm.ftz.f32", "mul.rm.sat.f32",
                            "mul.rm.ftz.sat.f32");
  directed<&mul<float, rp>>(table, "mul.rp.f32", "mul.rp.ftz.f32", "mul.rp.sat.f32",
                            "mul.rp.ftz.sat.f32");
  with_ftz_sat<&fma<float>>(table, "fma.rn.f32", "fma.rn.ftz.f32", "fma.rn.sat.f32",
                            "fma.rn.ftz.sat.f32");
  directed<&fma<float, rz>>(table, "fma.rz.f32", "fma.rz.ftz.f32", "fma.rz.sat.f32",
                            "fma.rz.ftz.sat.f32");
  directed<&fma<float, rm>>(table, "fma.rm.f32", "fma.rm.ftz.f32", "fma.rm.sat.f32",
                            "fma.rm.ftz.sat.f32");
  directed<&fma<float, rp>>(table, "fma.rp.f32", "fma.rp.ftz.f32", "fma.rp.sat.f32",
                            "fma.rp.ftz.sat.f32");
  with_ftz_sat<&fma<float>>(table, "mad.rn.f32", "mad.rn.ftz.f32", "mad.rn.sat.f32",
                            "mad.rn.ftz.sat.f32");
  directed<&fma<float, rz>>(table, "mad.rz.f32", "mad.rz.ftz.f32", "mad.rz.sat.f32",
                            "mad.rz.ftz.sat.f32");
  directed<&fma<float, rm>>(table, "mad.rm.f32", "mad.rm.ftz.f32", "mad.rm.sat.f32",
                            "mad.rm.ftz.sat.f32");
  directed<&fma<float, rp>>(table, "mad.rp.f32", "mad.rp.ftz.f32", "mad.rp.sat.f32",
                            "mad.rp.ftz.sat.f32");
  const auto rounded = [&]<Round R>(std::string_view rounding) {
    table.add("add", Lift<&add<double, R>>::seldom, rounding, "f64");
    table.add("sub", Lift<&sub<double, R>>::seldom, rounding, "f64");
    table.add("mul", Lift<&mul<double, R>>::seldom, rounding, "f64");
    table.add("fma", Lift<&fma<double, R>>::seldom, rounding, "f64");
    table.add("mad", Lift<&fma<double, R>>::seldom, rounding, "f64");
    table.add("div", Lift<&div<double, R>>::seldom, rounding, "f64");
    table.add("rcp", Lift<&rcp<double, R>>::seldom, rounding, "f64");
    table.add("sqrt", Lift<&sqrt<double, R>>::seldom, rounding, "f64");
    table.add("div", Lift<&div<float, R>>::seldom, rounding, "f32");
    table.add("rcp", Lift<&rcp<float, R>>::seldom, rounding, "f32");
    table.add("sqrt", Lift<&sqrt<float, R>>::seldom, rounding, "f32");
    table.add("div", Lift<ftz<&div<float, R>>>::seldom, rounding, "ftz.f32");
    table.add("rcp", Lift<ftz<&rcp<float, R>>>::seldom, rounding, "ftz.f32");
    table.add("sqrt", Lift<ftz<&sqrt<float, R>>>::seldom, rounding, "ftz.f32");
  };
  rounded.operator()<rn>("rn");
  rounded.operator()<rz>("rz");
  rounded.operator()<rm>("rm");
  rounded.operator()<rp>("rp");
  table.add("add.f64", Lift<&add<double>>::row);
  table.add("sub.f64", Lift<&sub<double>>::row);
  table.add("mul.f64", Lift<&mul<double>>::row);

  each<float, double>([&]<class T>() {
    table.add("abs", Lift<&abs<T>>::row, name<T>);
    table.add("neg", Lift<&neg<T>>::row, name<T>);
    table.add("min", Lift<&min<T>>::row, name<T>);
    table.add("max", Lift<&max<T>>::row, name<T>);
    table.add("copysign", Lift<&copysign<T>>::row, name<T>);
    table.add("testp.finite", Lift<&testp_finite<T>>::row, name<T>);
    table.add("testp.infinite", Lift<&testp_infinite<T>>::row, name<T>);
    table.add("testp.number", Lift<&testp_number<T>>::row, name<T>);
    table.add("testp.notanumber", Lift<&testp_notanumber<T>>::row, name<T>);
    table.add("testp.normal", Lift<&testp_normal<T>>::row, name<T>);
    table.add("testp.subnormal", Lift<&testp_subnormal<T>>::row, name<T>);
  });
  table.add("abs.ftz.f32", Lift<ftz<&abs<float>>>::row);
  table.add("neg.ftz.f32", Lift<ftz<&neg<float>>>::row);
  with_ftz<&min<float>>(table, "min.f32", "min.ftz.f32");
  with_ftz<&max<float>>(table, "max.f32", "max.ftz.f32");
  with_ftz<&min_nan<float>>(table, "min.NaN.f32", "min.ftz.NaN.f32");
  with_ftz<&max_nan<float>>(table, "max.NaN.f32", "max.ftz.NaN.f32");
  with_ftz<&min_xorsign<float>>(table, "min.xorsign.abs.f32", "min.ftz.xorsign.abs.f32");
  with_ftz<&max_xorsign<float>>(table, "max.xorsign.abs.f32", "max.ftz.xorsign.abs.f32");
  with_ftz<&min_nan_xorsign<float>>(table, "min.NaN.xorsign.abs.f32",
                                    "min.ftz.NaN.xorsign.abs.f32");
  with_ftz<&max_nan_xorsign<float>>(table, "max.NaN.xorsign.abs.f32",
                                    "max.ftz.NaN.xorsign.abs.f32");

  with_ftz<&div_approx>(table, "div.approx.f32", "div.approx.ftz.f32");
  with_ftz<&div_full>(table, "div.full.f32", "div.full.ftz.f32");
  with_ftz<&rcp_approx>(table, "rcp.approx.f32", "rcp.approx.ftz.f32");
  with_ftz<&sqrt_approx>(table, "sqrt.approx.f32", "sqrt.approx.ftz.f32");
  with_ftz<&rsqrt_approx>(table, "rsqrt.approx.f32", "rsqrt.approx.ftz.f32");
  with_ftz<&sin_approx>(table, "sin.approx.f32", "sin.approx.ftz.f32");
  with_ftz<&cos_approx>(table, "cos.approx.f32", "cos.approx.ftz.f32");
  with_ftz<&lg2_approx>(table, "lg2.approx.f32", "lg2.approx.ftz.f32");
  with_ftz<&ex2_approx>(table, "ex2.approx.f32", "ex2.approx.ftz.f32");
  table.add("tanh.approx.f32", Lift<&tanh_approx>::row);
  table.add("rcp.approx.ftz.f64", Lift<&rcp_approx_ftz>::row);
  table.add("rsqrt.approx.ftz.f64", Lift<&rsqrt_approx_ftz>::row);
  table.add("rsqrt.approx.f64", Lift<&rsqrt_approx_f64>::row);
}

}  // namespace headroom::sim::HEADROOM_ISA
