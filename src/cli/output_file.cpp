#include "cli/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>

#include "base/error.h"

namespace headroom {

namespace {

mode_t usual_mode() {
  const mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

std::string parent_of(const std::string& path) {
  const std::string parent = std::filesystem::path(path).parent_path().string();
  return parent.empty() ? "." : parent;
}

}  // namespace

OutputFile::OutputFile(const std::string& path, const std::string& option, std::FILE* otherwise)
    : path_(path), option_(option), stream_(path == "-" ? stdout : otherwise) {
  if (path_.empty() || path_ == "-") return;
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (fs::is_directory(path_, ignored)) fail("is a folder");
  is_ours_ = true;
  if (fs::exists(path_, ignored)) {
    if (access(path_.c_str(), W_OK) != 0) fail(strerror(errno));
    if (!fs::is_regular_file(path_, ignored)) {
      if (!(stream_ = fopen(path_.c_str(), "we"))) fail(strerror(errno));
      return;
    }
    path_ = fs::canonical(path_).string();  // a link stays a link
  }
  // Without a name until it is written: whatever ends us leaves nothing. Not every file system can.
  int file = open(parent_of(path_).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
  is_nameless_ = file >= 0;
  if (!is_nameless_) {
    temporary_ = path_ + ".XXXXXX";
    file = mkostemp(temporary_.data(), O_CLOEXEC);
    if (file < 0) {
      temporary_.clear();
      fail(strerror(errno));
    }
  }
  fchmod(file, usual_mode());
  stream_ = fdopen(file, "w");
}

OutputFile::~OutputFile() {
  if (is_ours_ && stream_) fclose(stream_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void OutputFile::write(const std::string& text) {
  if (!stream_) return;
  const bool whole =
      fwrite(text.data(), 1, text.size(), stream_) == text.size() && fflush(stream_) == 0;
  if (!whole && is_missed(errno)) fail(strerror(errno));
  if (is_nameless_) give_name();
  if (temporary_.empty()) return;
  if (rename(temporary_.c_str(), path_.c_str()) != 0) fail(strerror(errno));
  temporary_.clear();
}

void OutputFile::give_name() {
  const std::string nameless = fmt::format("/proc/self/fd/{}", fileno(stream_));
  for (int i = 0;; ++i) {
    temporary_ = fmt::format("{}.{}.{}", path_, getpid(), i);
    if (linkat(AT_FDCWD, nameless.c_str(), AT_FDCWD, temporary_.c_str(), AT_SYMLINK_FOLLOW) == 0)
      break;
    const int reason = errno;
    temporary_.clear();
    if (reason != EEXIST) fail(strerror(reason));
  }
  is_nameless_ = false;
}

bool OutputFile::is_missed(int reason) const {
  if (is_ours_) return true;
  return path_.empty() ? reason != EPIPE && reason != EBADF : reason != EPIPE;
}

void OutputFile::fail(const std::string& problem) const {
  throw Error{path_.empty() ? option_ : fmt::format("{} {}", option_, path_),
              fmt::format("cannot be written: {}", problem),
              "name a file in a folder that exists and may be written"};
}

void refuse_one_place(const std::vector<Destination>& destinations) {
  namespace fs = std::filesystem;
  const auto whole = [](const std::string& path) {
    std::error_code ignored;
    return path == "-" ? fs::path(path) : fs::weakly_canonical(fs::absolute(path), ignored);
  };
  for (size_t i = 0; i < destinations.size(); ++i)
    for (size_t j = i + 1; j < destinations.size(); ++j) {
      const auto& [option, path] = destinations[i];
      const auto& [other_option, other] = destinations[j];
      if (path.empty() || other.empty() || whole(path) != whole(other)) continue;
      std::error_code ignored;
      if (fs::exists(path, ignored) && !fs::is_regular_file(path, ignored)) continue;  // a device
      throw Error{fmt::format("{} {} {} {}", option, path, other_option, other),
                  path == "-" ? "both would be written to standard output"
                              : "both would be written to one file",
                  "name another file for one of them"};
    }
}

void refuse_program(const std::string& program, const std::vector<Destination>& destinations) {
  for (const auto& [option, path] : destinations) {
    std::error_code ignored;
    if (!path.empty() && path != "-" && std::filesystem::equivalent(path, program, ignored))
      throw Error{fmt::format("{} {}", option, path),
                  "is the program that is run, and would be replaced", "name another file"};
  }
}

void write_all(const std::vector<Written>& all, const ProgramEnd& end) {
  std::optional<Error> failure;
  for (const auto& [file, text] : all) {
    try {
      file.write(text);
    } catch (const Error& error) {
      if (!failure) failure = error;
    }
  }
  if (!failure) return;
  if (end.exit_code) failure->exit_code = end.exit_code;
  throw *failure;
}

void write_both(OutputFile& json_file, const std::string& json, OutputFile& report_file,
                const std::string& report, const ProgramEnd& end) {
  write_all({{json_file, json}, {report_file, report}}, end);
}

}  // namespace headroom
