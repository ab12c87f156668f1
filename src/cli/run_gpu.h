// headroom run --gpu N: the program runs on a real GPU, its launches and copies are timed, and set
// beside the floors of an earlier run on the executor.
#pragma once
#include <string>
#include <vector>

#include "cli/run_options.h"
#include "record/program_end.h"

namespace headroom {

ProgramEnd run_on_gpu(const RunOptions&, const std::vector<std::string>& command);

}  // namespace headroom
