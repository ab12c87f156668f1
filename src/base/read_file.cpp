#include "base/read_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "base/error.h"

namespace headroom {
namespace {

// 0, or errno: a folder can be opened, but not read.
int append_file(std::string& text, const std::string& path, size_t limit) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rbe"),
                                                             std::fclose);
  if (!file) return errno;
  char piece[1 << 16];
  while (const size_t count = std::fread(piece, 1, sizeof piece, file.get())) {
    text.append(piece, count);
    if (text.size() > limit)
      throw Error{path, fmt::format("has more than {} MiB", limit >> 20), "is it the right file?"};
  }
  return std::ferror(file.get()) ? errno : 0;
}

}  // namespace

std::optional<std::string> read_file(const std::string& path, size_t limit) {
  std::string text;
  if (append_file(text, path, limit) != 0) return {};
  return text;
}

std::string load_file(const std::string& path, const std::string& hint, const std::string& where,
                      size_t limit) {
  std::string text;
  const int reason = append_file(text, path, limit);
  if (reason == 0) return text;
  throw Error{
      where.empty() ? path : where,
      reason == EISDIR ? "is a folder" : fmt::format("cannot be read: {}", std::strerror(reason)),
      hint};
}

}  // namespace headroom
