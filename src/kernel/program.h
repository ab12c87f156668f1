// What a program is, before it is run: whether the stand-in runtime can serve it, and if not, why.
//
//   look_at_program("./saxpy")  --> ProgramFacts{elf, dynamic_cudart_13, ptx_architectures {"sm_80"}}
//   refusal(facts)              --> nothing, or the one message for the user:
//     headroom: ./app: carries its own CUDA runtime, of CUDA 12 or older
//       hint: rebuild it with CUDA 13
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "kernel/static_runtime.h"

namespace headroom {

struct ProgramFacts {
  std::string path;
  bool exists = false, executable = false, folder = false;
  bool source = false;         // CUDA source, to be compiled first
  bool python = false;         // a script that Python has to start
  bool elf = false;            // else a script or another kind of file
  bool script = false;         // starts with #!
  bool no_loader = false;      // linked without the dynamic loader: nothing can be preloaded
  std::string damage;          // why the ELF file could not be read; "" when it could
  bool other_machine = false;  // ELF of another processor
  // It or a library of it calls exec, spawn, system or dlopen: what it starts or loads may use CUDA.
  bool starts_programs = false;
  bool has_device_code = false;
  bool machine_code_only = false;  // one of its files has machine code and no PTX
  bool dynamic_cudart_13 = false;
  std::string
      dynamic_cudart_older;  // "libcudart.so.12"; which library asks for it stands in `asked_by`
  std::string asked_by;
  std::string static_cudart;  // the file that carries the runtime; "" when none does
  StaticRuntime::State static_state = StaticRuntime::State::none;  // the worst of all files'
  std::vector<std::string> needs_nvidia_libraries;                 // "libcublas.so.13", …
  bool needs_driver = false;                                       // libcuda.so.1: the driver API
  std::vector<std::string> ptx_architectures;                      // "sm_80", …
  std::vector<int> machine_code;  // 90: compute capabilities it has code of
};

// "saxpy" as a shell finds it: through PATH unless it has a slash; the name itself when nothing is
// found.
std::string find_program(const std::string& name);
// "/usr/lib/libcublas.so.13": a library of NVIDIA's with a runtime and kernels of its own.
bool is_nvidia_library(std::string_view path);
// Looks at the program and, through RUNPATH, LD_LIBRARY_PATH and the system's folders, at the
// libraries it needs. Never throws: what cannot be read is not a fact.
ProgramFacts look_at_program(const std::string& path);
// Why it cannot be run on the executor, or nothing. Scripts and programs that start others are let
// through. `cc`: the compute capability whose machine code runs; 0: PTX alone does.
std::optional<Error> refusal(const ProgramFacts&, int cc = 0);
// Why it cannot be run at all, be it on a GPU.
std::optional<Error> refusal_to_start(const ProgramFacts&);

}  // namespace headroom
