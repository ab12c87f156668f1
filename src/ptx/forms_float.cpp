// Forms of floating-point arithmetic.  Source: PTX ISA 9.0, sections 9.7.3 (f32, f64), 9.7.4 (half)
// and 9.7.5 (mixed).
#include "ptx/forms_pattern.h"
#include "ptx/forms_table.h"

namespace headroom::ptx {
namespace {

constexpr Form rows[] = {
    {"testp.testop.f32_64 p, a", "9.7.3.1"},
    {"copysign.f32_64 d, a, b", "9.7.3.2"},
    {"add{.rnd}{.ftz}{.sat}.f32 d, a, b", "9.7.3.3"},
    {"add{.rnd}{.ftz}.f32x2 d, a, b", "9.7.3.3"},
    {"add{.rnd}.f64 d, a, b", "9.7.3.3"},
    {"sub{.rnd}{.ftz}{.sat}.f32 d, a, b", "9.7.3.4"},
    {"sub{.rnd}{.ftz}.f32x2 d, a, b", "9.7.3.4"},
    {"sub{.rnd}.f64 d, a, b", "9.7.3.4"},
    {"mul{.rnd}{.ftz}{.sat}.f32 d, a, b", "9.7.3.5"},
    {"mul{.rnd}{.ftz}.f32x2 d, a, b", "9.7.3.5"},
    {"mul{.rnd}.f64 d, a, b", "9.7.3.5"},
    {"fma.rnd{.ftz}{.sat}.f32 d, a, b, c", "9.7.3.6"},
    {"fma.rnd{.ftz}.f32x2 d, a, b, c", "9.7.3.6"},
    {"fma.rnd.f64 d, a, b, c", "9.7.3.6"},
    {"mad.rnd{.ftz}{.sat}.f32 d, a, b, c", "9.7.3.7"},
    {"mad.rnd.f64 d, a, b, c", "9.7.3.7"},
    {"div.approx{.ftz}.f32 d, a, b", "9.7.3.8"},
    {"div.full{.ftz}.f32 d, a, b", "9.7.3.8"},
    {"div.rnd{.ftz}.f32 d, a, b", "9.7.3.8"},
    {"div.rnd.f64 d, a, b", "9.7.3.8"},
    {"abs{.ftz}.f32 d, a", "9.7.3.9"},
    {"abs.f64 d, a", "9.7.3.9"},
    {"neg{.ftz}.f32 d, a", "9.7.3.10"},
    {"neg.f64 d, a", "9.7.3.10"},
    {"min{.ftz}{.NaN}{.xorsign.abs}.f32 d, a, b{, c}", "9.7.3.11"},
    {"min.f64 d, a, b", "9.7.3.11"},
    {"max{.ftz}{.NaN}{.xorsign.abs}.f32 d, a, b{, c}", "9.7.3.12"},
    {"max.f64 d, a, b", "9.7.3.12"},
    {"rcp.approx{.ftz}.f32 d, a", "9.7.3.13"},
    {"rcp.rnd{.ftz}.f32 d, a", "9.7.3.13"},
    {"rcp.rnd.f64 d, a", "9.7.3.13"},
    {"rcp.approx.ftz.f64 d, a", "9.7.3.14"},
    {"sqrt.approx{.ftz}.f32 d, a", "9.7.3.15"},
    {"sqrt.rnd{.ftz}.f32 d, a", "9.7.3.15"},
    {"sqrt.rnd.f64 d, a", "9.7.3.15"},
    {"rsqrt.approx{.ftz}.f32 d, a", "9.7.3.16"},
    {"rsqrt.approx.f64 d, a", "9.7.3.16"},
    {"rsqrt.approx.ftz.f64 d, a", "9.7.3.17"},
    {"sin.approx{.ftz}.f32 d, a", "9.7.3.18"},
    {"cos.approx{.ftz}.f32 d, a", "9.7.3.19"},
    {"lg2.approx{.ftz}.f32 d, a", "9.7.3.20"},
    {"ex2.approx{.ftz}.f32 d, a", "9.7.3.21"},
    {"tanh.approx.f32 d, a", "9.7.3.22"},

    {"add{.rn}{.ftz}{.sat}.half d, a, b", "9.7.4.1"},
    {"add{.rn}.bfloat d, a, b", "9.7.4.1"},
    {"sub{.rn}{.ftz}{.sat}.half d, a, b", "9.7.4.2"},
    {"sub{.rn}.bfloat d, a, b", "9.7.4.2"},
    {"mul{.rn}{.ftz}{.sat}.half d, a, b", "9.7.4.3"},
    {"mul{.rn}.bfloat d, a, b", "9.7.4.3"},
    {"fma.rn{.ftz}{.sat}.half d, a, b, c", "9.7.4.4"},
    {"fma.rn{.ftz}.relu.half d, a, b, c", "9.7.4.4"},
    {"fma.rn{.relu}.bfloat d, a, b, c", "9.7.4.4"},
    {"fma.rn.oob{.relu}.halves d, a, b, c", "9.7.4.4"},
    {"neg{.ftz}.half d, a", "9.7.4.5"},
    {"neg.bfloat d, a", "9.7.4.5"},
    {"abs{.ftz}.half d, a", "9.7.4.6"},
    {"abs.bfloat d, a", "9.7.4.6"},
    {"min{.ftz}{.NaN}{.xorsign.abs}.half d, a, b", "9.7.4.7"},
    {"min{.NaN}{.xorsign.abs}.bfloat d, a, b", "9.7.4.7"},
    {"max{.ftz}{.NaN}{.xorsign.abs}.half d, a, b", "9.7.4.8"},
    {"max{.NaN}{.xorsign.abs}.bfloat d, a, b", "9.7.4.8"},
    {"tanh.approx.halves d, a", "9.7.4.9"},
    {"ex2.approx.half d, a", "9.7.4.10"},
    {"ex2.approx.ftz.bfloat d, a", "9.7.4.10"},

    {"add{.rnd}{.sat}.f32.half_scalar d, a, c", "9.7.5.1"},
    {"sub{.rnd}{.sat}.f32.half_scalar d, a, c", "9.7.5.2"},
    {"fma.rnd{.sat}.f32.half_scalar d, a, b, c", "9.7.5.3"},
};
static_assert(unambiguous(rows));
static_assert(owners(rows, "add.rn.ftz.f32") == 1 && owners(rows, "add.ftz.rn.f32") == 0);
static_assert(owners(rows, "fma.f32") == 0 && owners(rows, "rcp.approx.ftz.f64") == 1);

}  // namespace

std::span<const Form> float_forms() { return rows; }

}  // namespace headroom::ptx
