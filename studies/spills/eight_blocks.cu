// rung    eight_blocks
// idea    ask for eight blocks an SM: 32 registers a thread, 100 % occupancy
// expect  local_load_sectors / 0.845 against six_blocks
// next    sixteen_values: full occupancy with what fits into registers
//
// All but eight values are loaded and stored in every round. Occupancy is the highest, and so is the traffic.
#include "studies/spills/spills.h"

namespace {

__global__ void __launch_bounds__(spills::threads, 8) eight_blocks_kernel(spills::Work work) {
  spills::thread_rounds<64>(work);
}

}  // namespace

const spills::Rung spills::eight_blocks{64, 8, reinterpret_cast<const void*>(eight_blocks_kernel),
                                        launch<eight_blocks_kernel>};
