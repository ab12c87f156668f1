// What is concluded of predicted launches: what one is bound by or waits for, and which kernels gain most.
//
//   bound_or_wait(launch)   "shared memory": the largest floor explains most of the time
//                           "memory latency": it does not, and this is what warps wait for most
#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "model/explanation.h"

namespace headroom {

// These take launches that have a prediction.
std::string_view bound_or_wait(const ExplainedLaunch&);
// What explains most of the time: the largest floor and its share of it; or DRAM, and the share in which it is busy.
struct Reached {
  std::string_view what;
  double share;
};
std::optional<Reached> reached_limit(const ExplainedLaunch&);

struct Wait {
  Stall stall;
  double cycles, share;  // for each instruction issued; of a warp's time
};
// Why warps do not issue, the most frequent first; what is next to nothing is left out.
std::vector<Wait> waits_of(const Prediction&);

bool advised(const Prediction&, std::string_view id);  // "occupancy"

// Kernels with a prediction, by what the first advice gains of all their launches, the most first.
std::vector<const KernelGroup*> by_gain(const Explanation&);

}  // namespace headroom
