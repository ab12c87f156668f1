// Forms of scalar and packed video instructions.  Source: PTX ISA 9.0, section 9.7.18.
#include "ptx/forms_pattern.h"
#include "ptx/forms_table.h"

namespace headroom::ptx {
namespace {

constexpr Form rows[] = {
    {"vadd.i32.i32.i32{.sat} d, a, b{, c}", "9.7.18.1.1"},
    {"vadd.i32.i32.i32{.sat}.video_op d, a, b, c", "9.7.18.1.1"},
    {"vsub.i32.i32.i32{.sat} d, a, b{, c}", "9.7.18.1.1"},
    {"vsub.i32.i32.i32{.sat}.video_op d, a, b, c", "9.7.18.1.1"},
    {"vabsdiff.i32.i32.i32{.sat} d, a, b{, c}", "9.7.18.1.1"},
    {"vabsdiff.i32.i32.i32{.sat}.video_op d, a, b, c", "9.7.18.1.1"},
    {"vmin.i32.i32.i32{.sat} d, a, b{, c}", "9.7.18.1.1"},
    {"vmin.i32.i32.i32{.sat}.video_op d, a, b, c", "9.7.18.1.1"},
    {"vmax.i32.i32.i32{.sat} d, a, b{, c}", "9.7.18.1.1"},
    {"vmax.i32.i32.i32{.sat}.video_op d, a, b, c", "9.7.18.1.1"},
    {"vshl.u32.i32.u32{.sat}.shfmode d, a, b{, c}", "9.7.18.1.2"},
    {"vshl.u32.i32.u32{.sat}.shfmode.video_op d, a, b, c", "9.7.18.1.2"},
    {"vshr.u32.i32.u32{.sat}.shfmode d, a, b{, c}", "9.7.18.1.2"},
    {"vshr.u32.i32.u32{.sat}.shfmode.video_op d, a, b, c", "9.7.18.1.2"},
    {"vmad.i32.i32.i32{.sat}{.video_scale} d, a, b, c", "9.7.18.1.3"},
    {"vmad.i32.i32.i32.po{.sat}{.video_scale} d, a, b, c", "9.7.18.1.3"},
    {"vset.i32.i32.scmp d, a, b{, c}", "9.7.18.1.4"},
    {"vset.i32.i32.scmp.video_op d, a, b, c", "9.7.18.1.4"},
    {"vadd2.i32.i32.i32{.sat} d, a, b, c", "9.7.18.2.1"},
    {"vadd2.i32.i32.i32.add d, a, b, c", "9.7.18.2.1"},
    {"vsub2.i32.i32.i32{.sat} d, a, b, c", "9.7.18.2.1"},
    {"vsub2.i32.i32.i32.add d, a, b, c", "9.7.18.2.1"},
    {"vavrg2.i32.i32.i32{.sat} d, a, b, c", "9.7.18.2.1"},
    {"vavrg2.i32.i32.i32.add d, a, b, c", "9.7.18.2.1"},
    {"vabsdiff2.i32.i32.i32{.sat} d, a, b, c", "9.7.18.2.1"},
    {"vabsdiff2.i32.i32.i32.add d, a, b, c", "9.7.18.2.1"},
    {"vmin2.i32.i32.i32{.sat} d, a, b, c", "9.7.18.2.1"},
    {"vmin2.i32.i32.i32.add d, a, b, c", "9.7.18.2.1"},
    {"vmax2.i32.i32.i32{.sat} d, a, b, c", "9.7.18.2.1"},
    {"vmax2.i32.i32.i32.add d, a, b, c", "9.7.18.2.1"},
    {"vset2.i32.i32.scmp{.add} d, a, b, c", "9.7.18.2.2"},
    {"vadd4.i32.i32.i32{.sat} d, a, b, c", "9.7.18.2.3"},
    {"vadd4.i32.i32.i32.add d, a, b, c", "9.7.18.2.3"},
    {"vsub4.i32.i32.i32{.sat} d, a, b, c", "9.7.18.2.3"},
    {"vsub4.i32.i32.i32.add d, a, b, c", "9.7.18.2.3"},
    {"vavrg4.i32.i32.i32{.sat} d, a, b, c", "9.7.18.2.3"},
    {"vavrg4.i32.i32.i32.add d, a, b, c", "9.7.18.2.3"},
    {"vabsdiff4.i32.i32.i32{.sat} d, a, b, c", "9.7.18.2.3"},
    {"vabsdiff4.i32.i32.i32.add d, a, b, c", "9.7.18.2.3"},
    {"vmin4.i32.i32.i32{.sat} d, a, b, c", "9.7.18.2.3"},
    {"vmin4.i32.i32.i32.add d, a, b, c", "9.7.18.2.3"},
    {"vmax4.i32.i32.i32{.sat} d, a, b, c", "9.7.18.2.3"},
    {"vmax4.i32.i32.i32.add d, a, b, c", "9.7.18.2.3"},
    {"vset4.i32.i32.scmp{.add} d, a, b, c", "9.7.18.2.4"},
};
static_assert(unambiguous(rows));
static_assert(owners(rows, "vabsdiff4.u32.u32.u32.add") == 1);

}  // namespace

std::span<const Form> video_forms() { return rows; }

}  // namespace headroom::ptx
