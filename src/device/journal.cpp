#include "device/journal.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "device/say.h"

namespace headroom::device {
namespace {

std::vector<std::string> command_line() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> words;
  for (std::string word; std::getline(file, word, '\0');) words.push_back(word);
  return words;
}

}  // namespace

Journal::Journal(std::string prefix, std::string machine) : prefix_(std::move(prefix)) {
  record_.machine = std::move(machine);
}

void Journal::open() {
  if (prefix_.empty() || record_.process == getpid()) return;
  file_.leave();  // a forked child, its parent's
  std::string machine = record_.machine;
  record_ = Record{};
  launches_ = work_ = 0;
  writer_ = {};
  record_.machine = machine;
  record_.process = getpid();
  record_.program = command_line();
  if (!file_.open(prefix_, record_.process))
    say(Error{file_.path(), fmt::format("cannot write the record: {}", std::strerror(errno)),
              "launches run, but no report can be made of them"});
  write(RecordWriter::header(record_));
}

void Journal::begin(const LaunchRecord& launch) {
  open();
  if (file_.is_open()) write(writer_.begin(launch));
}

void Journal::ran(const LaunchRecord& launch) {
  open();
  if (file_.is_open()) write(writer_.ran(launch));
}

void Journal::launch(const LaunchRecord& launch) {
  if (keeps_) kept_.push_back(launch);
  open();
  ++launches_, ++work_;
  if (file_.is_open()) write(writer_.launch(launch));
}

void Journal::wait(const HostAction& action) {
  if (!writes_actions_) return;
  open();
  write(RecordWriter::action(action));
}

void Journal::transfer(const HostAction& action) {
  open();
  ++work_;
  if (writes_actions_) write(RecordWriter::action(action));
  auto& all = record_.transfers;
  auto found = std::ranges::find(all, action.what, &Transfer::direction);
  if (found == all.end()) found = all.insert(all.end(), Transfer{action.what});
  ++found->calls;
  found->bytes += action.bytes;
}

void Journal::unsupported(const std::string& name) {
  open();
  auto& names = record_.unsupported_calls;
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

void Journal::finding(const Finding& finding) {
  open();
  for (Finding& known : record_.findings)
    if (known.kind == finding.kind && known.what == finding.what &&
        known.source == finding.source) {
      ++known.times;
      return;
    }
  record_.findings.push_back(finding);
}

void Journal::end() {
  if (!file_.is_open() || record_.process != getpid()) return;
  write(RecordWriter::end(record_, launches_));
  file_.close();
}

void Journal::write(const std::string& lines) {
  if (!file_.is_open() || file_.write(lines)) return;
  // A full disk loses the record, never the program.
  say(Error{file_.path(), fmt::format("the record ends here: {}", std::strerror(errno)),
            "launches run on, but are missing in the report: set TMPDIR to a folder with room"});
}

}  // namespace headroom::device
