// The named sets of modifiers that rows of forms.h refer to: `.rnd` in a row stands for one of .rn
// .rz .rm .rp.
//
// The names are the manual's where it has one name for one set; where it reuses a name (.type, .op)
// the set has a name of its own. A `*` stands for a number: m64n*k16.  Source: PTX ISA 9.0, the
// syntax blocks of chapter 9.7.
#pragma once
#include <string_view>

namespace headroom::ptx {

struct Set {
  std::string_view name, members;
};

inline constexpr Set sets[] = {
    // Types
    {".int", ".u16 .u32 .u64 .s16 .s32 .s64"},
    {".int_x2", ".u16x2 .s16x2"},
    {".unsigned", ".u16 .u32 .u64"},
    {".relu_last", ".s16x2 .s32"},
    {".signed", ".s16 .s32 .s64"},
    {".i16_32", ".u16 .u32 .s16 .s32"},
    {".i32", ".u32 .s32"},
    {".i32_64", ".u32 .u64 .s32 .s64"},
    {".bits", ".b16 .b32 .b64"},
    {".b32_64", ".b32 .b64"},
    {".logical", ".pred .b16 .b32 .b64"},
    {".shiftable", ".u16 .u32 .u64 .s16 .s32 .s64 .b16 .b32 .b64"},
    {".f32_64", ".f32 .f64"},
    {".half", ".f16 .f16x2"},
    {".bfloat", ".bf16 .bf16x2"},
    {".halves", ".f16 .f16x2 .bf16 .bf16x2"},
    {".half_scalar", ".f16 .bf16"},
    {".half_pair", ".f16x2 .bf16x2"},
    {".scalar", ".b16 .b32 .b64 .u16 .u32 .u64 .s16 .s32 .s64 .f32 .f64"},
    {".movable", ".pred .b16 .b32 .b64 .b128 .u16 .u32 .u64 .s16 .s32 .s64 .f32 .f64"},
    {".stored", ".b8 .b16 .b32 .b64 .b128 .u8 .u16 .u32 .u64 .s8 .s16 .s32 .s64 .f32 .f64"},
    {".convertible", ".u8 .u16 .u32 .u64 .s8 .s16 .s32 .s64 .f16 .bf16 .f32 .f64"},
    {".size", ".u32 .u64"},
    {".f8x2", ".e4m3x2 .e5m2x2"},
    {".f6x2", ".e2m3x2 .e3m2x2"},
    {".f8x4", ".e4m3x4 .e5m2x4 .e2m3x4 .e3m2x4"},
    {".i16", ".u16 .s16"},
    {".packed", ".u2 .s2 .u4 .s4 .u8 .s8"},
    // Rounding and comparison
    {".ernd", ".rz .rp"},
    {".rnd", ".rn .rz .rm .rp"},
    {".crnd", ".rni .rzi .rmi .rpi .rn .rz .rm .rp"},
    {".rnd2", ".rn .rz"},
    {".equality", ".eq .ne"},
    {".scmp", ".eq .ne .lt .le .gt .ge"},
    {".ucmp", ".eq .ne .lt .le .gt .ge .lo .ls .hi .hs"},
    {".fcmp", ".eq .ne .lt .le .gt .ge .equ .neu .ltu .leu .gtu .geu .num .nan"},
    {".boolop", ".and .or .xor"},
    {".testop", ".finite .infinite .number .notanumber .normal .subnormal"},
    {".hl", ".hi .lo"},
    {".shfmode", ".clamp .wrap"},
    {".prmtmode", ".f4e .b4e .rc8 .ecl .ecr .rc16"},
    {".lr", ".l .r"},
    // Memory
    {".space",
     ".global .local .param .param::entry .param::func .shared .shared::cta .shared::cluster "
     ".const"},
    {".wspace", ".global .local .param .param::func .shared .shared::cta .shared::cluster"},
    {".aspace", ".global .shared .shared::cta .shared::cluster"},
    {".gspace", ".global .local .shared .shared::cta .shared::cluster .const .param .param::entry"},
    {".shared_space", ".shared .shared::cta .shared::cluster"},
    {".shared_cta", ".shared .shared::cta"},
    {".vec", ".v2 .v4 .v8"},
    {".ldcop", ".ca .cg .cs .lu .cv"},
    {".nccop", ".ca .cg .cs"},
    {".stcop", ".wb .cg .cs .wt"},
    {".level1",
     ".L1::evict_normal .L1::evict_unchanged .L1::evict_first .L1::evict_last .L1::no_allocate"},
    {".level2", ".L2::evict_normal .L2::evict_first .L2::evict_last"},
    {".policy", ".L2::evict_last .L2::evict_normal .L2::evict_first .L2::evict_unchanged"},
    {".hint", ".L2::cache_hint"},
    {".prefetch_size", ".L2::64B .L2::128B .L2::256B"},
    {".scope", ".cta .cluster .gpu .sys"},
    {".ldsem", ".relaxed .acquire"},
    {".stsem", ".relaxed .release"},
    {".atomsem", ".relaxed .acquire .release .acq_rel"},
    {".redsem", ".relaxed .release"},
    {".fencesem", ".sc .acq_rel .acquire .release"},
    {".redop", ".and .or .xor .add .inc .dec .min .max"},
    {".addable", ".u32 .u64 .s32 .f32 .f64"},
    {".comparable", ".u32 .u64 .s32 .s64"},
    {".incdec", ".inc .dec"},
    {".exchangeable", ".b32 .b64 .b128"},
    {".swappable", ".b16 .b32 .b64 .b128"},
    {".vecop", ".add .min .max"},
    {".atom_bitop", ".and .or .xor"},
    {".minmax", ".min .max"},
    {".proxykind", ".alias .async"},
    {".membar_level", ".cta .gl .sys"},
    // Warps, barriers
    {".andor", ".and .or"},
    {".grid_action", ".launch_dependents .wait"},
    {".action", ".inc .dec"},
    {".votemode", ".all .any .uni"},
    {".shflmode", ".up .down .bfly .idx"},
    {".reduxop", ".add .min .max"},
    {".cta_cluster", ".cta .cluster"},
    {".first_ctaid", ".get_first_ctaid::x .get_first_ctaid::y .get_first_ctaid::z"},
    {".arrive_sem", ".release .relaxed"},
    {".wait_sem", ".acquire .relaxed"},
    // Matrices
    {".gshared", ".global .shared .shared::cta"},
    {".packed_source", ".b6x16_p32 .b4x16_p64"},
    {".mma_shape",
     ".m8n8k4 .m8n8k16 .m8n8k32 .m8n8k128 .m16n8k4 .m16n8k8 .m16n8k16 .m16n8k32 .m16n8k64 "
     ".m16n8k128 .m16n8k256"},
    {".mma_type", ".f16 .bf16 .tf32 .f32 .f64 .s8 .u8 .s4 .u4 .s32 .e4m3 .e5m2 .e3m2 .e2m3 .e2m1"},
    {".wmma_shape", ".m16n16k16 .m8n32k16 .m32n8k16 .m16n16k8 .m8n8k4 .m8n8k32 .m8n8k128"},
    {".wmma_type", ".f16 .bf16 .tf32 .f32 .f64 .s8 .u8 .s4 .u4 .s32 .b1"},
    {".layout", ".row .col"},
    {".bitop", ".xor .and"},
    {".sparse", ".sp .sp::ordered_metadata"},
    {".ldmatrix_shape", ".m8n8 .m16n16 .m8n16"},
    {".num", ".x1 .x2 .x4"},
    {".wgmma_shape", ".m64n*k8 .m64n*k16 .m64n*k32 .m64n*k64 .m64n*k256"},
    // Bulk copies
    {".dim", ".1d .2d .3d .4d .5d"},
    {".load_mode", ".tile .tile::gather4 .im2col .im2col_no_offs .im2col::w .im2col::w::128"},
    {".bulk_space", ".global .shared::cta .shared::cluster"},
    {".bulk_done", ".mbarrier::complete_tx::bytes .bulk_group"},
    {".cta_group", ".cta_group::1 .cta_group::2"},
    {".tensormap_field",
     ".global_address .rank .elemtype .interleave_layout .swizzle_mode .swizzle_atomicity "
     ".fill_mode"},
    {".tensormap_ordinal", ".box_dim .global_dim .global_stride .element_stride"},
    {".bulk_redop", ".and .or .xor .add .inc .dec .min .max"},
    {".bulk_type", ".f16 .bf16 .b32 .u32 .s32 .b64 .u64 .s64 .f32 .f64"},
    // Textures and video
    {".video_op", ".add .min .max"},
    {".video_scale", ".shr7 .shr15"},
    {".geom", ".1d .2d .3d .a1d .a2d .cube .acube .2dms .a2dms"},
    {".tex_dtype", ".u32 .s32 .f32 .f16x2"},
    {".tex_ctype", ".s32 .f32"},
    {".comp", ".r .g .b .a"},
    {".clamp_mode", ".trap .clamp .zero"},
    {".surf_type", ".b8 .b16 .b32 .b64"},
    {".opaque", ".texref .samplerref .surfref"},
    {".sured_type", ".u32 .u64 .s32 .s64 .b32"},
    {".surf_vec", ".v2 .v4"},
    {".query",
     ".width .height .depth .channel_data_type .channel_order .normalized_coords .array_size "
     ".num_mipmap_levels .num_samples .force_unnormalized_coords .filter_mode .addr_mode_0 "
     ".addr_mode_1 "
     ".addr_mode_2 .memory_layout"},
};

}  // namespace headroom::ptx
