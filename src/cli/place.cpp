#include "cli/place.h"

#include <filesystem>

#include "base/error.h"

namespace headroom {

std::string stand_in_library() {
  const auto program = std::filesystem::read_symlink("/proc/self/exe");
  const auto library = program.parent_path().parent_path() / "lib/headroom/libcudart.so.13";
  std::error_code ignored;
  if (!std::filesystem::exists(library, ignored))
    throw Error{library.string(), "the stand-in CUDA runtime is missing",
                "keep bin/headroom and lib/headroom together, or build all targets"};
  // ld.so splits LD_PRELOAD at both and knows no quoting.
  if (library.string().find_first_of(" :") != std::string::npos)
    throw Error{library.string(),
                "a library whose path holds a space or a colon cannot be preloaded",
                "move headroom to a folder without them"};
  return library.string();
}

}  // namespace headroom
