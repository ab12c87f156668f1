// A file of results that is there whole or not at all: written beside its place, and put there last.
//
//   OutputFile file("copy.json");           writes copy.json.unfinished
//   std::fprintf(file.stream(), …);
//   if (!file.finish()) …                   copy.json; false: it cannot be written
//
// What is no plain file (a pipe, /dev/stdout) is written as it stands, and so is a file in a folder
// that takes no other.
#pragma once
#include <cstdio>
#include <filesystem>
#include <string>

namespace study {

class OutputFile {
 public:
  explicit OutputFile(const std::string& path) {
    std::error_code ignored;  // what it means is seen when the file is opened
    place_ = std::filesystem::weakly_canonical(path, ignored);  // of a link: what it leads to
    if (place_.empty()) place_ = path;
    if (!std::filesystem::exists(place_, ignored) ||
        std::filesystem::is_regular_file(place_, ignored)) {
      beside_ = place_.string() + ".unfinished";
    }
    stream_ = beside_.empty() ? nullptr : std::fopen(beside_.c_str(), "w");
    if (stream_) return;
    beside_.clear();
    stream_ = std::fopen(place_.c_str(), "w");
  }
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile() {
    if (!stream_) return;
    std::fclose(stream_);
    if (!beside_.empty()) std::remove(beside_.c_str());
  }

  std::FILE* stream() const { return stream_; }  // null: it cannot be opened

  bool finish() {
    if (!stream_) return false;
    const bool written = !std::ferror(stream_) & !std::fclose(stream_);
    stream_ = nullptr;
    if (beside_.empty()) return written;
    std::error_code failure;
    if (written) std::filesystem::rename(beside_, place_, failure);
    if (written && !failure) return true;
    std::remove(beside_.c_str());
    return false;
  }

 private:
  std::filesystem::path place_, beside_;  // none beside: written in its place
  std::FILE* stream_;
};

}  // namespace study
