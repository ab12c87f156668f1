// A folder of one's own for the files that a tool wants, gone with the object.
#pragma once
#include <cstdlib>
#include <filesystem>
#include <string>

namespace headroom {

struct ScratchFolder {
  std::string path;  // "": none could be made
  ScratchFolder() {
    std::error_code failed;
    std::string name = (std::filesystem::temp_directory_path(failed) / "headroom-XXXXXX").string();
    if (!failed && mkdtemp(name.data())) path = name;
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ~ScratchFolder() {
    std::error_code ignored;
    if (!path.empty()) std::filesystem::remove_all(path, ignored);
  }
};

}  // namespace headroom
