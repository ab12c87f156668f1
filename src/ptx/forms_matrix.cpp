// Forms of matrix instructions of a warp and of a warpgroup.  Source: PTX ISA 9.0, sections 9.7.14
// and 9.7.15; nvcc writes the rounding of wmma.mma behind the types.
#include "ptx/forms_pattern.h"
#include "ptx/forms_table.h"

namespace headroom::ptx {
namespace {

constexpr Form rows[] = {
    {"wmma.load.a.sync.aligned.layout.wmma_shape{.gshared}.wmma_type r, [p]{, stride}",
     "9.7.14.4.3"},
    {"wmma.load.b.sync.aligned.layout.wmma_shape{.gshared}.wmma_type r, [p]{, stride}",
     "9.7.14.4.3"},
    {"wmma.load.c.sync.aligned.layout.wmma_shape{.gshared}.wmma_type r, [p]{, stride}",
     "9.7.14.4.3"},
    {"wmma.store.d.sync.aligned.layout.wmma_shape{.gshared}.wmma_type [p], r{, stride}",
     "9.7.14.4.4"},
    {"wmma.mma.sync.aligned.layout.layout.wmma_shape.wmma_type.wmma_type{.satfinite} d, a, b, c",
     "9.7.14.4.5"},
    {"wmma.mma.sync.aligned.layout.layout.wmma_shape{.rnd}.wmma_type.wmma_type.wmma_type.wmma_type"
     "{.satfinite} d, a, b, c",
     "9.7.14.4.5"},
    {"wmma.mma.sync.aligned.layout.layout.m8n8k4.f64.f64.f64.f64.rnd d, a, b, c", "9.7.14.4.5"},
    {"wmma.mma.bitop.popc.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32 d, a, b, c", "9.7.14.4.5"},
    {"mma.sync.aligned.mma_shape.layout.layout{.satfinite}.mma_type.mma_type.mma_type.mma_type d, "
     "a, b, c",
     "9.7.14.5"},
    {"mma.sync.aligned.mma_shape.layout.layout.rnd.f64.f64.f64.f64 d, a, b, c", "9.7.14.5"},
    {"mma.sync.aligned.mma_shape.row.col.s32.b1.b1.s32.bitop.popc d, a, b, c", "9.7.14.5"},
    {"mma.sync.aligned.mma_shape.row.col.kind::f8f6f4.mma_type.mma_type.mma_type.mma_type d, a, b, "
     "c",
     "9.7.14.5"},
    {"mma.sparse.sync.aligned.mma_shape.row.col{.satfinite}.mma_type.mma_type.mma_type.mma_type d, "
     "a, b, c, e, f",
     "9.7.14.6"},
    {"ldmatrix.sync.aligned.m8n8.num{.trans}{.shared_cta}.b16 r, [p]", "9.7.14.5.15"},
    {"ldmatrix.sync.aligned.num{.trans}.m8n8{.shared_cta}.b16 r, [p]", "9.7.14.5.15"},
    {"ldmatrix.sync.aligned.m16n16.num.trans{.shared_cta}.b8 r, [p]", "9.7.14.5.15"},
    {"ldmatrix.sync.aligned.ldmatrix_shape.num{.trans}{.shared_cta}.b8x16.packed_source r, [p]",
     "9.7.14.5.15"},
    {"stmatrix.sync.aligned.m8n8.num{.trans}{.shared_cta}.b16 [p], r", "9.7.14.5.16"},
    {"stmatrix.sync.aligned.num{.trans}.m8n8{.shared_cta}.b16 [p], r", "9.7.14.5.16"},
    {"stmatrix.sync.aligned.m16n8.num.trans{.shared_cta}.b8 [p], r", "9.7.14.5.16"},
    {"movmatrix.sync.aligned.m8n8.trans.b16 d, a", "9.7.14.5.17"},

    {"wgmma.mma_async.sync.aligned.wgmma_shape{.satfinite}.mma_type.mma_type.mma_type "
     "d, a, b-desc, scale-d{, imm-scale-a, imm-scale-b, imm-trans-a, imm-trans-b}",
     "9.7.15.5.2"},
    {"wgmma.mma_async.sync.aligned.wgmma_shape.s32.b1.b1.and.popc d, a, b-desc, scale-d",
     "9.7.15.5.2"},
    {"wgmma.mma_async.sparse.sync.aligned.wgmma_shape{.satfinite}.mma_type.mma_type.mma_type "
     "d, a, b-desc, sp-meta, sp-sel, scale-d{, imm-scale-a, imm-scale-b, imm-trans-a, imm-trans-b}",
     "9.7.15.6.2"},
    {"wgmma.fence.sync.aligned", "9.7.15.7.1"},
    {"wgmma.commit_group.sync.aligned", "9.7.15.7.2"},
    {"wgmma.wait_group.sync.aligned n", "9.7.15.7.3"},
};
static_assert(unambiguous(rows));
static_assert(owners(rows, "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32") == 1);
static_assert(owners(rows, "ldmatrix.sync.aligned.x4.trans.m8n8.shared.b16") ==
              1);  // as CUTLASS writes it
static_assert(owners(rows, "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16") == 1);

}  // namespace

std::span<const Form> matrix_forms() { return rows; }

}  // namespace headroom::ptx
