#include "forms/met.h"

#include <sstream>

#include "base/read_file.h"
#include "forms/golden.h"
#include "kernel/kernel.h"
#include "ptx/module.h"

namespace headroom::golden {
namespace {

void note(const std::string& text, const std::string& name,
          std::map<std::string, std::set<std::string>>& met) {
  for (const ptx::Function& function : ptx::parse(text, name).functions)
    for (const ptx::Instruction& instruction : function.body)
      if (instruction.form) met[std::string(instruction.form->text)].insert(name);
}

}  // namespace

std::map<std::string, std::set<std::string>> met_forms(const std::filesystem::path& folder) {
  std::map<std::string, std::set<std::string>> met;
  for (const auto& path : golden_paths(folder)) note(load_file(path), path.stem(), met);
  return met;
}

std::map<std::string, std::set<std::string>> forms_of_programs(const std::filesystem::path& folder,
                                                               const std::set<std::string>& names) {
  std::map<std::string, std::set<std::string>> met;
  for (const std::string& name : names) {
    for (const ImageEntry& entry : read_image_file(folder / ("runtime_" + name)).entries)
      if (entry.kind == ImageEntry::Kind::ptx) note(entry.text, name, met);
  }
  return met;
}

std::map<std::string, std::string> listed_forms(const std::filesystem::path& list) {
  std::map<std::string, std::string> lines;
  std::istringstream text(load_file(list));
  for (std::string line; std::getline(text, line);) {
    if (line.empty() || line[0] == '#') continue;
    const size_t gap = line.find("   ");
    lines[line.substr(0, gap)] = gap == std::string::npos ? "" : line.substr(gap + 3);
  }
  return lines;
}

}  // namespace headroom::golden
