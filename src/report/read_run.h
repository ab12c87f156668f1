// Reads back what `headroom run --json FILE` wrote: the counted launches, to set beside measured
// ones.
#pragma once
#include <string>

#include "model/measured_explanation.h"

namespace headroom {

// Throws Error: no such file, or another kind of file.
CountedRun read_run(const std::string& path);

}  // namespace headroom
