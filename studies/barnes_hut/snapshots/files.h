// Files as a whole: read at once, and written so that a name never stands for half a file.
//
//   const std::string bytes = contents_of("bodies.csv");
//   replace_file("bodies.csv", [&](const std::string& path) { … });    // writes to path, a new file
#pragma once
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

#include "studies/barnes_hut/snapshots/snapshot.h"

namespace barnes_hut {

// What a file is called before it stands under its name.
constexpr const char* unfinished = ".part";

[[noreturn]] inline void refuse(const std::string& path, const std::string& problem) {
  const size_t rest = path.ends_with(unfinished) ? std::strlen(unfinished) : 0;
  throw Refused(path.substr(0, path.size() - rest) + ": " + problem);
}

// The first `most` bytes.
inline std::string contents_of(const std::string& path, size_t most = SIZE_MAX) {
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (!file) refuse(path, std::strerror(errno));
  std::string bytes;
  size_t got = 1;
  while (got > 0 && bytes.size() < most) {
    constexpr size_t step = 1 << 24;
    const size_t before = bytes.size(), wanted = std::min(step, most - before);
    bytes.resize(before + wanted);
    got = std::fread(bytes.data() + before, 1, wanted, file);
    bytes.resize(before + got);
  }
  const bool failed = std::ferror(file);
  const int error = errno;  // a folder opens, and cannot be read
  std::fclose(file);
  if (failed) refuse(path, std::strerror(error));
  return bytes;
}

template <typename Write>
void replace_file(const std::string& path, const Write& write) {
  const std::string beside = path + unfinished;
  try {
    write(beside);
  } catch (...) {
    std::remove(beside.c_str());
    throw;
  }
  if (std::rename(beside.c_str(), path.c_str()) == 0) return;
  const std::string problem = std::strerror(errno);
  std::remove(beside.c_str());
  refuse(path, problem);
}

// For use in replace_file.
inline void write_contents(const std::string& path, const std::string& bytes) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (!file) refuse(path, std::strerror(errno));
  const bool written = std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size() &&
                       std::fflush(file) == 0 && fsync(fileno(file)) == 0;
  const int error = errno;
  if (std::fclose(file) != 0 || !written) refuse(path, std::strerror(error));
}

// Before the work, not after it: whether there is leave to make the file.
inline void require_replaceable(const std::string& path) {
  struct stat status;
  if (stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode)) refuse(path, "is a folder");
  write_contents(path + unfinished, "");
  std::remove((path + unfinished).c_str());
}

}  // namespace barnes_hut
