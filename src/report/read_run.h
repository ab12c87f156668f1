// Reads back what `headroom run --json FILE` wrote: the counted launches, to set beside measured
// ones.
#pragma once
#include <string>
#include <vector>

#include "record/record.h"

namespace headroom {

struct CountedRun {
  std::vector<LaunchRecord> launches;  // those without counters have none (all zero)
  std::string machine;                 // that was imitated
  bool several_processes = false;
};

// Throws Error: no such file, or another kind of file.
CountedRun read_run(const std::string& path);

}  // namespace headroom
