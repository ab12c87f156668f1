// st.async and red.async: a lane's store or reduction into shared memory of a block of the cluster,
// which then tells a barrier there how many bytes came.
//
//   st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r1], %r2, [%r3];
#pragma once
#include "sim/program.h"

namespace headroom::sim {

// operand[0 … 3]: data, Operation::bytes a lane each, Operation::extra of them (red.async: [1],
// done by Operation::move); [4]: the barrier, [5]: the place, both 64-bit addresses in shared
// memory.
void store_remotely(Warp&, const Operation&);
void reduce_remotely(Warp&, const Operation&);
bool is_remote_store(const Operation&);  // one of the two
uint64_t barrier_of_remote_store(const Warp&, const Operation&, int lane);

}  // namespace headroom::sim
