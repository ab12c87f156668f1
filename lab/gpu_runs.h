// The studies' programs on a GPU, for `headroom reproduce --gpu` and `headroom-lab measure`: where they
// lie, what they were built with, and one run of one of them.
//
//   see_only(gpu);
//   run_study("copy", {{"--bytes", "1G"}}, Programs{"bin"}.find("copy"), 19)
//     ->  StudyEnd{command "copy --bytes 1G", json "{\"rows\": …", problem ""}
#pragma once
#include <limits>
#include <string>
#include <vector>

#include "base/error.h"
#include "lab/published.h"
#include "lab/results.h"
#include "run/gpu_watch.h"

namespace headroom {

struct Programs {
  std::string folder;                               // empty: where we are, in bin/
  std::string find(const std::string& name) const;  // its path; empty: it is not there
  std::string place() const;
};

struct StudyEnd {
  std::string command;  // as it is shown
  std::string json;     // what it wrote; empty: nothing
  std::string printed;  // both of its streams
  int exit_code = 0;    // 1: a result is wrong, and its rows say which
  std::string problem;  // "exit code 1", "ran past its limit"; empty: it did well
};

// `limit`: seconds, then it is killed. A signal that asks us to stop kills it too (run/signals.h).
StudyEnd run_study(const std::string& name, const StudyRun&, const std::string& program,
                   double limit = std::numeric_limits<double>::infinity());

// The rows that a study wrote with --json, and the cells that `columns` adds to each.
std::vector<Key> study_rows(const std::string& json, const Key& columns);

// Programs that we start see this GPU alone, and the toolkit's libraries.
void see_only(const Gpu&);
// What stands above the rows: GPU, driver, date, and what the programs were built with.
Results results_of(const std::string& study, const std::string& title, const Gpu&, const Programs&);

// "The last line that was printed", for a message.
std::string last_line(std::string printed);
// That a study lies not beside us.
Caveat missing_study(const std::string& study);
// Where a person looks on: "headroom: copy --bytes 1G …".
void tell(const std::string& what);

// Every study that has a run; one that fails becomes a caveat.
std::vector<Results> measure_studies(const std::vector<PublishedStudy>&, const Gpu&,
                                     std::vector<Caveat>&);

}  // namespace headroom
