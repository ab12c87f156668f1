// rung    four_blocks
// idea    ask for four blocks an SM: 64 registers a thread
// expect  warp_instructions / 0.829 against two_blocks
// next    six_blocks: 40 registers a thread
//
// 64 values and what the loop needs do not fit into 64 registers: in each round some values, 14 by ptxas 13.0,
// are loaded from local memory and stored there. A third more warps are resident, and nothing was waiting for
// them.
#include "studies/spills/spills.h"

namespace {

__global__ void __launch_bounds__(spills::threads, 4) four_blocks_kernel(spills::Work work) {
  spills::thread_rounds<64>(work);
}

}  // namespace

const spills::Rung spills::four_blocks{64, 4, reinterpret_cast<const void*>(four_blocks_kernel),
                                       launch<four_blocks_kernel>};
