// Runs one launch on the executor and counts.
//
//   LoadedModule module = load_module(ptx::parse(text, "saxpy"), memory);
//   auto program = decode(module, "_Z5saxpyfPfS_");
//   Outcome outcome = simulate(*program, launch, memory, limits);
//   outcome.counters.global_load_sectors == 2 * n / 8
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/error.h"
#include "ptx/module.h"
#include "record/counters.h"
#include "record/finding.h"
#include "record/launch.h"
#include "sim/memory.h"

namespace headroom::sim {

// A module whose variables have addresses in device memory.
struct LoadedModule {
  std::shared_ptr<const ptx::Module> module;
  std::unordered_map<std::string, uint64_t>
      addresses;  // .global and .const variables, and functions (window)
};
LoadedModule load_module(std::shared_ptr<const ptx::Module>, Memory&);
void unload_module(const LoadedModule&, Memory&);

struct Program;  // a kernel decoded to steps (decode.h)

// Decodes a kernel and what it calls. Throws Error for an instruction or construct that is not
// supported, naming it and its line. Cache the result: it holds for every launch of the kernel.
std::shared_ptr<const Program> decode(const LoadedModule&, const std::string& kernel);

// Facts about a decoded kernel that the runtime needs.
struct ProgramFacts {
  uint64_t static_shared = 0, local_bytes = 0, parameter_bytes = 0;
  struct Parameter {
    uint64_t offset, bytes;
  };
  std::vector<Parameter> parameters;
  bool ordered = false;  // uses an atomic's result, adds floats atomically, or spins on memory
};
const ProgramFacts& facts(const Program&);

struct Limits {  // of the machine that is imitated
  int sm_count = 1;
  int blocks_per_sm = 1;  // resident, from occupancy
  uint64_t clock_hz = 1'000'000'000;
  int cc = 90;
};

struct Options {
  bool count = true;  // false: Silent, nothing is observed
  std::function<void(uint64_t blocks_done, uint64_t blocks)>
      progress;  // called a few times a second at most
};

struct Outcome {
  Counters counters{};
  bool completed = false;
  std::vector<Finding> findings;  // the first entry stopped the launch if not completed
  std::vector<Caveat> caveats;
  double seconds = 0;   // of the executor
  std::string printed;  // what the kernel's printf wrote, in order
};

Outcome simulate(const Program&, const Launch&, Memory&, const Limits&, const Options& = {});

}  // namespace headroom::sim
