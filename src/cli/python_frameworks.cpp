#include "cli/python_frameworks.h"

#include <fmt/format.h>

#include <cstdio>
#include <map>
#include <optional>
#include <sstream>

#include "base/error.h"
#include "kernel/child.h"
#include "kernel/program.h"

namespace headroom {

namespace {

using Versions = std::map<std::string, std::string>;

constexpr const char* question = R"(
import importlib.metadata
for each in importlib.metadata.distributions():
    print((each.metadata["Name"] or "?").lower(), each.version)
)";
constexpr unsigned patience = 20;  // seconds

// By package; nothing without a Python.
Versions installed(std::string& python) {
  for (const char* name : {"python3", "python"}) {
    try {
      python = find_program(name);
    } catch (const Error&) {
      continue;
    }
    const auto told = run_child(python, {"-c", question}, "", patience);
    if (!told || told->exit_code != 0) continue;
    Versions versions;
    std::istringstream lines(told->text);
    for (std::string package, version; lines >> package >> version;)
      versions.emplace(package, version);
    return versions;
  }
  return {};
}

struct Suitability {
  bool runs = true;
  std::string what, mend = {};
};
constexpr const char* own_runtime = "it carries a CUDA runtime of its own, and is refused";

Suitability of_torch(const std::string& version, const Versions& all) {
  if (version.find("+cpu") != version.npos)
    return {false, "a build for the CPU alone launches no kernels", "install a build for CUDA 13"};
  if (version.find("+cu12") != version.npos || all.contains("nvidia-cuda-runtime-cu12"))
    return {false, "it is built with CUDA 12, whose kernels are not run",
            "install a build for CUDA 13"};
  return {true, "kernels run; what needs cuBLAS, cuDNN and the like is refused at the call"};
}

// numba-cuda has taken the place of what Numba brings itself.
Suitability of_numba(const std::string& version, const Versions& all) {
  int major = 0, minor = 0;
  constexpr int first_minor = 62;
  std::sscanf(version.c_str(), "%d.%d", &major, &minor);
  if (all.contains("numba-cuda") || major > 0 || minor >= first_minor) return {true, "kernels run"};
  return {false, "it does not know the driver of CUDA 13", "pip install numba-cuda"};
}

Suitability of_bindings(const std::string& version, const Versions&) {
  if (version.starts_with("12.") || version.starts_with("11."))
    return {false, "they are of an older CUDA", "install those of 13"};
  return {true, "kernels run"};
}

Suitability runs(const std::string&, const Versions&) { return {true, "kernels run"}; }
Suitability is_refused(const std::string&, const Versions&) { return {false, own_runtime}; }

constexpr struct {
  const char* package;
  Suitability (*judge)(const std::string& version, const Versions&);
} frameworks[] = {
    {"torch", of_torch},          {"triton", runs},
    {"numba", of_numba},          {"numba-cuda", runs},
    {"cuda-core", runs},          {"cuda-bindings", of_bindings},
    {"cupy-cuda13x", is_refused}, {"cupy-cuda12x", is_refused},
    {"cupy", is_refused},         {"jaxlib", is_refused},
    {"warp-lang", is_refused},
};

}  // namespace

std::vector<CheckUp> python_frameworks() {
  std::string python;
  const Versions versions = installed(python);
  std::vector<CheckUp> checks;
  for (const auto& [package, judge] : frameworks) {
    const auto found = versions.find(package);
    if (found == versions.end()) continue;
    const Suitability judgement = judge(found->second, versions);
    checks.push_back({"Python", package, judgement.runs ? Health::ok : Health::absent,
                      judgement.runs ? found->second + ": " + judgement.what : found->second,
                      judgement.runs ? "" : judgement.what, judgement.mend});
  }
  if (!checks.empty()) checks.insert(checks.begin(), {"Python", "python", Health::ok, python});
  return checks;
}

}  // namespace headroom
