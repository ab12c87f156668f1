// What the tests of the PTX room share: files, and modules without their spans, which differ after
// printing.
#pragma once
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "base/read_file.h"
#include "ptx/module.h"

namespace headroom::ptx {

inline std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".ptx") found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}

inline std::vector<std::filesystem::path> golden_files() {
  return files_in(std::filesystem::path(HEADROOM_SOURCE) / "tests/golden/ptx");
}

inline Module without_spans(Module module) {
  auto clear = [](std::vector<Variable>& variables) {
    for (Variable& variable : variables) variable.span = {};
  };
  clear(module.variables);
  for (Function& function : module.functions) {
    function.span = {};
    clear(function.returns);
    clear(function.parameters);
    clear(function.variables);
    for (Prototype& prototype : function.prototypes) {
      clear(prototype.returns);
      clear(prototype.parameters);
    }
    for (Instruction& instruction : function.body) instruction.span = {};
    for (Problem& problem : function.problems) problem.span = {};
  }
  return module;
}

}  // namespace headroom::ptx
