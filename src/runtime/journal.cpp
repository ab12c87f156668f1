#include "runtime/journal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include "runtime/api.h"

namespace headroom::runtime {
namespace {

std::vector<std::string> command_line() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> words;
  for (std::string word; std::getline(file, word, '\0');) words.push_back(word);
  return words;
}

// A program that was started without standard streams, or closed them, must not print into the
// record.
int open_above_standard_streams(const std::string& path) {
  const int first = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0644);
  if (first < 0 || first > STDERR_FILENO) return first;
  const int moved = fcntl(first, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  close(first);
  return moved;
}

}  // namespace

Journal::Journal(std::string prefix, std::string machine) : prefix_(std::move(prefix)) {
  record_.machine = std::move(machine);
}

void Journal::open() {
  if (prefix_.empty() || record_.process == getpid()) return;
  if (file_ >= 0) close(file_);  // a forked child leaves its parent's file alone
  std::string machine = record_.machine;
  record_ = Record{};
  launches_ = 0;
  record_.machine = machine;
  record_.process = getpid();
  record_.program = command_line();
  std::string path = fmt::format("{}.{}.jsonl", prefix_, record_.process);
  file_ = open_above_standard_streams(path);
  if (file_ < 0)
    say(Error{path, fmt::format("cannot write the record: {}", std::strerror(errno)),
              "launches run, but no report can be made of them"});
  write(record_header_line(record_));
}

void Journal::begin(LaunchRecord launch) {
  open();
  launch.index = launches_;
  if (file_ >= 0) write(record_begin_line(launch));
}

void Journal::launch(LaunchRecord launch) {
  open();
  launch.index = launches_++;
  if (file_ < 0) return;
  write(record_launch_line(launch));
}

void Journal::transfer(const char* direction, uint64_t bytes) {
  open();
  auto& all = record_.transfers;
  auto found = std::find_if(all.begin(), all.end(),
                            [&](const Transfer& one) { return one.direction == direction; });
  if (found == all.end()) found = all.insert(all.end(), Transfer{direction});
  ++found->calls;
  found->bytes += bytes;
}

void Journal::unsupported(const std::string& name) {
  open();
  auto& names = record_.unsupported_calls;
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

void Journal::end() {
  if (file_ < 0 || record_.process != getpid()) return;
  record_.ended = true;
  record_.launches.resize(launches_);  // the end line counts them; their contents are in the file
  write(record_end_line(record_));
  close(file_);
  file_ = -1;
}

void Journal::write(const std::string& line) {
  if (file_ < 0) return;
  std::string text = line;
  if (text.empty() || text.back() != '\n') text += '\n';
  // A full disk loses the record, never the program.
  if (::write(file_, text.data(), text.size()) != ssize_t(text.size())) {
    say("the record file cannot be written any more: " + std::string(std::strerror(errno)));
    close(file_);
    file_ = -1;
  }
}

}  // namespace headroom::runtime
