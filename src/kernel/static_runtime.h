// A CUDA runtime that was linked into a program or a library (nvcc's default): whether there is one, of
// which release, and where its functions lie.
//
//   static_runtime_of(elf)   --> {State::found, {{"cudaMalloc", 0x5b240}, {"cudaFree", …}, …}}
//
// By their symbols, which nvcc leaves in; in a stripped file by the text of the toolkit's own
// libcudart_static.a, which the linker copies as a whole (static_text.h).
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "kernel/elf.h"

namespace headroom {

struct StaticFunction {
  std::string name;
  uint64_t address = 0;  // as the file says it, before it is loaded anywhere
};

struct StaticRuntime {
  enum class State {
    none,
    found,
    older,    // of CUDA 12 or before, whose functions take other arguments
    unknown,  // it is there, but without symbols and not as the toolkit has it
  };
  State state = State::none;
  std::vector<StaticFunction> functions;  // where found
};

// `path`: where the file lies, beside which a Python package may have brought the archive.
StaticRuntime static_runtime_of(const Elf&, const std::string& path = "");

// Whether the linker's text says that this is a function of the runtime's API.
bool is_runtime_name(std::string_view name);

}  // namespace headroom
