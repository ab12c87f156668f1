// The figures of a run, for a comparison, from what `headroom run --json FILE` wrote of it, on the
// executor or on a GPU, or from what Nsight Compute wrote (read_profile.h). Launches are taken while the file is read: none is kept as JSON.
//
//   read_figures("run.json")   RunFigures{"run.json", on the executor, "h200", {"./saxpy"}, …}
#pragma once
#include <string>

#include "model/figures.h"

namespace headroom {

// Throws Error: no such file, or another kind of file.
RunFigures read_figures(const std::string& path);

}  // namespace headroom
