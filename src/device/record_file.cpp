#include "device/record_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>

namespace headroom::device {
namespace {

// Away from the numbers that programs get, close and take for granted, but in the table that every
// process has: a higher one would make the system enlarge it.
int out_of_reach(int first) {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  const int wanted = int(std::min<rlim_t>(limit.rlim_cur, 1024)) - 32;
  int moved = fcntl(first, F_DUPFD_CLOEXEC, std::max(wanted, STDERR_FILENO + 1));
  if (moved < 0 && first <= STDERR_FILENO) moved = fcntl(first, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (moved < 0) return first;
  close(first);
  return moved;
}

}  // namespace

bool RecordFile::open(const std::string& prefix, int process) {
  close();
  int first = -1;
  for (int again = 0; first < 0; ++again) {
    const std::string name =
        fmt::format("{}.{}{}", prefix, process, again ? fmt::format(".{}", again) : std::string());
    path_ = name + ".jsonl";
    incomplete_ = name + ".incomplete.jsonl";
    first = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0644);
    if (first < 0 && errno != EEXIST) return false;
  }
  descriptor_ = out_of_reach(first);
  struct stat facts {};
  fstat(descriptor_, &facts);
  device_ = facts.st_dev;
  inode_ = facts.st_ino;
  whole_ = 0;
  return true;
}

bool RecordFile::is_ours() const {
  struct stat facts {};
  return fstat(descriptor_, &facts) == 0 && facts.st_dev == device_ && facts.st_ino == inode_;
}

bool RecordFile::write_all(const std::string& lines) {
  for (size_t done = 0; done < lines.size();) {
    const ssize_t wrote = ::write(descriptor_, lines.data() + done, lines.size() - done);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return false;
    done += size_t(wrote);
  }
  return true;
}

bool RecordFile::write(const std::string& lines) {
  if (descriptor_ < 0) return false;
  if (!is_ours()) {  // closed by the program: the number is its own now
    descriptor_ = ::open(path_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
    if (descriptor_ >= 0) descriptor_ = out_of_reach(descriptor_);
    if (descriptor_ < 0) return false;
    if (!is_ours()) {
      close();
      errno = ESTALE;
      return false;
    }
  }
  if (write_all(lines)) {
    whole_ += off_t(lines.size());
    return true;
  }
  const int reason = errno;
  const bool cut = ftruncate(descriptor_, whole_) == 0;
  close();
  if (cut) std::rename(path_.c_str(), incomplete_.c_str());  // takes no room
  errno = reason;
  return false;
}

void RecordFile::close() {
  if (descriptor_ >= 0 && is_ours()) ::close(descriptor_);
  descriptor_ = -1;
}

}  // namespace headroom::device
