// The counter that moved a launch's time: of the hardware resource whose floor moved most with it,
// the counter that moved most.
//
//   predicted 12.0 -> 15.6 µs, floors {l1 2.1 -> 8.4 µs, dram cold 6.9 -> 6.9 µs}
//     ->  global_load_sectors 4096 -> 16384
//
// Where no floor moved as the time did: spills, occupancy, registers or shared memory that changed.
#pragma once
#include "model/comparison.h"

namespace headroom {

std::optional<Change> cause(const Figures& before, const Figures& after,
                            const std::vector<Change>& changes);

}  // namespace headroom
