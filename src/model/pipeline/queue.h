// Launches whose warps draw their work from a counter. Here the first block that runs takes what it can, and others find the
// counter at its end; on a GPU they share. So the first block's trace stands for all, cut to the mean of the launch.
//
// Or who go on by what others store, as along a list that all shorten at once: here the first block finds nothing done, and the last all.
//
//   first block: 4160 rounds, all others: none   ->   as many rounds as 4160 / blocks
#pragma once
#include <optional>

#include "record/trace.h"

namespace headroom {

// mean: instructions of the launch, by its warps. Absent: its warps neither draw their work nor find it done.
std::optional<Trace> shared_out(const Trace&, double mean);

}  // namespace headroom
