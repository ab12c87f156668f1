// Forms of barriers in shared memory.  Source: PTX ISA 9.0, section 9.7.13.15.
#include "ptx/forms_pattern.h"
#include "ptx/forms_table.h"

namespace headroom::ptx {
namespace {

constexpr Form rows[] = {
    {"mbarrier.init{.shared_cta}.b64 [addr], count", "9.7.13.15.9"},
    {"mbarrier.inval{.shared_cta}.b64 [addr]", "9.7.13.15.10"},
    {"mbarrier.expect_tx{.relaxed}{.cta_cluster}{.shared_space}.b64 [addr], tx-count",
     "9.7.13.15.11"},
    {"mbarrier.complete_tx{.relaxed}{.cta_cluster}{.shared_space}.b64 [addr], tx-count",
     "9.7.13.15.12"},
    // Space first, as CUTLASS writes it.
    {"mbarrier.complete_tx.shared_space.relaxed.cta_cluster.b64 [addr], tx-count", "9.7.13.15.12"},
    {"mbarrier.arrive{.arrive_sem}{.cta_cluster}{.shared_space}.b64 state, [addr]{, count}",
     "9.7.13.15.13"},
    {"mbarrier.arrive.expect_tx{.arrive_sem}{.cta_cluster}{.shared_space}.b64 state, [addr], "
     "tx-count",
     "9.7.13.15.13"},
    {"mbarrier.arrive.noComplete{.release}{.cta}{.shared_cta}.b64 state, [addr], count",
     "9.7.13.15.13"},
    {"mbarrier.arrive_drop{.arrive_sem}{.cta_cluster}{.shared_space}.b64 state, [addr]{, count}",
     "9.7.13.15.14"},
    {"mbarrier.arrive_drop.expect_tx{.arrive_sem}{.cta_cluster}{.shared_space}.b64 state, [addr], "
     "tx-count",
     "9.7.13.15.14"},
    {"mbarrier.arrive_drop.noComplete{.release}{.cta}{.shared_cta}.b64 state, [addr], count",
     "9.7.13.15.14"},
    {"cp.async.mbarrier.arrive{.noinc}{.shared_cta}.b64 [addr]", "9.7.13.15.15"},
    {"mbarrier.test_wait{.wait_sem}{.cta_cluster}{.shared_cta}.b64 waitComplete, [addr], state",
     "9.7.13.15.16"},
    {"mbarrier.test_wait.parity{.wait_sem}{.cta_cluster}{.shared_cta}.b64 waitComplete, [addr], "
     "phaseParity",
     "9.7.13.15.16"},
    {"mbarrier.try_wait{.wait_sem}{.cta_cluster}{.shared_cta}.b64 waitComplete, [addr], state{, "
     "limit}",
     "9.7.13.15.16"},
    {"mbarrier.try_wait.parity{.wait_sem}{.cta_cluster}{.shared_cta}.b64 "
     "waitComplete, [addr], phaseParity{, limit}",
     "9.7.13.15.16"},
    {"mbarrier.pending_count.b64 count, state", "9.7.13.15.17"},
    {"tensormap.cp_fenceproxy.global.shared_cta.tensormap::generic.release.scope.sync.aligned "
     "[dst], [src], size",
     "9.7.13.16"},
    {"clusterlaunchcontrol.try_cancel.async{.shared_cta}.mbarrier::complete_tx::bytes"
     "{.multicast::cluster::all}.b128 [addr], [mbar]",
     "9.7.13.17"},
    {"clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 p, response", "9.7.13.18"},
    {"clusterlaunchcontrol.query_cancel.get_first_ctaid{.v4}.b32.b128 d, response", "9.7.13.18"},
    {"clusterlaunchcontrol.query_cancel.first_ctaid.b32.b128 d, response", "9.7.13.18"},
};
static_assert(unambiguous(rows));
static_assert(owners(rows, "mbarrier.try_wait.parity.shared::cta.b64") == 1);

}  // namespace

std::span<const Form> mbarrier_forms() { return rows; }

}  // namespace headroom::ptx
