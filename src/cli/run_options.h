// What `headroom run` takes.
#pragma once
#include <optional>
#include <string>

#include "run/on_executor.h"

namespace headroom {

struct RunOptions {
  ExecutorOptions executor;
  std::string kernel, report, json, sarif, html;
  std::optional<int> gpu;   // of --gpu
  std::string counters;     // a file that --json wrote
  int error_exit_code = 0;  // where there is a finding; 0: the program's own
  bool machine_given = false;
  std::string executor_option;  // one that was given and means nothing on a GPU
};

// Standard output is the JSON's alone where it goes there, so that a reader can parse it.
inline Output program_output(const RunOptions& options) {
  return options.json == "-" ? Output::to_standard_error : Output::as_ours;
}

}  // namespace headroom
