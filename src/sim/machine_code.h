// A kernel's machine code made ready to run: what decode() (loaded.h) does of PTX.
//
//   MachineOptions options{.clustered = false, .local_bytes = 0};
//   auto program = decode(module, code, "_Z5saxpyfPfS_", options);
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "record/source.h"
#include "sass/module.h"
#include "sim/loaded.h"

namespace headroom::sim {

struct MachineOptions {
  bool clustered = false;    // the launch has clusters of more than one block
  uint64_t local_bytes = 0;  // a thread's stack, as ptxas counts it
  uint64_t static_shared = 0;
  uint8_t axes = all_axes;  // of the launch's blocks, as decode() of PTX has them
  bool watched = false;     // it tells the launch's Checker of fences
};

// Throws Error for an instruction that is not executed, naming it. `module` tells where variables
// and functions lie; `code` is the linked machine code of the same image.
std::shared_ptr<const Program> decode(const LoadedModule& module,
                                      std::shared_ptr<const sass::Module> code,
                                      const std::string& kernel, const MachineOptions&);

// All that are executed in some form: ATOM, ATOMG, …
std::vector<std::string_view> executed_opcodes();

// Its instructions as text, with their source lines: as many as Outcome::sites, which counts them. Of PTX in
// the order in which a trace has them.
MachineListing listing_of(const Program&);

}  // namespace headroom::sim
