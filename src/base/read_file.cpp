#include "base/read_file.h"

#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "base/error.h"

namespace headroom {

std::optional<std::string> read_file(const std::string& path, size_t limit) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rbe"),
                                                             std::fclose);
  if (!file) return {};
  std::string text;
  char piece[1 << 16];
  while (const size_t count = std::fread(piece, 1, sizeof piece, file.get())) {
    text.append(piece, count);
    if (text.size() > limit)
      throw Error{path, fmt::format("has more than {} MiB", limit >> 20), "is it the right file?"};
  }
  if (std::ferror(file.get())) return {};  // a folder
  return text;
}

}  // namespace headroom
