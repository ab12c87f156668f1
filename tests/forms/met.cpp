#include "forms/met.h"

#include <sstream>

#include "forms/golden.h"
#include "ptx/module.h"

namespace headroom::golden {

std::map<std::string, std::set<std::string>> met_forms(const std::filesystem::path& folder) {
  std::map<std::string, std::set<std::string>> met;
  for (const auto& path : golden_paths(folder)) {
    for (const ptx::Function& function : ptx::parse(read_text(path), path.filename()).functions)
      for (const ptx::Instruction& instruction : function.body)
        if (instruction.form) met[std::string(instruction.form->text)].insert(path.stem());
  }
  return met;
}

std::map<std::string, std::string> listed_forms(const std::filesystem::path& list) {
  std::map<std::string, std::string> lines;
  std::istringstream text(read_text(list));
  for (std::string line; std::getline(text, line);) {
    if (line.empty() || line[0] == '#') continue;
    const size_t gap = line.find("   ");
    lines[line.substr(0, gap)] = gap == std::string::npos ? "" : line.substr(gap + 3);
  }
  return lines;
}

}  // namespace headroom::golden
