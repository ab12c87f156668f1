// A module in device memory, a kernel of it made ready to run, and the machine that is imitated:
// what stays the same from launch to launch.
//
//   LoadedModule module = load_module(ptx::parse(text, "saxpy"), memory);
//   auto program = decode(module, "_Z5saxpyfPfS_");
//   facts(*program).static_shared
#pragma once
#include <memory>
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
  // Of .global and .const variables, and of functions (window).
  std::unordered_map<std::string, uint64_t> addresses;
};
LoadedModule load_module(std::shared_ptr<const ptx::Module>, Memory&);
void unload_module(const LoadedModule&, Memory&);

struct Program;  // a kernel decoded to operations (program.h)

// Axes of a block along which threads of different warps differ: none in a block of one warp.
enum Axis : uint8_t { axis_x = 1, axis_y = 2, axis_z = 4, all_axes = 7 };
uint8_t axes_between_warps(const Dim3& block);

// Decodes a kernel and what it calls. Throws Error for an instruction or construct that is not
// supported, naming it and its line. Cache the result: it holds for every launch of the kernel with
// these axes, and all_axes for every launch. A watched one tells the launch's Checker of fences.
std::shared_ptr<const Program> decode(const LoadedModule&, const std::string& kernel,
                                      uint8_t axes = all_axes, bool watched = false);

// Facts about a decoded kernel that the runtime needs.
struct ProgramFacts {
  uint64_t static_shared = 0, local_bytes = 0, parameter_bytes = 0;
  struct Parameter {
    uint64_t offset, bytes;
  };
  std::vector<Parameter> parameters;
  // What other blocks do first shows: it uses an atomic's result, adds floats atomically, waits on
  // memory, allocates or reads a clock. Its blocks run in a fixed order on one host thread.
  bool ordered = false;
  bool waits = false;  // … waits in loops for other blocks
  // What it does depends on more than what its accesses read: textures, surfaces, tensor maps, a clock, the heap, the text
  // that it prints. And it writes what no access tells of: tensor maps.
  bool more_inputs = false, more_outputs = false;
  bool grows_stack = false;  // by recursion or alloca: local_bytes counts 64 KiB for it
};
const ProgramFacts& facts(const Program&);

struct Limits {  // of the machine that is imitated
  int sm_count = 1;
  int blocks_per_sm = 1;  // resident, from occupancy
  uint64_t clock_hz = 1'000'000'000;
  int cc = 90;
  int warps_per_sm = 64;
  uint64_t reserved_shared = 1024;  // bytes of a block's, for the system
  // What cudaDeviceSetLimit sets, in bytes. A stack below 64 KiB counts as that.
  uint64_t stack_bytes = 1024, heap_bytes = 8 << 20, printf_bytes = 1 << 20;
  int device = 0;  // whose heap it is
  bool operator==(const Limits&) const = default;
};

}  // namespace headroom::sim
