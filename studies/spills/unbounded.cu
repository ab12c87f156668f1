// rung    unbounded
// idea    64 values a thread, and as many registers as the compiler likes
// expect  local_load_requests = 0
// next    two_blocks: a promise of two blocks an SM, which costs nothing here
//
// Values and loop take some 70 registers: nothing spills, and three blocks are resident an SM, three eighths
// of its warps. Each round has 64 operations a thread that hardly wait for one another, more than enough to
// hide the latency of arithmetic.
#include "studies/spills/spills.h"

namespace {

__global__ void __launch_bounds__(spills::threads) unbounded_kernel(spills::Work work) {
  spills::thread_rounds<64>(work);
}

}  // namespace

const spills::Rung spills::unbounded{64, 0, reinterpret_cast<const void*>(unbounded_kernel),
                                     launch<unbounded_kernel>};
