// Forms of comparison, selection, logic and shifts.  Source: PTX ISA 9.0, sections 9.7.6, 9.7.7
// and 9.7.8.
#include "ptx/forms_pattern.h"
#include "ptx/forms_table.h"

namespace headroom::ptx {
namespace {

constexpr Form rows[] = {
    {"set.equality.i32.bits d, a, b", "9.7.6.1"},
    {"set.equality.boolop.i32.bits d, a, b, {!}c", "9.7.6.1"},
    {"set.equality.f32.bits d, a, b", "9.7.6.1"},
    {"set.equality.boolop.f32.bits d, a, b, {!}c", "9.7.6.1"},
    {"set.ucmp.i32.unsigned d, a, b", "9.7.6.1"},
    {"set.ucmp.boolop.i32.unsigned d, a, b, {!}c", "9.7.6.1"},
    {"set.ucmp.f32.unsigned d, a, b", "9.7.6.1"},
    {"set.ucmp.boolop.f32.unsigned d, a, b, {!}c", "9.7.6.1"},
    {"set.scmp.i32.signed d, a, b", "9.7.6.1"},
    {"set.scmp.boolop.i32.signed d, a, b, {!}c", "9.7.6.1"},
    {"set.scmp.f32.signed d, a, b", "9.7.6.1"},
    {"set.scmp.boolop.f32.signed d, a, b, {!}c", "9.7.6.1"},
    {"set.fcmp{.ftz}.i32.f32 d, a, b", "9.7.6.1"},
    {"set.fcmp.boolop{.ftz}.i32.f32 d, a, b, {!}c", "9.7.6.1"},
    {"set.fcmp{.ftz}.f32.f32 d, a, b", "9.7.6.1"},
    {"set.fcmp.boolop{.ftz}.f32.f32 d, a, b, {!}c", "9.7.6.1"},
    {"set.fcmp.i32.f64 d, a, b", "9.7.6.1"},
    {"set.fcmp.boolop.i32.f64 d, a, b, {!}c", "9.7.6.1"},
    {"set.fcmp.f32.f64 d, a, b", "9.7.6.1"},
    {"set.fcmp.boolop.f32.f64 d, a, b, {!}c", "9.7.6.1"},
    {"setp.equality.bits p{|q}, a, b", "9.7.6.2"},
    {"setp.equality.boolop.bits p{|q}, a, b, {!}c", "9.7.6.2"},
    {"setp.ucmp.unsigned p{|q}, a, b", "9.7.6.2"},
    {"setp.ucmp.boolop.unsigned p{|q}, a, b, {!}c", "9.7.6.2"},
    {"setp.scmp.signed p{|q}, a, b", "9.7.6.2"},
    {"setp.scmp.boolop.signed p{|q}, a, b, {!}c", "9.7.6.2"},
    {"setp.fcmp{.ftz}.f32 p{|q}, a, b", "9.7.6.2"},
    {"setp.fcmp.boolop{.ftz}.f32 p{|q}, a, b, {!}c", "9.7.6.2"},
    {"setp.fcmp.f64 p{|q}, a, b", "9.7.6.2"},
    {"setp.fcmp.boolop.f64 p{|q}, a, b, {!}c", "9.7.6.2"},
    {"selp.scalar d, a, b, c", "9.7.6.3"},
    {"slct.scalar.s32 d, a, b, c", "9.7.6.4"},
    {"slct{.ftz}.scalar.f32 d, a, b, c", "9.7.6.4"},

    {"set.fcmp{.ftz}.half.half d, a, b", "9.7.7.1"},
    {"set.fcmp.boolop{.ftz}.half.half d, a, b, {!}c", "9.7.7.1"},
    {"set.fcmp.bfloat.bfloat d, a, b", "9.7.7.1"},
    {"set.fcmp.boolop.bfloat.bfloat d, a, b, {!}c", "9.7.7.1"},
    {"set.fcmp{.ftz}.int.half d, a, b", "9.7.7.1"},
    {"set.fcmp.boolop{.ftz}.int.half d, a, b, {!}c", "9.7.7.1"},
    {"set.fcmp.int.bfloat d, a, b", "9.7.7.1"},
    {"set.fcmp.boolop.int.bfloat d, a, b, {!}c", "9.7.7.1"},
    {"setp.fcmp{.ftz}.half p{|q}, a, b", "9.7.7.2"},
    {"setp.fcmp.boolop{.ftz}.half p{|q}, a, b, {!}c", "9.7.7.2"},
    {"setp.fcmp.bfloat p{|q}, a, b", "9.7.7.2"},
    {"setp.fcmp.boolop.bfloat p{|q}, a, b, {!}c", "9.7.7.2"},

    {"and.logical d, a, b", "9.7.8.1"},
    {"or.logical d, a, b", "9.7.8.2"},
    {"xor.logical d, a, b", "9.7.8.3"},
    {"not.logical d, a", "9.7.8.4"},
    {"cnot.bits d, a", "9.7.8.5"},
    {"lop3.b32 d, a, b, c, immLut", "9.7.8.6"},
    {"lop3.boolop.b32 d|p, a, b, c, immLut, q", "9.7.8.6"},
    {"shf.lr.shfmode.b32 d, a, b, c", "9.7.8.7"},
    {"shl.bits d, a, b", "9.7.8.8"},
    {"shr.shiftable d, a, b", "9.7.8.9"},
};
static_assert(unambiguous(rows));
static_assert(owners(rows, "setp.lt.and.ftz.f32") == 1 && owners(rows, "setp.lt.b32") == 0);
static_assert(owners(rows, "set.eq.f16.f16") == 1 && owners(rows, "setp.hi.u64") == 1);

}  // namespace

std::span<const Form> compare_forms() { return rows; }

}  // namespace headroom::ptx
