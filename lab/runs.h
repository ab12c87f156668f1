// The studies' programs, run for the reproduction lab: on the executor for their floors, on a GPU
// for their figures. They lie beside headroom in bin/.
#pragma once
#include <string>
#include <vector>

#include "lab/lab.h"
#include "run/gpu_watch.h"

namespace headroom {

// Both end early where a signal asks them to (run/signals.h).

// Runs what `executor_runs` asks for and answers from it. `machine` is the name or path of the one
// asked for. What cannot be run becomes a caveat.
FloorOf floors_on_executor(const std::vector<PublishedStudy>&, const Machine& asked,
                           const std::string& machine, std::vector<Caveat>&);

// Every study that has a run; one that fails becomes a caveat.
std::vector<Results> measure_studies(const std::vector<PublishedStudy>&, const Gpu&,
                                     std::vector<Caveat>&);

// The rows that a study wrote with --json, and the cells that `columns` adds to each.
std::vector<Key> study_rows(const std::string& json, const Key& columns);

}  // namespace headroom
