// The machine code of an image's kernels for a machine.
//
//   image_code("./saxpy", h200)  ->  {Module{sm_90, {Function{"_Z5saxpyifPfS_", …}}}}
#pragma once
#include <string>
#include <vector>

#include "kernel/kernel.h"
#include "machine/machine.h"
#include "sass/module.h"

namespace headroom {

// A module for each translation unit: the machine's own code where the image has it, else what ptxas
// makes of the PTX, with its caveats. Throws Error where there is neither.
std::vector<sass::Module> image_code(const std::string& path, const Machine&,
                                     std::vector<Caveat>& caveats);

}  // namespace headroom
