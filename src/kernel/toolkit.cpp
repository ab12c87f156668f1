#include "kernel/toolkit.h"

#include <glob.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "base/installation.h"

namespace headroom {
namespace {

namespace fs = std::filesystem;

constexpr const char* usual[] = {"/usr/local/cuda/bin", "/usr/local/cuda-13/bin",
                                 "/usr/local/cuda-13.0/bin", "/opt/cuda/bin"};
constexpr const char* library_folders[] = {"lib64", "targets/x86_64-linux/lib", "lib"};
// Below site-packages; NVIDIA's packages for CUDA 13 share it.
constexpr const char* package = "nvidia/cu13/bin";

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

std::vector<std::string> folders_of_path() {
  std::vector<std::string> folders;
  const std::string value = environment("PATH");
  for (std::string_view path = value; !path.empty();) {
    folders.emplace_back(path.substr(0, path.find(':')));
    path.remove_prefix(std::min(path.size(), folders.back().size() + 1));
  }
  return folders;
}

// Of the Python whose programs lie in the folder.
void add_packages(std::vector<Toolkit>& found, const std::string& folder) {
  const fs::path root = (fs::path(folder) / "..").lexically_normal();
  for (const char* kind : {"site-packages", "dist-packages"}) {
    glob_t matches{};
    const std::string pattern = (root / "lib/python3*" / kind / package).string();
    if (glob(pattern.c_str(), 0, nullptr, &matches) == 0)
      for (size_t i = 0; i < matches.gl_pathc; ++i)
        found.push_back({matches.gl_pathv[i], "Python packages", true});
    globfree(&matches);
  }
}

// "/venv/lib/python3.11/site-packages/cuda/x.so" -> "/venv/lib/python3.11/site-packages"; "" for other files.
fs::path packages_around(const fs::path& file) {
  for (fs::path folder = file.parent_path(); folder.has_relative_path();
       folder = folder.parent_path())
    if (folder.filename() == "site-packages" || folder.filename() == "dist-packages") return folder;
  return {};
}

}  // namespace

std::vector<Toolkit> toolkits() {
  if (const std::string only = environment("HEADROOM_TOOLKIT"); !only.empty())
    return {{only + "/bin", "HEADROOM_TOOLKIT"}};
  std::vector<Toolkit> found;
  for (const char* home : {"CUDA_HOME", "CUDA_PATH"})
    if (const std::string folder = environment(home); !folder.empty())
      found.push_back({folder + "/bin", home});
  const std::vector<std::string> path = folders_of_path();
  for (const std::string& folder : path) found.push_back({folder, "PATH"});
  for (const char* folder : usual) found.push_back({folder, "the usual folders"});
  found.push_back({(installation().parent_path() / package).string(), "Python packages", true});
  for (const std::string& folder : path) add_packages(found, folder);
  return found;
}

std::vector<std::string> find_tools(const std::string& name) {
  std::vector<std::string> found;
  for (const Toolkit& toolkit : toolkits())
    if (const std::string tool = toolkit.bin + "/" + name; access(tool.c_str(), X_OK) == 0)
      found.push_back(tool);
  return found;
}

std::string find_tool(const std::string& name) {
  const std::vector<std::string> found = find_tools(name);
  return found.empty() ? "" : found.front();
}

std::string toolkit_library(const std::string& tool, const std::string& name) {
  std::error_code ignored;
  const fs::path root = fs::weakly_canonical(tool, ignored).parent_path().parent_path();
  for (const char* folder : library_folders)
    if (const std::string file = (root / folder / name).string(); access(file.c_str(), R_OK) == 0)
      return file;
  return "";
}

std::vector<std::string> find_toolkit_libraries(const std::string& name,
                                                const std::string& beside) {
  std::vector<std::string> bins, found;
  if (const fs::path packages = packages_around(beside);
      !packages.empty() && environment("HEADROOM_TOOLKIT").empty())
    bins.push_back((packages / package).string());
  for (const Toolkit& toolkit : toolkits()) bins.push_back(toolkit.bin);
  for (const std::string& bin : bins)
    if (const std::string file = toolkit_library(bin + "/nvcc", name); !file.empty())
      found.push_back(file);
  return found;
}

}  // namespace headroom
