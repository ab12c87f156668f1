// What is concluded of predicted launches: what one is bound by or waits for, and which kernels gain most.
//
//   bound_or_wait(launch)   "shared memory": the largest floor explains most of the time
//                           "atomics in L2": what comes one after the other does
//                           "memory latency": neither does, and this is what warps wait for most
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/explanation.h"

namespace headroom {

// These take launches that have a prediction.
std::string bound_or_wait(const ExplainedLaunch&);
// What explains most of the time, and its share of it.
struct Limit {
  enum class Kind : unsigned char {
    floor,    // the largest one
    dram,     // it is busy, with more than any floor counts
    host,     // the link to it is busy, which no floor counts
    latency,  // what comes one after the other: the largest of Prediction::latency_bounds
  };
  Kind kind;
  std::string_view what;
  double share;
  std::string_view numbers = {};  // of latency: LatencyBound::what
};
std::optional<Limit> reached_limit(const ExplainedLaunch&);

// Bytes of DRAM: what the model moves, and what must move where L2 holds nothing before. Sectors that are alone in their
// lines take it longer: as long as `as_lines` bytes in whole lines.
struct DramBytes {
  double moved, compulsory;
  double floor_seconds;  // of the compulsory ones
  double as_lines;
};
std::optional<DramBytes> dram_bytes(const Machine&, const ExplainedLaunch&);

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
