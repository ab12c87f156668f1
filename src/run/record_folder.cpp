#include "run/record_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "base/error.h"

namespace headroom {

namespace {

// Waits until nobody holds the pipe's other end, then clears the folder away. It holds nothing of
// ours open (a reader of our output would wait for it) and no signal to our group reaches it.
[[noreturn]] void keep(int alive, int ours, const std::string& folder) {
  close(ours);
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, nullptr);
  setsid();
  [[maybe_unused]] const int moved = chdir("/");
  for (int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (standard != alive) close(standard);
  // Kernels before 5.9 have no such call.
  if (alive > 0) syscall(SYS_close_range, 0u, unsigned(alive) - 1, 0u);
  syscall(SYS_close_range, unsigned(alive) + 1, ~0u, 0u);
  char nothing;
  while (read(alive, &nothing, 1) < 0 && errno == EINTR) {
  }
  std::error_code left;
  // The program is being killed too, and may be writing yet.
  for (int attempt = 0; attempt < 50 && std::filesystem::exists(folder, left); ++attempt) {
    std::filesystem::remove_all(folder, left);
    if (left) usleep(20'000);
  }
  _exit(0);
}

}  // namespace

RecordFolder::RecordFolder() {
  const char* parent = getenv("TMPDIR");
  path_ = fmt::format("{}/headroom.XXXXXX", parent && *parent ? parent : "/tmp");
  const std::string wanted = path_;
  if (!mkdtemp(path_.data()))
    throw Error{wanted, fmt::format("no temporary folder: {}", strerror(errno)),
                "set TMPDIR to a folder with room"};
  path_ = std::filesystem::absolute(path_).string();
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return;  // then a SIGKILL leaves the folder behind
  keeper_ = fork();
  if (keeper_ == 0) keep(ends[0], ends[1], path_);
  close(ends[0]);
  alive_ = ends[1];
}

RecordFolder::~RecordFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
  if (alive_ >= 0) close(alive_);
  while (keeper_ > 0 && waitpid(keeper_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

std::vector<Record> RecordFolder::read(int process) const {
  std::vector<std::string> files;
  std::error_code cleared;  // by the program
  for (const auto& file : std::filesystem::directory_iterator(path_, cleared))
    if (file.path().extension() == ".jsonl") files.push_back(file.path());
  // One process has several where it became another program: in the order of their numbers.
  std::ranges::sort(files, {},
                    [](const std::string& file) { return std::pair(file.size(), file); });
  std::vector<Record> records;
  for (const std::string& file : files) {
    const bool incomplete = file.ends_with(".incomplete.jsonl");
    if (std::ifstream(file).peek() > 0)  // neither nothing nor the room for what never came
      records.push_back(read_record(file));
    else if (incomplete)  // not even its first line
      records.emplace_back();
    else
      continue;
    records.back().incomplete = incomplete;
  }
  std::ranges::stable_sort(records, {}, [&](const Record& record) {
    return std::pair(record.process != process, record.process);
  });
  return records;
}

std::vector<std::string> RecordFolder::traces(int process) const {
  using Key =
      std::pair<bool, std::pair<size_t, std::string>>;  // numbers of equal length sort right
  const std::string own = fmt::format("run.{}.", process);
  std::vector<Key> found;
  std::error_code cleared;  // by the program
  for (const auto& file : std::filesystem::directory_iterator(path_, cleared)) {
    const std::string name = file.path().filename().string();
    if (file.path().extension() == ".activity")
      found.push_back({!name.starts_with(own), {name.size(), file.path().string()}});
  }
  std::sort(found.begin(), found.end());
  std::vector<std::string> paths;
  for (const Key& key : found) paths.push_back(key.second.second);
  return paths;
}

}  // namespace headroom
