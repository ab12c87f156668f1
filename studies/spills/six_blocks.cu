// rung    six_blocks
// idea    ask for six blocks an SM: 40 registers a thread
// expect  local_load_sectors / 0.297 against four_blocks
// next    eight_blocks: all warps that an SM has room for
//
// Most values are loaded and stored again in every round, 47 of 64. What L1 keeps of them is read at 128 bytes
// a clock, where registers give twelve times as much.
#include "studies/spills/spills.h"

namespace {

__global__ void __launch_bounds__(spills::threads, 6) six_blocks_kernel(spills::Work work) {
  spills::thread_rounds<64>(work);
}

}  // namespace

const spills::Rung spills::six_blocks{64, 6, reinterpret_cast<const void*>(six_blocks_kernel),
                                      launch<six_blocks_kernel>};
