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
#include "studies/common/output_file.h"

namespace barnes_hut {

[[noreturn]] inline void refuse(const std::string& path, const std::string& problem) {
  constexpr const char* suffix =
      study::BesideFile::suffix;  // what has it is on its way to its name
  const size_t rest = path.ends_with(suffix) ? std::strlen(suffix) : 0;
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
  study::BesideFile file(path);
  write(file.written());
  if (!file.put()) refuse(path, std::strerror(errno));
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
  const study::BesideFile file(path);
  if (file.written().ends_with(study::BesideFile::suffix))
    return write_contents(file.written(), "");
  if (access(path.c_str(), W_OK) != 0) refuse(path, std::strerror(errno));
}

}  // namespace barnes_hut
