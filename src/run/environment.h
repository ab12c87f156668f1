// What the program's process is told through its environment: by the executor's options
// (device/options.h reads them there), or for a run on a GPU.
#pragma once
#include <string>
#include <vector>

#include "run/on_executor.h"

namespace headroom {

// Our own environment ("NAME=value" each), the stand-in preloaded before anything else, records
// under `prefix`, and real GPUs hidden.
std::vector<std::string> executor_environment(const ExecutorOptions&, const std::string& prefix,
                                              bool shows_progress);

// Our own environment for a program on a real GPU: the driver loads our library into it, which
// writes its traces under `prefix` and finds CUPTI at `cupti`; it sees GPU `gpu` alone.
std::vector<std::string> gpu_environment(int gpu, const std::string& prefix,
                                         const std::string& cupti);

// Our own environment for a probe: where the loader has no CUDA runtime, it takes the toolkit's.
std::vector<std::string> probe_environment();

}  // namespace headroom
