#include "cli/run_environment.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "cli/place.h"
#include "gpu/driver.h"

namespace headroom {

namespace {

void set(std::vector<std::string>& environment, const std::string& name, const std::string& value) {
  std::erase_if(environment, [&](const std::string& each) { return each.starts_with(name + "="); });
  environment.push_back(name + "=" + value);
}

std::vector<std::string> ours() {
  std::vector<std::string> environment;
  for (char** each = environ; *each; ++each) environment.emplace_back(*each);
  return environment;
}

// The program may change its folder; a machine file named by path has to be found from anywhere.
std::string machine_anywhere(const std::string& name_or_path) {
  return name_or_path.find('/') == std::string::npos && !std::filesystem::exists(name_or_path)
             ? name_or_path
             : std::filesystem::absolute(name_or_path).string();
}

}  // namespace

std::vector<std::string> gpu_environment(int gpu, const std::string& prefix,
                                         const std::string& cupti) {
  std::vector<std::string> environment = ours();
  set(environment, "CUDA_INJECTION64_PATH", inject_library());
  set(environment, "CUDA_VISIBLE_DEVICES", visible_device(gpu, getenv("CUDA_VISIBLE_DEVICES")));
  set(environment, "HEADROOM_TRACE", prefix);
  set(environment, "HEADROOM_CUPTI", cupti);
  return environment;
}

std::vector<std::string> run_environment(const RunOptions& options, const std::string& prefix) {
  std::vector<std::string> environment = ours();
  const char* preloaded = getenv("LD_PRELOAD");
  set(environment, "LD_PRELOAD",
      stand_in_library() + (preloaded && *preloaded ? std::string(":") + preloaded : ""));
  set(environment, "CUDA_VISIBLE_DEVICES", "");
  set(environment, "HEADROOM_RECORD", prefix);
  set(environment, "HEADROOM_MACHINE", machine_anywhere(options.machine));
  set(environment, "HEADROOM_IMAGE", options.image);
  set(environment, "HEADROOM_DEVICES", std::to_string(options.devices));
  set(environment, "HEADROOM_SCHEDULING", options.scheduling);
  set(environment, "HEADROOM_THREADS", std::to_string(options.threads));
  set(environment, "HEADROOM_PROGRESS", isatty(STDERR_FILENO) ? "1" : "0");
  return environment;
}

}  // namespace headroom
