// Occupancy as one of the things that decide it changes and the others stay: what a calculator draws.
//
//   occupancy_curves(h200, launch, resources)
//     ->  {"threads a block", here 256, steps {32: 8 warps, 64: 16, …}}, {"registers a thread", …},
//         {"shared memory a block", …}
//
// A step begins where the warps of an SM change, and holds until the next one.
#pragma once
#include <string>
#include <vector>

#include "model/occupancy.h"

namespace headroom {

struct OccupancyStep {
  double from = 0;
  int blocks = 0, warps = 0;
};

struct OccupancyCurve {
  std::string over, unit;  // "shared memory a block", "B"
  std::optional<double> here;
  double last = 0;  // the most that a block may have
  std::vector<OccupancyStep> steps;
};

// Without the curve over registers where their number is not known.
std::vector<OccupancyCurve> occupancy_curves(const Machine&, const BlockShape&);
std::vector<OccupancyCurve> occupancy_curves(const Machine&, const LaunchShape&, const Resources&);

}  // namespace headroom
