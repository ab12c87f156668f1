// NVIDIA's assembler and linker as programs: where they are, what they know, and what a PTX text
// needs of them.
//
//   assembler() --> {path "/usr/local/cuda/bin/ptxas", version "13.0.88", known {75, 80, …, 121}}
//   call_for(tool, ptx for sm_80, cc 90, "-maxrregcount=40", caveats)
//     --> {target sm_90, arguments {"-arch=sm_90", "-maxrregcount=40"}}
#pragma once
#include <string>
#include <vector>

#include "kernel/kernel.h"
#include "kernel/target.h"

namespace headroom {

struct Assembler {
  std::string path, version;  // "13.0.88"; "" when it does not run
  std::vector<int> known;     // the architectures it assembles for, without suffixes: 75, 80, …
};
// ptxas of the first toolkit of CUDA 13 or later (kernel/toolkit.h), asked once per process what it
// is; null, with a caveat, when there is none.
const Assembler* assembler(std::vector<Caveat>& caveats);
// No resources, and the caveat that says why.
std::map<std::string, Resources> unknown_resources(std::vector<Caveat>& caveats, std::string cause,
                                                   std::string advice);
// The same kernels, each with what is doubtful about all of them.
std::map<std::string, Resources> with_caveats(std::map<std::string, Resources>,
                                              const std::vector<Caveat>&);

// After which a child that assembles or links is given up: it hangs.
constexpr unsigned seconds_to_assemble = 900;

struct AssemblerCall {
  Target target;
  std::vector<std::string> arguments;
};
// An architecture that ptxas does not know becomes the nearest that it knows, with a caveat.
// `options` are an ImageEntry's.
AssemblerCall call_for(const Assembler&, const std::string& ptx, int cc, const std::string& options,
                       std::vector<Caveat>& caveats);

}  // namespace headroom
