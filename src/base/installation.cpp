#include "base/installation.h"

#include <dlfcn.h>
#include <link.h>

namespace headroom {

namespace fs = std::filesystem;

namespace {

// The program or library that this code was linked into. The loader knows a program by no path.
fs::path own_file() {
  Dl_info ignored;
  void* map = nullptr;
  const auto here = reinterpret_cast<void*>(&own_file);
  if (dladdr1(here, &ignored, &map, RTLD_DL_LINKMAP) != 0 && map)
    if (const char* name = static_cast<link_map*>(map)->l_name; name && *name) return name;
  std::error_code without_proc;
  return fs::read_symlink("/proc/self/exe", without_proc);
}

}  // namespace

fs::path installation() {
  const fs::path folder = own_file().parent_path();
  return folder.filename() == "headroom" ? folder.parent_path().parent_path()
                                         : folder.parent_path();
}

}  // namespace headroom
