#include "device/record_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
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

int take_room(int descriptor, off_t from, size_t bytes) {
  int wrong;
  do wrong = posix_fallocate(descriptor, from, off_t(bytes));
  while (wrong == EINTR);
  return wrong;
}

bool is_full(int reason) { return reason == ENOSPC || reason == EDQUOT || reason == EFBIG; }

// A small record stays small on the disk, a long one seldom asks.
constexpr size_t least_room = 64 << 10, most_room = 4 << 20;

}  // namespace

bool RecordFile::open(const std::string& prefix, int process) {
  leave();
  int first = -1;
  for (int again = 0; first < 0; ++again) {
    const std::string name =
        fmt::format("{}.{}{}", prefix, process, again ? fmt::format(".{}", again) : std::string());
    path_ = name + ".jsonl";
    incomplete_ = name + ".incomplete.jsonl";
    first = ::open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
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

bool RecordFile::find() {
  if (is_ours()) return true;
  descriptor_ = ::open(path_.c_str(), O_RDWR | O_CLOEXEC);  // the number is the program's own now
  if (descriptor_ >= 0) descriptor_ = out_of_reach(descriptor_);
  if (descriptor_ < 0) return false;
  if (is_ours()) return true;
  ::close(descriptor_);
  descriptor_ = -1;
  errno = ESTALE;
  return false;
}

size_t RecordFile::room_for(size_t bytes) {
  rlimit limit{};
  getrlimit(RLIMIT_FSIZE, &limit);  // to go beyond is a signal, not an error
  const rlim_t most = limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > rlim_t(1) << 62
                          ? rlim_t(1) << 62
                          : limit.rlim_cur;
  size_t room = std::max(bytes, std::clamp(size_t(whole_), least_room, most_room));
  room = std::min(room, size_t(most - std::min(most, rlim_t(whole_))));
  errno = room < bytes ? EFBIG : take_room(descriptor_, whole_, room);
  if (errno == 0) return room;
  if ((errno != ENOSPC && errno != EDQUOT) || room == bytes) return 0;
  errno = take_room(descriptor_, whole_, bytes);
  return errno == 0 ? bytes : 0;
}

bool RecordFile::map(size_t room) {
  unmap();
  first_ = whole_ & ~off_t(sysconf(_SC_PAGESIZE) - 1);
  mapped_ = size_t(whole_ - first_) + room;
  void* pages = mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, first_);
  if (pages == MAP_FAILED) return false;
  pages_ = static_cast<char*>(pages);
  return true;
}

bool RecordFile::enlarge(size_t bytes) {
  if (!find()) return false;
  const size_t room = room_for(bytes);
  return room > 0 && map(room);
}

bool RecordFile::write_out(const std::string& lines) {
  if (!find()) return false;
  for (size_t done = 0; done < lines.size();) {
    const ssize_t wrote =
        pwrite(descriptor_, lines.data() + done, lines.size() - done, whole_ + off_t(done));
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return false;
    done += size_t(wrote);
  }
  return true;
}

bool RecordFile::write(const std::string& lines) {
  if (descriptor_ < 0 || lines.empty()) return descriptor_ >= 0;
  const bool fits = pages_ && size_t(whole_ - first_) + lines.size() <= mapped_;
  if (fits || enlarge(lines.size())) {
    // The end of a line last: who reads it sees the whole line, or none.
    char* const to = pages_ + (whole_ - first_);
    std::copy_n(lines.data(), lines.size() - 1, to);
    std::atomic_signal_fence(std::memory_order_release);
    to[lines.size() - 1] = lines.back();
  } else if (is_full(errno) || !write_out(lines)) {
    give_up();
    return false;
  }
  whole_ += off_t(lines.size());
  return true;
}

void RecordFile::give_up() {
  const int reason = errno;
  const bool cut = descriptor_ >= 0 && ftruncate(descriptor_, whole_) == 0;
  leave();
  if (cut) std::rename(path_.c_str(), incomplete_.c_str());  // takes no room
  errno = reason;
}

void RecordFile::close() {
  [[maybe_unused]] const bool cut =
      descriptor_ >= 0 && find() && ftruncate(descriptor_, whole_) == 0;
  leave();
}

void RecordFile::leave() {
  unmap();
  if (descriptor_ >= 0 && is_ours()) ::close(descriptor_);
  descriptor_ = -1;
}

void RecordFile::unmap() {
  if (pages_) munmap(pages_, mapped_);
  pages_ = nullptr;
}

}  // namespace headroom::device
