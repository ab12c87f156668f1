// What `headroom run` takes, and what of it the program's process is told (device/options.h reads
// it there).
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace headroom {

struct RunOptions {
  std::string machine = "h200", kernel, report, json, image, scheduling = "independent";
  int devices = 1, threads = 0;
  std::optional<int> gpu;  // of --gpu
  std::string counters;    // a file that --json wrote
  bool machine_given = false;
  std::string executor_option;  // one that was given and means nothing on a GPU
};

// Our own environment ("NAME=value" each), the stand-in preloaded before anything else, records
// under `prefix`, and real GPUs hidden.
std::vector<std::string> run_environment(const RunOptions&, const std::string& prefix);

// Our own environment for a program on a real GPU: the driver loads our library into it, which
// writes its traces under `prefix` and finds CUPTI at `cupti`; it sees GPU `gpu` alone.
std::vector<std::string> gpu_environment(int gpu, const std::string& prefix,
                                         const std::string& cupti);

}  // namespace headroom
