// rung    two_blocks
// idea    ask for two blocks an SM
// expect  local_load_requests = 0
// next    four_blocks: twice as many, with 64 registers a thread
//
// The compiler may use 128 registers a thread and needs fewer, so that this is as good as the code before.
#include "studies/spills/spills.h"

namespace {

__global__ void __launch_bounds__(spills::threads, 2) two_blocks_kernel(spills::Work work) {
  spills::thread_rounds<64>(work);
}

}  // namespace

const spills::Rung spills::two_blocks{64, 2, reinterpret_cast<const void*>(two_blocks_kernel),
                                      launch<two_blocks_kernel>};
