#include "run/place.h"

#include <filesystem>

#include "base/error.h"
#include "base/installation.h"

namespace headroom {

namespace {

std::filesystem::path library_folder() { return installation() / "lib/headroom"; }

std::filesystem::path installed(const char* name, const char* what) {
  const auto library = library_folder() / name;
  std::error_code ignored;
  if (!std::filesystem::exists(library, ignored))
    throw Error{library.string(), std::string(what) + " is missing",
                "keep bin/headroom and lib/headroom together, or build all targets"};
  return library;
}

// For LD_PRELOAD and LD_AUDIT, which ld.so splits at both characters and knows no quoting.
std::string for_the_loader(const char* name, const char* what) {
  const auto library = installed(name, what);
  if (library.string().find_first_of(" :") != std::string::npos)
    throw Error{library.string(),
                "a library whose path holds a space or a colon cannot be preloaded",
                "move headroom to a folder without them"};
  return library.string();
}

}  // namespace

std::string inject_library() {
  return installed("libheadroom_inject.so", "the library that times a program on a GPU").string();
}

std::string stand_in_library() {
  return for_the_loader("libcudart.so.13", "the emulated CUDA runtime");
}

std::string driver_library() { return for_the_loader("libcuda.so.1", "the emulated CUDA driver"); }

std::string audit_library() {
  return for_the_loader("libheadroom_audit.so", "the library that finds static CUDA runtimes");
}

std::string python_folder() { return installed("python", "headroom's Python package").string(); }

std::string probe_folder() { return installed("probes", "the folder of probes").string(); }

}  // namespace headroom
