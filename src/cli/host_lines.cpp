#include "cli/host_lines.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <sstream>

#include "base/toolkit_header.h"
#include "kernel/child.h"

namespace headroom {
namespace {

namespace fs = std::filesystem;

constexpr unsigned limit = 20;  // seconds of a file's table

std::string tool() {
  const char* path = std::getenv("PATH");
  std::stringstream folders(path ? path : "/usr/bin");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (std::error_code none; fs::exists(folder + "/addr2line", none)) return folder + "/addr2line";
  return "";
}

struct NamedFrame {
  std::string function;
  std::vector<std::string> lines;  // file:number, of the program's own, what was inlined first
};

bool is_own(const std::string& line) {
  return !line.starts_with("??") && !line.ends_with(":0") && !line.ends_with(":?") &&
         !is_of_toolkit(line) && !line.starts_with("/usr/include/");
}

// What addr2line -a -f -C -i prints: an address, then for each inlined function its name and line.
std::map<uint64_t, NamedFrame> read_names(const std::string& text) {
  std::map<uint64_t, NamedFrame> all;
  std::stringstream lines(text);
  NamedFrame* now = nullptr;
  for (std::string name, line; std::getline(lines, name);) {
    if (name.starts_with("0x")) {
      now = &all[std::strtoull(name.c_str(), nullptr, 16)];
      continue;
    }
    if (!now || !std::getline(lines, line)) break;
    line = line.substr(0, line.find(" (discriminator"));
    if (name != "??") now->function = name;  // the outermost, which is really called
    if (is_own(line)) now->lines.push_back(line);
  }
  return all;
}

std::map<uint64_t, NamedFrame> names_in(const std::string& with, const std::string& file,
                                        const std::vector<uint64_t>& addresses) {
  std::vector<std::string> arguments{"-a", "-f", "-C", "-i", "-e", file};
  for (const uint64_t address : addresses) arguments.push_back(fmt::format("{:#x}", address));
  const auto said = run_child(with, arguments, "", limit);
  return said && said->exit_code == 0 ? read_names(said->text) : std::map<uint64_t, NamedFrame>();
}

struct Frame {
  std::string file;
  uint64_t address = 0;
};

std::vector<Frame> frames_of(const Finding& finding) {
  std::vector<Frame> frames;
  std::stringstream lines(finding.kernel.empty() ? finding.source : "");
  for (std::string line; std::getline(lines, line);)
    if (const size_t plus = line.rfind("+0x"); plus != line.npos)
      frames.push_back({line.substr(0, plus), std::strtoull(line.c_str() + plus + 1, nullptr, 16)});
  return frames;
}

// A launch goes through a function that nvcc writes, and through one of the kernel's own name and line.
bool is_of_nvcc(const std::string& line) { return line.find(".stub.c:") != line.npos; }

std::string line_of(const std::vector<std::string>& lines) {
  for (size_t n = 0; n < lines.size(); n += 2)
    if (!is_of_nvcc(lines[n])) return lines[n];
  return "";
}

}  // namespace

void find_host_lines(std::vector<Finding>& findings) {
  std::map<std::string, std::vector<uint64_t>> wanted;
  for (const Finding& finding : findings)
    for (const Frame& frame : frames_of(finding)) wanted[frame.file].push_back(frame.address);
  if (wanted.empty()) return;
  const std::string with = tool();
  std::map<std::string, std::map<uint64_t, NamedFrame>> known;
  if (!with.empty())
    for (const auto& [file, addresses] : wanted) known[file] = names_in(with, file, addresses);
  for (Finding& finding : findings) {
    const std::vector<Frame> frames = frames_of(finding);
    if (frames.empty()) continue;
    const Frame& first = frames.front();
    const std::string function = known[first.file][first.address].function;
    finding.source = fmt::format("{}{}+{:#x} (compile with -g for the line)",
                                 function.empty() ? "" : function + " in ",
                                 fs::path(first.file).filename().string(), first.address);
    std::vector<std::string> lines;
    for (const Frame& frame : frames) {
      const NamedFrame& named = known[frame.file][frame.address];
      lines.insert(lines.end(), named.lines.begin(), named.lines.end());
      if (named.function == "main") break;  // behind it is no program
    }
    if (const std::string line = line_of(lines); !line.empty()) finding.source = line;
  }
}

}  // namespace headroom
