#include "cli/probe_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>

#include "base/error.h"

namespace headroom {
namespace {

constexpr std::array stopping{SIGINT, SIGQUIT, SIGTERM, SIGHUP};
std::atomic<int> stop_signal{0};

void remember(int signal) { stop_signal = signal; }

struct Child {
  pid_t process = 0;
  int output = -1;
};

// A group of its own: Ctrl-C reaches us alone, and we end the probe.
Child start(const std::string& path, const std::vector<std::string>& arguments) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    throw Error{path, fmt::format("no pipe: {}", strerror(errno)), "", 126};
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, ends[1], STDOUT_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  std::vector<char*> words{const_cast<char*>(path.c_str())};
  for (const std::string& each : arguments) words.push_back(const_cast<char*>(each.c_str()));
  words.push_back(nullptr);
  Child child;
  const int failure =
      posix_spawn(&child.process, path.c_str(), &files, &attributes, words.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  close(ends[1]);
  child.output = ends[0];
  if (!failure) return child;
  close(ends[0]);
  throw Error{path, fmt::format("cannot be executed: {}", strerror(failure)),
              "is it a probe for this machine?", 126};
}

}  // namespace

StopWatch::StopWatch() {
  stop_signal = 0;
  struct sigaction watch {};
  watch.sa_handler = remember;
  for (const int signal : stopping) {
    struct sigaction now {};
    sigaction(signal, nullptr, &now);
    before_.push_back(now);
    if (now.sa_handler != SIG_IGN) sigaction(signal, &watch, nullptr);
  }
}

StopWatch::~StopWatch() {
  for (size_t i = 0; i < stopping.size(); ++i) sigaction(stopping[i], &before_[i], nullptr);
}

ProbeEnd run_probe(const std::string& path, const std::vector<std::string>& arguments, double limit,
                   const std::function<void(const std::string&)>& take,
                   const std::function<void()>& watch) {
  using Time = std::chrono::steady_clock;
  const auto begin = Time::now();
  const auto so_far = [&] { return std::chrono::duration<double>(Time::now() - begin).count(); };
  ProbeEnd end;
  const Child child = start(path, arguments);
  bool killed = false;
  size_t taken = 0;
  for (bool open = true; open;) {
    pollfd ready{child.output, POLLIN, 0};
    poll(&ready, 1, 100);
    if (ready.revents) {
      char piece[4096];
      const ssize_t size = read(child.output, piece, sizeof piece);
      if (size > 0) end.output.append(piece, size_t(size));
      if (size == 0 || (size < 0 && errno != EINTR)) open = false;
    }
    for (size_t stop; (stop = end.output.find('\n', taken)) != std::string::npos; taken = stop + 1)
      take(end.output.substr(taken, stop - taken));
    end.stopped_by = stop_signal;
    end.too_long = so_far() > limit;
    if ((end.stopped_by || end.too_long) && !killed) {
      killed = true;
      kill(-child.process, SIGKILL);
    }
    watch();
  }
  close(child.output);
  int status = 0;
  while (waitpid(child.process, &status, 0) < 0 && errno == EINTR) {
  }
  end.exit_code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  end.seconds = so_far();
  return end;
}

}  // namespace headroom
