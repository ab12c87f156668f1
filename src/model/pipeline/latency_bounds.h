// What a launch takes at least however much it has in flight: what comes one after the other in it.
//
//   launch 1.50 µs; critical path 3.13 µs, its longest warp alone; block starts 9.83 µs, 124 a multiprocessor; …
#pragma once
#include <vector>

#include "model/pipeline/launch_time.h"

namespace headroom {

// The largest first. Each with the start of the launch in it.
std::vector<LatencyBound> latency_bounds(const LaunchModel&, const LaunchTime&);

}  // namespace headroom
