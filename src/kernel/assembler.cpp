#include "kernel/assembler.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>

#include "kernel/child.h"
#include "kernel/ptxas_report.h"
#include "kernel/toolkit.h"

namespace headroom {
namespace {

constexpr unsigned seconds_to_answer = 20;
constexpr int oldest_toolkit = 13;

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

bool is_too_old(const Assembler& tool) {
  return !tool.version.empty() && std::atoi(tool.version.c_str()) < oldest_toolkit;
}

// The first but for older ones, which do not know what a compiler of today writes.
const Assembler& newest_enough(const std::vector<std::string>& there) {
  for (const std::string& path : there)
    if (const Assembler& tool = assembler_at(path); !is_too_old(tool)) return tool;
  return assembler_at(there.front());
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

std::map<std::string, Resources> unknown_resources(std::vector<Caveat>& caveats, std::string cause,
                                                   std::string advice) {
  caveats.push_back({all_unknown, std::move(cause), std::move(advice)});
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
  const std::vector<std::string> there = find_tools("ptxas");
  if (there.empty()) {
    unknown_resources(caveats, "ptxas was not found", get_the_toolkit);
    return nullptr;
  }
  const Assembler& tool = newest_enough(there);
  if (!tool.version.empty()) return &tool;
  unknown_resources(caveats, tool.path + " does not run", "does it run in this shell?");
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
