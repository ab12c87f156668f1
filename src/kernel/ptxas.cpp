// What NVIDIA's assembler says a kernel takes. It needs no GPU:
//
//   ptxas info    : Compiling entry function '_Z5spillPf' for 'sm_90'
//   ptxas info    : Function properties for _Z5spillPf
//       1040 bytes stack frame, 2120 bytes spill stores, 2516 bytes spill loads
//   ptxas info    : Used 32 registers, used 1 barriers, 1040 bytes cumulative stack size, 380 bytes
//   cmem[0]
//
// Its registers equal the profiler's; nvJitLink, which compiles as relocatable code, reports
// others.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <mutex>

#include "kernel/cache.h"
#include "kernel/child.h"
#include "kernel/kernel.h"
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

// The text between two marks, or "".
std::string_view between(std::string_view text, std::string_view before, std::string_view after) {
  const size_t begin = text.find(before);
  if (begin == text.npos) return {};
  text.remove_prefix(begin + before.size());
  const size_t end = text.find(after);
  return end == text.npos ? std::string_view{} : text.substr(0, end);
}

std::optional<int> integer(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end != text.data() ? std::optional(value) : std::nullopt;
}

// "…, 256 bytes smem" and " bytes smem" -> 256
std::optional<int> number_before(std::string_view line, std::string_view what) {
  const size_t end = line.find(what);
  if (end == line.npos) return {};
  size_t begin = end;
  while (begin > 0 && line[begin - 1] >= '0' && line[begin - 1] <= '9') --begin;
  return integer(line.substr(begin, end - begin));
}

struct Tool {
  std::string path, version;  // "13.0.88"; "" when it does not run
  std::vector<int> known;     // the architectures it assembles for, without suffixes: 75, 80, …
};

Tool ask(const std::string& path) {
  Tool tool{path, "", {}};
  if (const auto output = run_child(path, {"--version"}, ""))
    tool.version = between(output->text, ", V", "\n");
  const auto help = run_child(path, {"--help"}, "");
  std::string_view rest = help ? std::string_view(help->text) : "";
  for (size_t at = rest.find("'sm_"); at != rest.npos; at = rest.find("'sm_")) {
    rest.remove_prefix(at + 4);
    if (const auto number = integer(rest)) tool.known.push_back(*number);
  }
  return tool;
}

// Asked once per process.
const Tool& tool_at(const std::string& path) {
  static std::mutex mutex;
  static auto& known = *new std::map<std::string, Tool>;  // lives until the very end: kernels may
                                                          // load in destructors
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
constexpr struct { int up_to_cc, registers; } old_limits[] = {{13, 124}, {30, 63}};

// Options that change what a kernel takes; others, and paths above all, are not taken from an
// image.
constexpr std::string_view honoured_options[] = {"-maxrregcount=",
                                                 "-g",
                                                 "--dont-merge-basicblocks",
                                                 "--return-at-end",
                                                 "-O0",
                                                 "-O1",
                                                 "-O2",
                                                 "-O3"};

std::vector<std::string> arguments_for(const std::string& architecture, int cc,
                                       std::string_view options) {
  std::vector<std::string> arguments{"-arch=" + architecture};
  for (const auto& limit : old_limits)
    if (cc <= limit.up_to_cc) {
      arguments.push_back(fmt::format("-maxrregcount={}", limit.registers));
      break;
    }
  while (!options.empty()) {
    const std::string_view word = options.substr(0, options.find(' '));
    for (const std::string_view option : honoured_options)
      if (word == option || (option.ends_with('=') && word.starts_with(option)))
        arguments.emplace_back(word);
    options.remove_prefix(std::min(options.size(), word.size() + 1));
  }
  return arguments;
}

void read_line(std::string_view line, std::string& kernel, std::string& function,
               std::map<std::string, Resources>& kernels) {
  if (const auto name = between(line, "Compiling entry function '", "'"); !name.empty()) {
    kernel = name;
    function.clear();
  } else if (const size_t at = line.find("Function properties for "); at != line.npos) {
    function = line.substr(at + 24);
  } else if (line.find(" bytes stack frame") != line.npos && function == kernel) {
    Resources& resources = kernels[kernel];
    resources.stack = number_before(line, " bytes stack frame");
    resources.spill_stores = number_before(line, " bytes spill stores");
    resources.spill_loads = number_before(line, " bytes spill loads");
  } else if (const auto registers = number_before(line, " registers");
             registers && !kernel.empty()) {
    Resources& resources = kernels[kernel];
    resources.registers = registers;
    resources.static_shared = number_before(line, " bytes smem").value_or(0);
    // With calls the stack of the callees comes on top of the kernel's own frame.
    if (const auto stack = number_before(line, " bytes cumulative stack")) resources.stack = stack;
    if (const auto constant = number_before(line, " bytes cmem[0]")) resources.constant = constant;
  } else if (const auto name = between(line, "Stack size for entry function '", "'");
             !name.empty()) {
    kernels[std::string(name)].caveats.push_back(
        {"the stack may be deeper than stated",
         "recursion or an indirect call: its depth is known at run time only",
         "set it with cudaDeviceSetLimit(cudaLimitStackSize, …)"});
  }
}

std::map<std::string, Resources> read_report(std::string_view text) {
  std::map<std::string, Resources> kernels;
  std::string kernel, function;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    read_line(line, kernel, function, kernels);
    text.remove_prefix(std::min(text.size(), line.size() + 1));
  }
  std::erase_if(kernels, [](const auto& entry) { return !entry.second.registers; });
  return kernels;
}

std::string first_complaint(std::string_view text) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    if (line.find("fatal") != line.npos || line.find("error") != line.npos)
      return std::string(line);
    text.remove_prefix(std::min(text.size(), line.size() + 1));
  }
  return "it gave no reason";
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
        fmt::format("ptxas {} refused the PTX: {}", tool.version, first_complaint(output->text)),
        "install a toolkit at least as new as the one that wrote the PTX");
  std::map<std::string, Resources> kernels = read_report(output->text);
  for (auto& [name, resources] : kernels) resources.from = from;
  to_cache(key, kernels);
  return kernels;
}

}  // namespace headroom
