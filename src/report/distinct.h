// Findings as a reader wants them: each cause once, at its first place, with how often it was seen.
//
//   512 launches of a kernel with one race   ->   1 finding, seen 2048 times in 512 launches
#pragma once
#include <string>
#include <vector>

#include "record/finding.h"

namespace headroom {

struct DistinctFinding {
  Finding first;
  uint64_t times = 0;     // that it was seen
  uint64_t launches = 0;  // that had it
};

// In the order in which they first came. Sides of a race that change places are one cause.
std::vector<DistinctFinding> distinct(const std::vector<Finding>&);

// What a finding's kind is of: one of finding_classes(), "race", "bounds" and so on.
const char* class_of(const Finding&);
const std::vector<std::string>& finding_classes();

}  // namespace headroom
