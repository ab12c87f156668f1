// Forms of textures and surfaces.  Source: PTX ISA 9.0, sections 9.7.10 and 9.7.11.
#include "ptx/forms_pattern.h"
#include "ptx/forms_table.h"

namespace headroom::ptx {
namespace {

constexpr Form rows[] = {
    {"tex.geom.v4.tex_dtype.tex_ctype d{|p}, [a, c]{, e, f}", "9.7.10.3"},
    {"tex.geom.v2.f16x2.tex_ctype d{|p}, [a, c]{, e, f}", "9.7.10.3"},
    {"tex.level.geom.v4.tex_dtype.tex_ctype d{|p}, [a, c], lod{, e, f}", "9.7.10.3"},
    {"tex.grad.geom.v4.tex_dtype.tex_ctype d{|p}, [a, c], dPdx, dPdy{, e, f}", "9.7.10.3"},
    {"tex.base.geom.v4.tex_dtype.tex_ctype d{|p}, [a, c]{, e, f}", "9.7.10.3"},
    {"tld4.comp.geom.v4.tex_dtype.f32 d{|p}, [a, c]{, e, f}", "9.7.10.4"},
    {"txq.query.b32 d, [a]", "9.7.10.5"},
    {"txq.level.query.b32 d, [a], lod", "9.7.10.5"},
    {"istypep.opaque p, a", "9.7.10.6"},
    {"suld.b.geom{.ldcop}{.surf_vec}.surf_type.clamp_mode d, [a, b]", "9.7.11.1"},
    {"sust.b.geom{.stcop}{.surf_vec}.surf_type.clamp_mode [a, b], c", "9.7.11.2"},
    {"sust.p.geom{.surf_vec}.b32.clamp_mode [a, b], c", "9.7.11.2"},
    {"sured.b.redop.geom.sured_type.clamp_mode [a, b], c", "9.7.11.3"},
    {"sured.p.redop.geom.b32.clamp_mode [a, b], c", "9.7.11.3"},
    {"suq.query.b32 d, [a]", "9.7.11.4"},
};
static_assert(unambiguous(rows));
static_assert(owners(rows, "tex.2d.v4.f32.f32") == 1);

}  // namespace

std::span<const Form> texture_forms() { return rows; }

}  // namespace headroom::ptx
