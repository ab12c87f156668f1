// rung    sixteen_values
// idea    a smaller grain: 16 values a thread, four times the threads
// expect  local_load_requests = 0
// next    dynamic_index: local memory that no limit forced
//
// 16 values fit into 32 registers: full occupancy, and no spill. As many values are moved in all, in rings of
// 16. Where a smaller grain is possible it buys what launch bounds only promise.
#include "studies/spills/spills.h"

namespace {

__global__ void __launch_bounds__(spills::threads, 8) sixteen_values_kernel(spills::Work work) {
  spills::thread_rounds<16>(work);
}

}  // namespace

const spills::Rung spills::sixteen_values{
    16, 8, reinterpret_cast<const void*>(sixteen_values_kernel), launch<sixteen_values_kernel>};
