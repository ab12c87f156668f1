// The operations of mbarrier.*: a lane at a time, in lane order.
//
//   mbarrier.arrive.shared.b64 %rd1, [%r1], %r2;   operand[0] = %rd1 or none, [1] = %r1, [2] = %r2
#pragma once
#include <string>

#include "sim/mbarrier.h"
#include "sim/program.h"

namespace headroom::sim {

// Bits of Operation::extra; the address of a barrier is operand[1] + Operation::offset.
inline constexpr uint64_t wide_address = 1, generic_address = 2, drops = 4, must_not_complete = 8,
                          expects = 16,  // operand[2] counts transactions, not arrivals
    awaited = 32;                        // .noinc: the barrier waits for this arrival anyhow

void mbarrier_init(Warp&, const Operation&);
void mbarrier_inval(Warp&, const Operation&);
void mbarrier_expect(Warp&, const Operation&);
void mbarrier_complete(Warp&, const Operation&);
// operand[0]: state; [2]: 32-bit count or transactions
void mbarrier_arrive(Warp&, const Operation&);
// test_wait, try_wait; operand[0]: predicate; [2]: state
void mbarrier_state(Warp&, const Operation&);
void mbarrier_parity(Warp&, const Operation&);   // the same with a 32-bit parity
void mbarrier_pending(Warp&, const Operation&);  // operand[0]: 32-bit count; [1]: state
void mbarrier_copies(Warp&, const Operation&);   // cp.async.mbarrier.arrive, whose copies are done

bool tests_barrier(const Operation&);  // test_wait, try_wait

// What a test_wait or try_wait waits for: "an mbarrier at offset 0 of shared memory, where 32 of 64
// arrivals are pending".
std::string describe_wait(const Warp&, const Operation&, int lane);

// A copy of a lane that has ended: `bytes` less for the barrier at that shared address to wait for.
void complete_transactions(const Warp&, const Operation&, int lane, uint64_t barrier,
                           int64_t bytes);

}  // namespace headroom::sim
