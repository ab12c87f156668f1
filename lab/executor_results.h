// The studies' programs on the executor: what they print at predicted times, which stands beside the sources'
// figures. They lie beside headroom in bin/.
#pragma once
#include <string>
#include <vector>

#include "lab/lab.h"

namespace headroom {

// Runs what `executor_runs` asks for and answers from it. `machine` is the name or path of the one
// asked for. What cannot be run becomes a caveat. Ends early where a signal asks it
// to (run/signals.h).
RowsOf run_on_executor(const std::vector<PublishedStudy>&, const Machine& asked,
                       const std::string& machine, std::vector<Caveat>&);

}  // namespace headroom
