// Forms of asynchronous copies.  Source: PTX ISA 9.0, sections 9.7.9.25 and 9.7.9.27.
#include "ptx/forms_pattern.h"
#include "ptx/forms_table.h"

namespace headroom::ptx {
namespace {

constexpr Form rows[] = {
    {"cp.async.ca.shared_cta.global{.hint}{.prefetch_size} [dst], [src], cp-size{, src-size}{, "
     "cache-policy}",
     "9.7.9.25.3.1"},
    {"cp.async.cg.shared_cta.global{.hint}{.prefetch_size} [dst], [src], 16{, src-size}{, "
     "cache-policy}",
     "9.7.9.25.3.1"},
    {"cp.async.commit_group", "9.7.9.25.3.2"},
    {"cp.async.wait_group n", "9.7.9.25.3.3"},
    {"cp.async.wait_all", "9.7.9.25.3.3"},
    {"cp.async.bulk.bulk_space.bulk_space.bulk_done{.multicast::cluster}{.hint} "
     "[dstMem], [srcMem], size{, mbar, ctaMask, cache-policy}",
     "9.7.9.25.4.1"},
    {"cp.async.bulk.bulk_space.bulk_space.bulk_done{.hint}.cp_mask "
     "[dstMem], [srcMem], size, cache-policy{, byteMask}",
     "9.7.9.25.4.1"},
    {"cp.reduce.async.bulk.bulk_space.bulk_space.bulk_done{.hint}.bulk_redop{.noftz}.bulk_type "
     "[dstMem], [srcMem], size{, mbar, cache-policy}",
     "9.7.9.25.4.2"},
    {"cp.async.bulk.prefetch.L2.global{.hint} [srcMem], size{, cache-policy}", "9.7.9.25.4.3"},
    {"cp.async.bulk.tensor.dim.bulk_space.bulk_space{.load_mode}.bulk_done{.multicast::cluster}"
     "{.cta_group}{.hint} [dst], [src]{, mbar, im2colInfo, ctaMask, cache-policy}",
     "9.7.9.25.5.2"},
    {"cp.reduce.async.bulk.tensor.dim.global.shared::cta.bulk_redop{.load_mode}.bulk_group{.hint} "
     "[tensorMap, tensorCoords], [srcMem]{, cache-policy}",
     "9.7.9.25.5.3"},
    {"cp.async.bulk.prefetch.tensor.dim.L2.global{.load_mode}{.hint} "
     "[tensorMap, tensorCoords]{, im2colInfo, cache-policy}",
     "9.7.9.25.5.4"},
    {"cp.async.bulk.commit_group", "9.7.9.25.6.1"},
    {"cp.async.bulk.wait_group{.read} n", "9.7.9.25.6.2"},
    {"tensormap.replace.tile.tensormap_field{.global}.b1024.b32_64 [addr], new_val", "9.7.9.27"},
    {"tensormap.replace.tile.tensormap_field.shared_cta.b1024.b32_64 [addr], new_val", "9.7.9.27"},
    {"tensormap.replace.tile.tensormap_ordinal{.global}.b1024.b32_64 [addr], ord, new_val",
     "9.7.9.27"},
    {"tensormap.replace.tile.tensormap_ordinal.shared_cta.b1024.b32_64 [addr], ord, new_val",
     "9.7.9.27"},
};
static_assert(unambiguous(rows));
static_assert(owners(rows, "cp.async.cg.shared.global.L2::128B") == 1);

}  // namespace

std::span<const Form> async_forms() { return rows; }

}  // namespace headroom::ptx
