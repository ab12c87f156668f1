// Occupancy over the size of a block, over registers and over shared memory: a line of bars each, or
// a drawing.
//
//   warps of an SM, of 64, over        from                                    to
//   threads a block            32  ▆███▇███▆███▆▇▇▇█▆▆▆▇▇▇▇████▄▄▄▄▅▅▅▅▆▆▆▆▆▇▇█  1024   here 256: 64
#pragma once
#include <string>
#include <vector>

#include "machine/machine.h"
#include "model/curves.h"
#include "report/document.h"

namespace headroom {

Document occupancy_curves_document(const Machine&, const std::vector<OccupancyCurve>&);

// Of one kernel: its name (empty: of numbers alone) and its curves.
struct NamedCurves {
  std::string kernel;
  std::vector<OccupancyCurve> curves;
};
// One panel for each curve, a row for each kernel; dark where the reader's system is.
std::string occupancy_svg(const Machine&, const std::vector<NamedCurves>&);

}  // namespace headroom
