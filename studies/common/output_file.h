// A file that is there whole or not at all: written beside its place, and put there last.
//
//   OutputFile file("copy.json");           writes copy.json.unfinished
//   std::fprintf(file.stream(), …);
//   if (!file.finish()) …                   copy.json; false: it cannot be written
//
//   BesideFile file("bodies.hdf5");         the same for a library that opens files by their name
//   write(file.written());                  bodies.hdf5.unfinished
//   if (!file.put()) …                      bodies.hdf5, else that one is gone; errno says why
//
// What is no plain file (a pipe, /dev/stdout) is written as it stands, and so is a file in a folder
// that takes no other.
#pragma once
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <string>

namespace study {

class BesideFile {
 public:
  static constexpr const char* suffix = ".unfinished";

  explicit BesideFile(const std::string& path) {
    std::error_code ignored;  // what it means is seen when the file is opened
    place_ = std::filesystem::weakly_canonical(path, ignored);  // of a link: what it leads to
    if (place_.empty()) place_ = path;
    const bool fresh = !std::filesystem::exists(place_, ignored);
    if (!fresh && !std::filesystem::is_regular_file(place_, ignored)) return;
    const std::filesystem::path folder = place_.parent_path().empty() ? "." : place_.parent_path();
    if (!fresh && access(folder.c_str(), W_OK) != 0) return;
    beside_ = place_.string() + suffix;
  }
  BesideFile(const BesideFile&) = delete;
  BesideFile& operator=(const BesideFile&) = delete;
  ~BesideFile() {
    if (!beside_.empty()) std::remove(beside_.c_str());
  }

  std::string written() const { return beside_.empty() ? place_ : beside_; }
  bool put() {
    if (beside_.empty()) return true;
    const bool put = std::rename(beside_.c_str(), place_.c_str()) == 0;
    const int why = errno;
    if (!put) std::remove(beside_.c_str());
    beside_.clear();
    errno = why;
    return put;
  }

 private:
  std::filesystem::path place_, beside_;  // none beside: written in its place, or put there
};

class OutputFile {
 public:
  explicit OutputFile(const std::string& path)
      : file_(path), stream_(std::fopen(file_.written().c_str(), "w")) {}
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile() {
    if (stream_) std::fclose(stream_);
  }

  std::FILE* stream() const { return stream_; }  // null: it cannot be opened

  bool finish() {
    if (!stream_) return false;
    const bool written = !std::ferror(stream_) & !std::fclose(stream_);
    stream_ = nullptr;
    return written && file_.put();
  }

 private:
  BesideFile file_;
  std::FILE* stream_;
};

}  // namespace study
