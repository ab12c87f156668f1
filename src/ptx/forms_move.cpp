// Forms that move data: registers, memory, caches, addresses.  Source: PTX ISA 9.0, section 9.7.9.
// Where libraries write the space before .volatile, .acquire and the like, or shfl.down.sync, ptxas
// takes it: rows too.
#include "ptx/forms_pattern.h"
#include "ptx/forms_table.h"

namespace headroom::ptx {
namespace {

constexpr Form rows[] = {
    {"mov.movable d, a", "9.7.9.3"},
    {"shfl.shflmode.b32 d{|p}, a, b, c", "9.7.9.5"},
    {"shfl.sync.shflmode.b32 d{|p}, a, b, c, membermask", "9.7.9.6"},
    {"shfl.shflmode.sync.b32 d{|p}, a, b, c, membermask", "9.7.9.6"},
    {"prmt.b32{.prmtmode} d, a, b, c", "9.7.9.7"},

    {"ld{.weak}{.space}{.level1}{.level2}{.hint}{.prefetch_size}{.vec}.stored d, [a]{, "
     "cache-policy}",
     "9.7.9.8"},
    {"ld{.weak}{.space}.ldcop{.hint}{.prefetch_size}{.vec}.stored d, [a]{, cache-policy}",
     "9.7.9.8"},
    {"ld.volatile{.space}{.prefetch_size}{.vec}.stored d, [a]", "9.7.9.8"},
    {"ld.ldsem.scope{.space}{.level1}{.level2}{.hint}{.prefetch_size}{.vec}.stored d, [a]{, "
     "cache-policy}",
     "9.7.9.8"},
    {"ld.space.volatile{.vec}.stored d, [a]", "9.7.9.8"},
    {"ld.space.ldsem.scope{.vec}.stored d, [a]", "9.7.9.8"},
    {"ld.mmio.relaxed.sys{.global}.stored d, [a]", "9.7.9.8"},
    {"ld.global{.nccop}.nc{.level1}{.level2}{.hint}{.prefetch_size}{.vec}.stored d, [a]{, "
     "cache-policy}",
     "9.7.9.9"},
    {"ldu{.global}{.vec}.stored d, [a]", "9.7.9.10"},

    {"st{.weak}{.wspace}{.level1}{.level2}{.hint}{.vec}.stored [a], b{, cache-policy}", "9.7.9.11"},
    {"st{.weak}{.wspace}.stcop{.hint}{.vec}.stored [a], b{, cache-policy}", "9.7.9.11"},
    {"st.volatile{.wspace}{.vec}.stored [a], b", "9.7.9.11"},
    {"st.stsem.scope{.wspace}{.level1}{.level2}{.hint}{.vec}.stored [a], b{, cache-policy}",
     "9.7.9.11"},
    {"st.wspace.volatile{.vec}.stored [a], b", "9.7.9.11"},
    {"st.wspace.stsem.scope{.vec}.stored [a], b", "9.7.9.11"},
    {"st.mmio.relaxed.sys{.global}.stored [a], b", "9.7.9.11"},
    {"st.async{.weak}{.shared::cluster}{.mbarrier::complete_tx::bytes}{.vec}.stored [a], b, [mbar]",
     "9.7.9.12"},
    {"st.bulk{.weak}{.shared_cta} [a], size, initval", "9.7.9.13"},
    {"multimem.ld_reduce{.ldsem}{.scope}{.global}.bulk_redop{.acc::f32}{.vec}.bulk_type d, [a]",
     "9.7.9.14"},
    {"multimem.ld_reduce{.ldsem}{.scope}{.global}.bulk_redop{.acc::f32}{.vec}.half_pair d, [a]",
     "9.7.9.14"},
    {"multimem.st{.stsem}{.scope}{.global}{.vec}.stored [a], b", "9.7.9.14"},
    {"multimem.red{.redsem}{.scope}{.global}.bulk_redop{.vec}.bulk_type [a], b", "9.7.9.14"},
    {"multimem.red{.redsem}{.scope}{.global}.bulk_redop{.vec}.half_pair [a], b", "9.7.9.14"},

    {"prefetch{.global}.L1 [a]", "9.7.9.15"},
    {"prefetch{.global}.L2 [a]", "9.7.9.15"},
    {"prefetch.local.L1 [a]", "9.7.9.15"},
    {"prefetch.local.L2 [a]", "9.7.9.15"},
    {"prefetch{.global}.level2 [a]", "9.7.9.15"},
    {"prefetch{.space}.tensormap [a]", "9.7.9.15"},
    {"prefetchu.L1 [a]", "9.7.9.15"},
    {"applypriority{.global}.L2::evict_normal [a], size", "9.7.9.16"},
    {"discard{.global}.L2 [a], size", "9.7.9.17"},
    {"createpolicy.fractional.policy.b64 cache-policy{, fraction}", "9.7.9.18"},
    {"createpolicy.fractional.policy.policy.b64 cache-policy{, fraction}", "9.7.9.18"},
    {"createpolicy.range{.global}.policy{.policy}.b64 cache-policy, [a], primary-size, total-size",
     "9.7.9.18"},
    {"createpolicy.cvt.L2.b64 cache-policy, access-property", "9.7.9.18"},
    {"isspacep.gspace p, a", "9.7.9.19"},
    {"cvta.gspace.size p, a", "9.7.9.20"},
    {"cvta.to.gspace.size p, a", "9.7.9.20"},
    {"mapa{.shared::cluster}.size d, a, b", "9.7.9.23"},
    {"getctarank{.shared::cluster}.size d, a", "9.7.9.24"},
};
static_assert(unambiguous(rows));
static_assert(owners(rows, "ld.global.nc.v4.f32") == 1 && owners(rows, "ld.v4.global.f32") == 0);
static_assert(owners(rows, "ld.relaxed.sys.b64") == 1 && owners(rows, "mov.pred") == 1);

}  // namespace

std::span<const Form> move_forms() { return rows; }

}  // namespace headroom::ptx
