#include "run/environment.h"

#include <cstdlib>
#include <filesystem>

#include "gpu/driver.h"
#include "kernel/toolkit.h"
#include "run/frameworks.h"
#include "run/place.h"
#include "run/process.h"

namespace headroom {

namespace {

// The program may change its folder; a machine file named by path has to be found from anywhere.
std::string machine_anywhere(const std::string& name_or_path) {
  return name_or_path.find('/') == std::string::npos && !std::filesystem::exists(name_or_path)
             ? name_or_path
             : std::filesystem::absolute(name_or_path).string();
}

// What the user has in such a list already.
std::string also(const char* variable) {
  const char* value = getenv(variable);
  return value && *value ? std::string(":") + value : "";
}

}  // namespace

std::vector<std::string> gpu_environment(int gpu, const std::string& prefix,
                                         const std::string& cupti) {
  std::vector<std::string> environment = our_environment();
  set_variable(environment, "CUDA_INJECTION64_PATH", inject_library());
  set_variable(environment, "CUDA_VISIBLE_DEVICES",
               visible_device(gpu, getenv("CUDA_VISIBLE_DEVICES")));
  set_variable(environment, "HEADROOM_TRACE", prefix);
  set_variable(environment, "HEADROOM_CUPTI", cupti);
  return environment;
}

std::vector<std::string> probe_environment() {
  std::vector<std::string> environment = our_environment();
  const std::vector<std::string> runtimes = find_toolkit_libraries("libcudart.so.13");
  if (runtimes.empty()) return environment;  // the loader may know one
  const std::string own = also("LD_LIBRARY_PATH"),
                    folder = std::filesystem::path(runtimes.front()).parent_path().string();
  set_variable(environment, "LD_LIBRARY_PATH", own.empty() ? folder : own.substr(1) + ":" + folder);
  return environment;
}

std::vector<std::string> executor_environment(const ExecutorOptions& options,
                                              const std::string& prefix, bool shows_progress) {
  std::vector<std::string> environment = our_environment();
  const std::string runtime = stand_in_library();  // what is missing first is told
  set_variable(environment, "LD_PRELOAD", runtime + ":" + driver_library() + also("LD_PRELOAD"));
  set_variable(environment, "LD_AUDIT", audit_library() + also("LD_AUDIT"));
  set_variable(environment, "CUDA_VISIBLE_DEVICES", "");
  set_variable(environment, "HEADROOM_RECORD", prefix);
  set_variable(environment, "HEADROOM_MACHINE", machine_anywhere(options.machine));
  set_variable(environment, "HEADROOM_IMAGE", options.image);
  set_variable(environment, "HEADROOM_ENGINE", options.engine);
  set_variable(environment, "HEADROOM_SOURCE",
               options.source          ? "1"
               : options.source_if_any ? "if_any"
                                       : "0");
  set_variable(environment, "HEADROOM_MODEL",
               !options.model        ? "0"
               : options.times_alone ? "times"
                                     : "1");
  set_variable(environment, "HEADROOM_CHECK", options.check.empty() ? "0" : options.check);
  set_variable(environment, "HEADROOM_EVENTS", options.events);
  set_variable(environment, "HEADROOM_ACTIONS", options.actions ? "1" : "0");
  set_variable(environment, "HEADROOM_DEVICES", std::to_string(options.devices));
  set_variable(environment, "HEADROOM_TIMING_LOOPS",
               options.cut_timing_loops ? "once" : "as-written");
  if (!options.repeated.empty()) set_variable(environment, "HEADROOM_REPEATED", options.repeated);
  set_variable(environment, "PYTHONPATH", python_folder() + also("PYTHONPATH"));
  set_variable(environment, "HEADROOM_SCHEDULING", options.scheduling);
  set_variable(environment, "HEADROOM_HANG_AFTER", options.hang_after);
  set_variable(environment, "HEADROOM_THREADS", std::to_string(options.threads));
  set_variable(environment, "HEADROOM_PROGRESS", shows_progress ? "1" : "0");
  add_frameworks(environment, driver_library());
  return environment;
}

}  // namespace headroom
