#include "kernel/assembler.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>

#include "kernel/child.h"
#include "kernel/ptxas_report.h"

namespace headroom {
namespace {

constexpr unsigned seconds_to_answer = 20;

Assembler ask(const std::string& path) {
  Assembler tool{path, "", {}};
  if (const auto output = run_child(path, {"--version"}, "", seconds_to_answer))
    tool.version = read_ptxas_version(output->text);
  if (tool.version.empty()) return tool;
  if (const auto output = run_child(path, {"--help"}, "", seconds_to_answer))
    tool.known = read_ptxas_architectures(output->text);
  return tool;
}

// Asked once per process; kept to the very end, as destructors of the program may still launch.
const Assembler& assembler_at(const std::string& path) {
  static std::mutex mutex;
  static auto& known = *new std::map<std::string, Assembler>;
  const std::lock_guard lock(mutex);
  const auto found = known.find(path);
  return found != known.end() ? found->second : known.emplace(path, ask(path)).first->second;
}

int nearest(const std::vector<int>& known, int wanted, int least) {
  int best = 0;
  for (const int candidate : known)
    if (candidate >= least && (best == 0 || std::abs(candidate - wanted) < std::abs(best - wanted)))
      best = candidate;
  return best;
}

// What a thread could have in registers where ptxas no longer knows the machine.
constexpr struct { int above_cc, up_to_cc, registers; } old_limits[] = {{0, 13, 124}, {13, 30, 63}};

// Options that change what a kernel takes. No others, and no paths, are taken from an image.
bool honoured(std::string_view option) {
  for (const std::string_view name :
       {"-g", "--dont-merge-basicblocks", "--return-at-end", "-O0", "-O1", "-O2"})
    if (option == name) return true;
  return option.starts_with("-maxrregcount=");
}

std::vector<std::string> arguments_for(const std::string& architecture, int cc,
                                       std::string_view options) {
  std::vector<std::string> arguments{"-arch=" + architecture};
  if (options.find("-maxrregcount=") == options.npos)
    for (const auto& limit : old_limits)
      if (cc > limit.above_cc && cc <= limit.up_to_cc)
        arguments.push_back(fmt::format("-maxrregcount={}", limit.registers));
  while (!options.empty()) {
    const std::string_view word = options.substr(0, options.find(' '));
    if (honoured(word)) arguments.emplace_back(word);
    options.remove_prefix(std::min(options.size(), word.size() + 1));
  }
  return arguments;
}

// The number to assemble for, before asking whether ptxas knows it.
Target wanted_target(const Target& ptx, int cc) {
  if (ptx.runs_on(cc)) return ptx.suffix == "a" ? ptx : Target{cc, ""};
  return ptx;
}

}  // namespace

std::string find_tool(const std::string& name) {
  std::vector<std::string> folders;
  for (const char* home : {"CUDA_HOME", "CUDA_PATH"})
    if (const char* folder = std::getenv(home)) folders.push_back(std::string(folder) + "/bin");
  std::string_view path = std::getenv("PATH") ? std::getenv("PATH") : "";
  while (!path.empty()) {
    folders.emplace_back(path.substr(0, path.find(':')));
    path.remove_prefix(std::min(path.size(), folders.back().size() + 1));
  }
  for (const char* usual : {"/usr/local/cuda/bin", "/usr/local/cuda-13/bin",
                            "/usr/local/cuda-13.0/bin", "/opt/cuda/bin"})
    folders.push_back(usual);
  for (const std::string& folder : folders)
    if (const std::string tool = folder + "/" + name; access(tool.c_str(), X_OK) == 0) return tool;
  return "";
}

std::map<std::string, Resources> unknown_resources(std::vector<Caveat>& caveats, std::string cause,
                                                   std::string advice) {
  caveats.push_back(
      {"registers, shared memory and spills are unknown", std::move(cause), std::move(advice)});
  return {};
}

std::map<std::string, Resources> with_caveats(std::map<std::string, Resources> kernels,
                                              const std::vector<Caveat>& told) {
  for (auto& [name, resources] : kernels)
    resources.caveats.insert(resources.caveats.begin(), told.begin(), told.end());
  return kernels;
}

Caveat not_of_machine(const std::string& target, int cc, std::string cause) {
  return {fmt::format("registers and spills are those of {}, not of sm_{}", target, cc),
          std::move(cause), "take them as an approximation"};
}

const Assembler* assembler(std::vector<Caveat>& caveats) {
  const std::string path = find_tool("ptxas");
  if (path.empty()) {
    unknown_resources(caveats, "ptxas was not found",
                      "install the CUDA 13 toolkit, or set CUDA_HOME to its folder");
    return nullptr;
  }
  const Assembler& tool = assembler_at(path);
  if (!tool.version.empty()) return &tool;
  unknown_resources(caveats, path + " does not run", "does it run in this shell?");
  return nullptr;
}

AssemblerCall call_for(const Assembler& tool, const std::string& ptx, int cc,
                       const std::string& options, std::vector<Caveat>& caveats) {
  const Target written = target_of(ptx);
  Target target = wanted_target(written, cc);
  if (target.suffix.empty() &&
      std::find(tool.known.begin(), tool.known.end(), target.number) == tool.known.end())
    target.number = nearest(tool.known, cc, written.number);
  if (target.number != cc)
    caveats.push_back(
        not_of_machine(target.name(), cc,
                       written.runs_on(cc) || target.number != written.number
                           ? fmt::format("ptxas {} does not know sm_{}", tool.version, cc)
                           : fmt::format("the PTX was written for {}", written.name())));
  return {target, arguments_for(target.name(), cc, options)};
}

}  // namespace headroom
