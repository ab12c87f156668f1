#include "gpu/inject/trace_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace headroom::inject {
namespace {

std::string command_line() {
  std::string words;
  const int file = ::open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  char part[4096];
  for (ssize_t got; file >= 0 && (got = read(file, part, sizeof part)) > 0;)
    words.append(part, size_t(got));
  if (file >= 0) close(file);
  return words;
}

// A program that was started without standard streams must not print into the trace.
int above_standard_streams(int file) {
  if (file < 0 || file > STDERR_FILENO) return file;
  const int moved = fcntl(file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  close(file);
  return moved;
}

}  // namespace

void TraceFile::open(const std::string& prefix) {
  const std::string stem = prefix + "." + std::to_string(getpid()) + ".";
  constexpr int max_executed = 1000;
  for (int n = 0; n < max_executed; ++n) {
    const std::string path = stem + std::to_string(n) + ".activity";
    file_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (file_ >= 0 || errno != EEXIST) break;
  }
  file_ = above_standard_streams(file_);
  gathered_.reserve(max_gathered + 4096);
}

void TraceFile::begin(uint32_t cupti_version) {
  trace::Header header{};
  std::memcpy(header.magic, trace::magic, sizeof trace::magic);
  header.cupti_version = cupti_version;
  header.process = getpid();
  block(trace::Kind::header, header);
  block(trace::Kind::program, nullptr, 0, command_line());
}

void TraceFile::block(trace::Kind kind, const void* payload, size_t bytes, std::string_view text) {
  const trace::Block head{kind, uint32_t(bytes + text.size())};
  const auto add = [&](const void* data, size_t size) {
    const char* begin = static_cast<const char*>(data);
    gathered_.insert(gathered_.end(), begin, begin + size);
  };
  add(&head, sizeof head);
  if (bytes) add(payload, bytes);
  if (!text.empty()) add(text.data(), text.size());
  if (gathered_.size() >= max_gathered) flush();
}

void TraceFile::flush() {
  size_t done = 0;
  while (file_ >= 0 && done < gathered_.size()) {
    const ssize_t written = write(file_, gathered_.data() + done, gathered_.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {  // a full disk loses the trace, never the program
      close(file_);
      file_ = -1;
      break;
    }
    done += size_t(written);
  }
  gathered_.clear();
}

}  // namespace headroom::inject
