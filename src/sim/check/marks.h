// Operations that a program decoded to be watched has beside its own: they do nothing but tell the
// launch's Checker of what orders accesses, and are no accesses themselves; mark_members ends the launch where a lane
// does not name itself.
//
//   membar.gl;                              mark_fence
//   vote.sync.ballot.b32 %r2, %p1, %r1;     mark_members, then the vote
//   bar.warp.sync %r1;                      mark_members, mark_warp_sync
//   cp.async.commit_group;                  mark_copy_commit
//   cp.async.wait_group 1;                  mark_copy_wait
//   mbarrier.init.shared.b64 [%r1], 32;     mark_making, then the barrier is made
//   mbarrier.arrive.shared.b64 _, [%r1];    mark_arrival, the arrival, mark_use
//   mbarrier.test_wait.shared.b64 %p1, …    the test, then mark_wait and mark_use
//   cp.async.bulk.wait_group.read 0;        mark_bulk_wait
//   wgmma.mma_async.sync.aligned…           mark_product, then the product
#pragma once
#include "sim/program.h"

namespace headroom::sim::check {

void mark_fence(Warp&, const Operation&);
void mark_warp_sync(Warp&, const Operation&);
void mark_members(Warp&, const Operation&);  // operand[0]: the lanes that each lane names
void mark_copy_commit(Warp&, const Operation&);
void mark_copy_wait(Warp&, const Operation&);  // extra: groups that may be left
// operand[1], offset and extra as those of mbarrier_operations.h; operand[0] of the wait: whether the
// phase has ended
void mark_arrival(Warp&, const Operation&);
void mark_wait(Warp&, const Operation&);
void mark_making(Warp&, const Operation&);  // of an mbarrier, which those who use it come after
void mark_end(Warp&, const Operation&);  // … who ends it need not: libcu++ elects a lane of a warp
void mark_change(Warp&,
                 const Operation&);      // what it counts, but no arrival: expect_tx, complete_tx
void mark_use(Warp&, const Operation&);  // it is used: an access in some order with its making
void mark_bulk_commit(Warp&, const Operation&);
void mark_bulk_wait(Warp&, const Operation&);  // extra: groups that may be left; offset: .read
void mark_product(Warp&, const Operation&);    // offset and extra as the product's
void mark_product_commit(Warp&, const Operation&);
void mark_product_fence(Warp&, const Operation&);  // that it runs is all
void mark_product_wait(Warp&, const Operation&);   // extra: groups that may be left

}  // namespace headroom::sim::check
