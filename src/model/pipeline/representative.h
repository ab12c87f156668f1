// Blocks that stand for a launch whose blocks do unlike work, where those of the sample do not: for each part of the grid's blocks, from
// those that do least to those that do most, the traced one that is nearest to it.
//
//   sample {212, 212, 215} of a grid of 200 … 2700, 684 in the mean; traced apart {190, 420, 650, 1500}   ->   {212, 420, 1500}
#pragma once
#include <optional>

#include "record/trace.h"

namespace headroom {

// Absent: the sample is as the launch is, or nothing that was traced is nearer to it.
std::optional<Trace> representative(const Trace&);

}  // namespace headroom
