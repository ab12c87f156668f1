// What `headroom run` takes.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "cli/output_file.h"
#include "run/on_executor.h"

namespace headroom {

struct RunOptions {
  ExecutorOptions executor;
  std::string kernel, report, json, sarif, html, trace, csv;
  std::optional<int> gpu;   // of --gpu
  std::string counters;     // a file that --json wrote
  int error_exit_code = 0;  // where there is a finding; 0: the program's own
  bool machine_given = false;
  std::string executor_option;  // one that was given and means nothing on a GPU
};

// Standard output is one file's alone where it goes there, so that a reader can parse it.
inline Output program_output(const RunOptions& options) {
  const bool taken =
      options.json == "-" || options.csv == "-" || options.trace == "-" || options.html == "-";
  return taken ? Output::to_standard_error : Output::as_ours;
}

inline std::vector<Destination> destinations(const RunOptions& options) {
  return {{"--json", options.json}, {"--sarif", options.sarif}, {"--report", options.report},
          {"--html", options.html}, {"--trace", options.trace}, {"--csv", options.csv}};
}

}  // namespace headroom
