// Forms of conversion, scalar and packed.  Source: PTX ISA 9.0, sections 9.7.9.21 and 9.7.9.22.
#include "ptx/forms_pattern.h"
#include "ptx/forms_table.h"

namespace headroom::ptx {
namespace {

constexpr Form rows[] = {
    {"cvt{.crnd}{.ftz}{.sat}.convertible.convertible d, a", "9.7.9.21"},
    {"cvt.rna{.satfinite}.tf32.f32 d, a", "9.7.9.21"},
    {"cvt.rnd2{.satfinite}{.relu}.tf32.f32 d, a", "9.7.9.21"},
    {"cvt.rnd2.relu{.satfinite}.half_scalar.f32 d, a", "9.7.9.21"},
    {"cvt.rnd2.satfinite.half_scalar.f32 d, a", "9.7.9.21"},
    {"cvt.rnd2{.relu}{.satfinite}.half_pair.f32 d, a, b", "9.7.9.21"},
    {"cvt.rs{.relu}{.satfinite}.half_pair.f32 d, a, b, rbits", "9.7.9.21"},
    {"cvt.rn.satfinite{.relu}.f8x2.f32 d, a, b", "9.7.9.21"},
    {"cvt.rn.satfinite{.relu}.f8x2.f16x2 d, a", "9.7.9.21"},
    {"cvt.rn{.relu}.f16x2.f8x2 d, a", "9.7.9.21"},
    {"cvt.rs{.relu}.satfinite.f8x4.f32 d, {a, b, e, f}, rbits", "9.7.9.21"},
    {"cvt.rn.satfinite{.relu}.f6x2.f32 d, a, b", "9.7.9.21"},
    {"cvt.rn{.relu}.f16x2.f6x2 d, a", "9.7.9.21"},
    {"cvt.rn.satfinite{.relu}.e2m1x2.f32 d, a, b", "9.7.9.21"},
    {"cvt.rn{.relu}.f16x2.e2m1x2 d, a", "9.7.9.21"},
    {"cvt.rs{.relu}.satfinite.e2m1x4.f32 d, {a, b, e, f}, rbits", "9.7.9.21"},
    {"cvt.ernd{.satfinite}.ue8m0x2.f32 d, a, b", "9.7.9.21"},
    {"cvt.ernd{.satfinite}.ue8m0x2.bf16x2 d, a", "9.7.9.21"},
    {"cvt.rn.bf16x2.ue8m0x2 d, a", "9.7.9.21"},
    {"cvt.pack.sat.i16.s32 d, a, b", "9.7.9.22"},
    {"cvt.pack.sat.packed.s32.b32 d, a, b, c", "9.7.9.22"},
};
static_assert(unambiguous(rows));
static_assert(owners(rows, "cvt.rn.f32.s32") == 1 && owners(rows, "cvt.rn.f16x2.f32") == 1);
static_assert(owners(rows, "cvt.rn.satfinite.e4m3x2.f32") == 1 &&
              owners(rows, "cvt.f32.rn.s32") == 0);

}  // namespace

std::span<const Form> convert_forms() { return rows; }

}  // namespace headroom::ptx
