// What `headroom run` takes, and what of it the program's process is told (runtime/options.h reads
// it there).
#pragma once
#include <string>
#include <vector>

namespace headroom {

struct RunOptions {
  std::string machine = "h200", kernel, report, json, image, scheduling = "independent";
  int devices = 1, threads = 0;
};

// Our own environment ("NAME=value" each), the stand-in preloaded before anything else, records
// under `prefix`, and real GPUs hidden.
std::vector<std::string> run_environment(const RunOptions&, const std::string& prefix);

}  // namespace headroom
