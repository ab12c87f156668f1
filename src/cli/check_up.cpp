#include "cli/check_up.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gnu/libc-version.h>
#include <unistd.h>

#include <filesystem>

#include "base/error.h"
#include "base/host.h"
#include "base/installation.h"
#include "base/thread_pool.h"
#include "cli/python_frameworks.h"
#include "gpu/cupti_places.h"
#include "gpu/driver.h"
#include "kernel/assembler.h"
#include "kernel/cache.h"
#include "kernel/toolkit.h"
#include "machine/machine.h"
#include "report/format.h"
#include "run/place.h"

namespace headroom {

namespace {

namespace fs = std::filesystem;

constexpr const char *ours = "headroom", *of_toolkit = "CUDA toolkit", *gpu = "GPU", *host = "Host";
constexpr int newest_cuda = 13;

// What throws Error where something of ours is missing.
CheckUp look_for(const char* part, std::string (*find)(), const char* costs) try {
  return {ours, part, Health::ok, find()};
} catch (const Error& error) {
  return {ours, part, Health::missing, error.where + ": " + error.problem, costs, error.hint};
}

// A folder in which files are kept, or its nearest ancestor that there is.
bool can_be_written(fs::path folder) {
  std::error_code ignored;
  while (!fs::exists(folder, ignored) && folder.has_parent_path() && folder != folder.parent_path())
    folder = folder.parent_path();
  return access(folder.c_str(), W_OK | X_OK) == 0;
}

CheckUp look_at_cache() {
  const std::string folder = cache_folder();
  constexpr const char *costs = "what ptxas makes of a program is made again in every run",
                       *mend = "set HEADROOM_CACHE to a folder that may be written";
  if (folder.empty()) return {ours, "cache", Health::missing, "no folder", costs, mend};
  if (!can_be_written(folder))
    return {ours, "cache", Health::missing, folder + " cannot be written", costs, mend};
  std::error_code ignored;
  uint64_t files = 0, bytes = 0;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    ++files;
    bytes += entry.file_size(ignored);
  }
  return {ours, "cache", Health::ok,
          fmt::format("{}: {}, {}", folder, text::counted(files, "file", "files"),
                      text::bytes(double(bytes)))};
}

CheckUp look_at_temporary() {
  std::error_code failed;
  const fs::path folder = fs::temp_directory_path(failed);
  if (!failed && can_be_written(folder)) return {ours, "records", Health::ok, folder.string()};
  return {ours,
          "records",
          Health::missing,
          "no temporary folder that may be written",
          "no program can be run",
          "set TMPDIR"};
}

void look_at_ours(std::vector<CheckUp>& checks) {
  checks.push_back({ours, "place", Health::ok, installation().string()});
  for (const auto& [part, find] : {std::pair{"runtime", &stand_in_library},
                                   {"driver", &driver_library},
                                   {"loader's audit", &audit_library}})
    checks.push_back(look_for(part, find, "no program can be run on the emulator"));
  checks.push_back(look_for("GPU timer", inject_library, "no 'headroom run --gpu'"));
  checks.push_back(look_for("probes", probe_folder, "no 'headroom machine measure'"));
  checks.push_back({ours, "machines", Health::ok, fmt::format("{} known", machine_names().size())});
  checks.push_back(look_at_cache());
  checks.push_back(look_at_temporary());
}

std::string known_by(const std::string& tool) {
  for (const Toolkit& toolkit : toolkits())
    if (tool.starts_with(toolkit.bin + "/")) return toolkit.known_by;
  return "";
}

CheckUp look_at_ptxas() {
  constexpr const char* costs =
      "registers, spills and machine code are unknown unless the program carries code for the very "
      "machine; its PTX runs, and counts of instructions and predicted times are estimates";
  std::vector<Caveat> caveats;
  if (const Assembler* tool = assembler(caveats); tool && std::stoi(tool->version) < newest_cuda)
    return {of_toolkit,      "ptxas",
            Health::missing, fmt::format("{}, {}: older than CUDA 13", tool->version, tool->path),
            costs,           get_the_toolkit};
  else if (tool)
    return {of_toolkit, "ptxas", Health::ok,
            fmt::format("{}, {} ({})", tool->version, tool->path, known_by(tool->path))};
  return {of_toolkit, "ptxas", Health::missing, caveats.back().cause, costs, caveats.back().advice};
}

CheckUp look_for_tool(const char* name, Health without, const char* costs, const char* mend) {
  const std::string tool = find_tool(name);
  if (tool.empty()) return {of_toolkit, name, without, "not found", costs, mend};
  return {of_toolkit, name, Health::ok, fmt::format("{} ({})", tool, known_by(tool))};
}

CheckUp look_for_static_runtime() {
  constexpr const char* part = "libcudart_static.a";
  const std::vector<std::string> found = find_toolkit_libraries(part);
  if (!found.empty()) return {of_toolkit, part, Health::ok, found.front()};
  return {of_toolkit,
          part,
          Health::absent,
          "not found",
          "only programs that carry a static CUDA runtime and were stripped of symbols need it",
          get_the_toolkit};
}

void look_at_toolkit(std::vector<CheckUp>& checks) {
  checks.push_back(look_at_ptxas());
  checks.push_back(look_for_tool("nvlink", Health::missing,
                                 "programs that were built by parts (nvcc -rdc=true) run by their "
                                 "PTX, and their registers are unknown",
                                 get_the_toolkit));
  checks.push_back(look_for_tool("nvcc", Health::absent, "headroom compiles nothing", ""));
  checks.push_back(look_for_static_runtime());
}

// CUPTI is needed where there is a GPU alone.
void look_at_gpu(std::vector<CheckUp>& checks) {
  Driver driver;
  try {
    driver = look_at_driver(0);
  } catch (const Error& error) {
    checks.push_back({gpu, "driver", Health::absent, error.problem,
                      "only 'headroom run --gpu' and 'headroom machine measure' need one", ""});
    return;
  }
  checks.push_back({gpu, "driver", Health::ok,
                    fmt::format("CUDA {}.{}, {}", driver.major(), driver.version % 1000 / 10,
                                fmt::join(driver.devices, ", "))});
  try {
    checks.push_back({gpu, "CUPTI", Health::ok, find_cupti("", driver.major())});
  } catch (const Error& error) {
    checks.push_back(
        {gpu, "CUPTI", Health::missing, "not found", "no 'headroom run --gpu'", error.hint});
  }
}

void look_at_host(std::vector<CheckUp>& checks) {
  const char* level = "portable";
  for (const char* set : {"avx2", "avx512"})
    if (host_runs(set)) level = set;
  checks.push_back(
      {host, "processor", Health::ok,
       fmt::format("{}, {}; the emulator's code for {}", processor_name(),
                   text::counted(host_threads(0), "host thread", "host threads"), level)});
  checks.push_back({host, "glibc", Health::ok, gnu_get_libc_version()});
}

}  // namespace

std::vector<CheckUp> check_up() {
  std::vector<CheckUp> checks;
  look_at_ours(checks);
  look_at_toolkit(checks);
  look_at_gpu(checks);
  look_at_host(checks);
  for (CheckUp& each : python_frameworks()) checks.push_back(std::move(each));
  return checks;
}

}  // namespace headroom
