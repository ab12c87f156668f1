// Forms of integer arithmetic, plain and extended.  Source: PTX ISA 9.0, sections 9.7.1 and 9.7.2;
// nvcc writes .relu behind the type.
#include "ptx/forms_pattern.h"
#include "ptx/forms_table.h"

namespace headroom::ptx {
namespace {

constexpr Form rows[] = {
    {"add.unsigned d, a, b", "9.7.1.1"},
    {"add.s16 d, a, b", "9.7.1.1"},
    {"add.s64 d, a, b", "9.7.1.1"},
    {"add.int_x2 d, a, b", "9.7.1.1"},
    {"add{.sat}.s32 d, a, b", "9.7.1.1"},
    {"sub.unsigned d, a, b", "9.7.1.2"},
    {"sub.s16 d, a, b", "9.7.1.2"},
    {"sub.s64 d, a, b", "9.7.1.2"},
    {"sub{.sat}.s32 d, a, b", "9.7.1.2"},
    {"mul.hl.int d, a, b", "9.7.1.3"},
    {"mul.wide.i16_32 d, a, b", "9.7.1.3"},
    {"mad.hl.int d, a, b, c", "9.7.1.4"},
    {"mad.wide.i16_32 d, a, b, c", "9.7.1.4"},
    {"mad.hi.sat.s32 d, a, b, c", "9.7.1.4"},
    {"mul24.hl.i32 d, a, b", "9.7.1.5"},
    {"mad24.hl.i32 d, a, b, c", "9.7.1.6"},
    {"mad24.hi.sat.s32 d, a, b, c", "9.7.1.6"},
    {"sad.int d, a, b, c", "9.7.1.7"},
    {"div.int d, a, b", "9.7.1.8"},
    {"rem.int d, a, b", "9.7.1.9"},
    {"abs.signed d, a", "9.7.1.10"},
    {"neg.signed d, a", "9.7.1.11"},
    {"min.unsigned d, a, b", "9.7.1.12"},
    {"min.s16 d, a, b", "9.7.1.12"},
    {"min.s64 d, a, b", "9.7.1.12"},
    {"min{.relu}.s32 d, a, b", "9.7.1.12"},
    {"min{.relu}.s16x2 d, a, b", "9.7.1.12"},
    {"min.relu_last.relu d, a, b", "9.7.1.12"},
    {"min.u16x2 d, a, b", "9.7.1.12"},
    {"max.unsigned d, a, b", "9.7.1.13"},
    {"max.s16 d, a, b", "9.7.1.13"},
    {"max.s64 d, a, b", "9.7.1.13"},
    {"max{.relu}.s32 d, a, b", "9.7.1.13"},
    {"max{.relu}.s16x2 d, a, b", "9.7.1.13"},
    {"max.relu_last.relu d, a, b", "9.7.1.13"},
    {"max.u16x2 d, a, b", "9.7.1.13"},
    {"popc.b32_64 d, a", "9.7.1.14"},
    {"clz.b32_64 d, a", "9.7.1.15"},
    {"bfind{.shiftamt}.i32_64 d, a", "9.7.1.16"},
    {"fns.b32 d, mask, base, offset", "9.7.1.17"},
    {"brev.b32_64 d, a", "9.7.1.18"},
    {"bfe.i32_64 d, a, b, c", "9.7.1.19"},
    {"bfi.b32_64 f, a, b, c, d", "9.7.1.20"},
    {"szext.shfmode.i32 d, a, b", "9.7.1.21"},
    {"bmsk.shfmode.b32 d, a, b", "9.7.1.22"},
    {"dp4a.i32.i32 d, a, b, c", "9.7.1.23"},
    {"dp2a.hl.i32.i32 d, a, b, c", "9.7.1.24"},

    {"add.cc.i32_64 d, a, b", "9.7.2.1"},
    {"addc{.cc}.i32_64 d, a, b", "9.7.2.2"},
    {"sub.cc.i32_64 d, a, b", "9.7.2.3"},
    {"subc{.cc}.i32_64 d, a, b", "9.7.2.4"},
    {"mad.hl.cc.i32_64 d, a, b, c", "9.7.2.5"},
    {"madc.hl{.cc}.i32_64 d, a, b, c", "9.7.2.6"},
};
static_assert(unambiguous(rows));
static_assert(owners(rows, "add.s32") == 1 && owners(rows, "add.sat.u32") == 0);
static_assert(owners(rows, "dp4a.s32.s32") == 1 && owners(rows, "madc.lo.cc.u32") == 1);

}  // namespace

std::span<const Form> integer_forms() { return rows; }

}  // namespace headroom::ptx
