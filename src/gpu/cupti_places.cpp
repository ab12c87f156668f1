#include "gpu/cupti_places.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <glob.h>
#include <link.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/error.h"
#include "kernel/program.h"
#include "kernel/toolkit.h"

namespace headroom {
namespace {

namespace fs = std::filesystem;

constexpr int newest = 13, oldest = 12;  // the versions whose records we know

std::vector<std::string> matching(const std::string& pattern) {
  std::vector<std::string> result;
  glob_t found{};
  if (glob(pattern.c_str(), 0, nullptr, &found) == 0)
    for (size_t i = 0; i < found.gl_pathc; ++i) result.emplace_back(found.gl_pathv[i]);
  globfree(&found);
  return result;
}

// "#!/usr/bin/env python3" -> "/usr/bin/python3"; "" when the program is no script.
std::string interpreter(const std::string& program) {
  std::ifstream file(program, std::ios::binary);
  std::string line, word, next;
  if (!std::getline(file, line) || !line.starts_with("#!")) return "";
  std::istringstream words(line.substr(2));
  words >> word >> next;
  return word.ends_with("/env") ? find_program(next) : word;
}

void add_toolkit(std::vector<std::string>& folders, const std::string& root) {
  for (const char* each : {"lib64", "extras/CUPTI/lib64", "targets/x86_64-linux/lib", "lib"})
    folders.push_back((fs::path(root) / each).string());
}

void add_python(std::vector<std::string>& folders, const std::string& program) {
  if (program.empty()) return;
  const fs::path root = fs::path(program).parent_path().parent_path();
  for (const char* package : {"nvidia/cu13/lib", "nvidia/cuda_cupti/lib"})
    for (const char* kind : {"site-packages", "dist-packages"})
      for (const std::string& each : matching((root / "lib/python3*" / kind / package).string()))
        folders.push_back(each);
}

// Where the loader itself finds a library, or "".
std::string loaders_own(const std::string& name) {
  void* library = dlopen(name.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (!library) return "";
  link_map* map = nullptr;
  const std::string path = dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 && map ? map->l_name : "";
  dlclose(library);
  return path;
}

std::string set(const char* variable) {
  const char* value = std::getenv(variable);
  return value ? value : "";
}

std::string in_folder(const std::string& folder, const std::string& name) {
  if (folder.empty()) return loaders_own(name);
  std::error_code ignored;
  if (fs::is_regular_file(folder, ignored)) return folder;
  const fs::path path = fs::path(folder) / name;
  return fs::exists(path, ignored) ? path.string() : "";
}

}  // namespace

std::vector<std::string> cupti_folders(const std::string& program) {
  if (const std::string chosen = set("HEADROOM_CUPTI"); !chosen.empty()) return {chosen};
  std::vector<std::string> folders;
  if (const std::string only = set("HEADROOM_TOOLKIT"); !only.empty()) {
    add_toolkit(folders, only);
    return folders;
  }
  if (const std::string home = set("CUDA_HOME"); !home.empty()) add_toolkit(folders, home);
  for (const std::string& root : matching("/usr/local/cuda*")) add_toolkit(folders, root);
  folders.emplace_back();
  add_python(folders, program);
  add_python(folders, interpreter(program));
  for (const Toolkit& toolkit : toolkits())
    if (toolkit.is_package)
      folders.push_back((fs::path(toolkit.bin).parent_path() / "lib").string());
  return folders;
}

std::string find_cupti(const std::string& program, int driver_major) {
  if (driver_major < oldest)
    throw Error{"--gpu",
                fmt::format("no CUPTI that serves a driver of CUDA {} is known", driver_major),
                fmt::format("update the driver: from CUDA {} on it can be measured", oldest)};
  const std::vector<std::string> folders = cupti_folders(program);
  for (int version = std::min(newest, driver_major); version >= oldest; --version)
    for (const std::string& folder : folders)
      if (std::string path = in_folder(folder, fmt::format("libcupti.so.{}", version));
          !path.empty())
        return fs::absolute(path).string();
  std::vector<std::string> shown;
  for (const std::string& folder : folders)
    shown.push_back(folder.empty() ? "the loader's folders (LD_LIBRARY_PATH, ldconfig)" : folder);
  throw Error{"--gpu",
              fmt::format("no CUPTI that serves a driver of CUDA {}: no libcupti.so.{} in {}",
                          driver_major, std::min(newest, driver_major), fmt::join(shown, ", ")),
              "it comes with the CUDA toolkit (cuda-cupti) and as 'pip install nvidia-cuda-cupti'; "
              "set HEADROOM_CUPTI to its path"};
}

}  // namespace headroom
