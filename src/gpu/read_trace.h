// Traces of processes (gpu/trace.h) become TimingRecords: names demangled, launches and copies in
// the order of the program's calls, times from the first activity of all processes.
//
//   run.4711.0.activity, run.4712.0.activity  ->  TimingRecord of 4711 with 12 launches, of 4712
#pragma once
#include <string>
#include <vector>

#include "record/timing.h"

namespace headroom {

// Keeps what a file that was cut off holds. Throws Error for a foreign file or another version.
std::vector<TimingRecord> read_traces(const std::vector<std::string>& paths);

}  // namespace headroom
