#include "run/frameworks.h"

#include <algorithm>
#include <filesystem>

#include "kernel/cache.h"
#include "run/process.h"

namespace headroom {
namespace {

// Machine code would do for both, as it is a GPU's; what was the fastest of several here is a prediction.
struct Cache {
  const char* variable;
  const char* folder;
};
constexpr Cache caches[] = {
    {"TRITON_CACHE_DIR", "triton"},
    {"TORCHINDUCTOR_CACHE_DIR", "inductor"},
    {"PYTORCH_KERNEL_CACHE_PATH", "pytorch"},
    {"NUMBA_CACHE_DIR", "numba"},
    {"CUPY_CACHE_DIR", "cupy"},
    {"TILELANG_CACHE_DIR", "tilelang"},
    {"WARP_CACHE_PATH", "warp"},
};

bool is_set(const std::vector<std::string>& environment, const std::string& name) {
  return std::ranges::any_of(environment,
                             [&](const std::string& one) { return one.starts_with(name + "="); });
}

void set_unless_set(std::vector<std::string>& environment, const std::string& name,
                    const std::string& value) {
  if (!is_set(environment, name)) set_variable(environment, name, value);
}

}  // namespace

void add_frameworks(std::vector<std::string>& environment, const std::string& driver) {
  namespace fs = std::filesystem;
  // Triton looks for a file of that name with ldconfig, which knows of real drivers alone.
  set_unless_set(environment, "TRITON_LIBCUDA_PATH", fs::path(driver).parent_path());
  if (cache_folder().empty()) return;
  const fs::path all = fs::absolute(cache_folder()) / "frameworks";
  for (const Cache& cache : caches) set_unless_set(environment, cache.variable, all / cache.folder);
}

}  // namespace headroom
