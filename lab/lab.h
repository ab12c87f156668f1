// The reproduction lab: every table of the sources as published | predicted | measured, joined by
// key.
//
//   chains   published  gtx480  h200   NVIDIA H200
//        1         576     576   512           256
//
// A published row stands even where nothing of ours stands beside it; a measured row of a curve
// stands even where the source printed no figure.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "lab/models.h"
#include "lab/published.h"
#include "lab/results.h"

namespace headroom {

struct LabRow {
  Key key;
  std::optional<PublishedRow> published;
  std::optional<double> predicted_own;          // for the GPU of the source
  std::optional<double> predicted;              // for the machine asked for
  std::vector<std::optional<Figure>> measured;  // one for each of LabTable::measured_on
};

struct LabTable {
  PublishedTable published;
  std::vector<std::string> measured_on;  // GPUs
  std::vector<LabRow> rows;
  std::vector<std::string> bases;  // what the predictions rest on, and what they assume
  std::vector<Caveat> caveats;
};

struct Lab {
  Machine machine;  // asked for
  std::vector<LabTable> tables;
  std::vector<Results> results;  // those that a table shows
  std::vector<Caveat> caveats;
};

// A study that must run on the executor before what it prints at predicted times is known.
struct ExecutorRun {
  std::string study, machine;
  std::vector<std::string> arguments;
  friend bool operator==(const ExecutorRun&, const ExecutorRun&) = default;
};
std::vector<ExecutorRun> executor_runs(const std::vector<PublishedStudy>&, const Machine& asked);

Lab reproduce(const std::vector<PublishedStudy>&, const Machine& asked, const std::vector<Results>&,
              const RowsOf&);

}  // namespace headroom
