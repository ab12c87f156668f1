// Resources from NVIDIA's assembler, which needs no GPU. Its registers equal the profiler's;
// nvJitLink, which compiles as relocatable code, reports others.
//
//   PTX text --ptxas -arch=sm_90 -v -o /dev/null /dev/stdin--> report (ptxas_report.h) --> cache
//   --> Resources per kernel
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>

#include "kernel/cache.h"
#include "kernel/child.h"
#include "kernel/kernel.h"
#include "kernel/ptxas_report.h"
#include "kernel/resources.h"
#include "kernel/target.h"

namespace headroom {
namespace {

using Json = nlohmann::ordered_json;
constexpr const char* cache_schema = "headroom-ptxas/1";

std::string find_ptxas() {
  std::vector<std::string> folders;
  for (const char* name : {"CUDA_HOME", "CUDA_PATH"})
    if (const char* home = std::getenv(name)) folders.push_back(std::string(home) + "/bin");
  std::string_view path = std::getenv("PATH") ? std::getenv("PATH") : "";
  while (!path.empty()) {
    folders.emplace_back(path.substr(0, path.find(':')));
    path.remove_prefix(std::min(path.size(), folders.back().size() + 1));
  }
  for (const char* usual : {"/usr/local/cuda/bin", "/usr/local/cuda-13/bin",
                            "/usr/local/cuda-13.0/bin", "/opt/cuda/bin"})
    folders.push_back(usual);
  for (const std::string& folder : folders)
    if (const std::string tool = folder + "/ptxas"; access(tool.c_str(), X_OK) == 0) return tool;
  return "";
}

struct Tool {
  std::string path, version;  // "13.0.88"; "" when it does not run
  std::vector<int> known;     // the architectures it assembles for, without suffixes: 75, 80, …
};

Tool ask(const std::string& path) {
  Tool tool{path, "", {}};
  if (const auto output = run_child(path, {"--version"}, ""))
    tool.version = read_ptxas_version(output->text);
  if (const auto output = run_child(path, {"--help"}, ""))
    tool.known = read_ptxas_architectures(output->text);
  return tool;
}

// Asked once per process; kept to the very end, as destructors of the program may still launch.
const Tool& tool_at(const std::string& path) {
  static std::mutex mutex;
  static auto& known = *new std::map<std::string, Tool>;
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

std::optional<std::map<std::string, Resources>> from_cache(const std::string& key) {
  const auto text = cache_read(key);
  if (!text) return {};
  try {
    const Json json = Json::parse(*text);
    if (json.at("schema") != cache_schema) return {};
    std::map<std::string, Resources> kernels;
    for (const auto& [name, resources] : json.at("kernels").items())
      kernels[name] = resources_from(resources);
    return kernels;
  } catch (const Json::exception&) {
    return {};  // damaged: computed again and replaced
  }
}

void to_cache(const std::string& key, const std::map<std::string, Resources>& kernels) {
  Json json{{"schema", cache_schema}, {"kernels", Json::object()}};
  for (const auto& [name, resources] : kernels) json["kernels"][name] = to_json(resources);
  cache_write(key, json.dump() + "\n");
}

}  // namespace

std::map<std::string, Resources> ptxas_resources(const std::string& ptx, int cc,
                                                 std::vector<Caveat>& caveats,
                                                 const std::string& options) {
  const auto unknown = [&](std::string cause, std::string advice) {
    caveats.push_back(
        {"registers, shared memory and spills are unknown", std::move(cause), std::move(advice)});
    return std::map<std::string, Resources>{};
  };
  const std::string path = find_ptxas();
  if (path.empty())
    return unknown("ptxas was not found",
                   "install the CUDA 13 toolkit, or set CUDA_HOME to its folder");
  const Tool& tool = tool_at(path);
  if (tool.version.empty()) return unknown(path + " does not run", "does it run in this shell?");

  const Target written = target_of(ptx);
  Target target = wanted_target(written, cc);
  if (target.suffix.empty() &&
      std::find(tool.known.begin(), tool.known.end(), target.number) == tool.known.end())
    target.number = nearest(tool.known, cc, written.number);
  if (target.number != cc)
    caveats.push_back(
        {fmt::format("registers and spills are those of {}, not of sm_{}", target.name(), cc),
         written.runs_on(cc) ? fmt::format("ptxas {} does not know sm_{}", tool.version, cc)
                             : fmt::format("the PTX was written for {}", written.name()),
         "take them as an approximation"});

  std::vector<std::string> arguments = arguments_for(target.name(), cc, options);
  const std::string from = fmt::format("ptxas {} {}", tool.version, fmt::join(arguments, " "));
  const std::string key = cache_key(from + "\n" + ptx);
  if (auto kernels = from_cache(key)) return *kernels;

  arguments.insert(arguments.end(), {"-v", "-o", "/dev/null", "/dev/stdin"});
  const auto output = run_child(path, arguments, ptx);
  if (!output) return unknown(path + " could not be started", "does it run in this shell?");
  if (output->exit_code != 0)
    return unknown(
        fmt::format("ptxas {} refused the PTX: {}", tool.version, ptxas_complaint(output->text)),
        "install a toolkit at least as new as the one that wrote the PTX");
  std::map<std::string, Resources> kernels = read_ptxas_report(output->text);
  for (auto& [name, resources] : kernels) resources.from = from;
  to_cache(key, kernels);
  return kernels;
}

}  // namespace headroom
