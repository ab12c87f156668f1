#include "base/host.h"

#include <fstream>

namespace headroom {

bool host_runs(std::string_view instruction_set) {
  if (instruction_set == "avx512")
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512cd");
  if (instruction_set == "avx2")
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  return instruction_set == "portable";
}

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name"))
      return line.substr(std::min(line.size(), line.find(':') + 2));
  return "";
}

}  // namespace headroom
