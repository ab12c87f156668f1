// The machine code of an image's kernels for a machine.
//
//   each_module("./saxpy", h200, caveats, f)  ->  f(Module{sm_90, {Function{"_Z5saxpyifPfS_", …}}})
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "kernel/kernel.h"
#include "machine/machine.h"
#include "sass/module.h"

namespace headroom {

// Calls `take` for a module of each translation unit that has functions, one at a time: the machine's
// own code where the image has it, else what ptxas makes of the PTX. With -rdc=true it is the linked
// code alone, where there is any for the machine. What is wrong with a module is a caveat, each once.
// Throws Error where no module is left.
void each_module(const std::string& path, const Machine&, std::vector<Caveat>& caveats,
                 const std::function<void(const sass::Module&)>& take);

}  // namespace headroom
