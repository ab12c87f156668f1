#include "cli/user_program.h"

#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>

#include "base/error.h"

namespace headroom {

namespace {

constexpr std::array waited_out{SIGINT, SIGQUIT, SIGTERM, SIGHUP};
std::atomic<pid_t> running{0};

void while_running(int signal) {
  // The terminal sends the first two to the whole group, the program included.
  const pid_t program = running;
  if (program > 0 && (signal == SIGTERM || signal == SIGHUP)) kill(program, signal);
}

// While it lives, signals that would end us wait until the program has ended; those that were
// ignored stay so, also in the program (a handler, other than "ignore", is not inherited).
class SignalWatch {
 public:
  SignalWatch() {
    struct sigaction watch {};
    watch.sa_handler = while_running;
    watch.sa_flags = SA_RESTART;
    for (size_t i = 0; i < waited_out.size(); ++i) {
      sigaction(waited_out[i], nullptr, &before_[i]);
      if (before_[i].sa_handler != SIG_IGN) sigaction(waited_out[i], &watch, nullptr);
    }
  }
  ~SignalWatch() {
    for (size_t i = 0; i < waited_out.size(); ++i) sigaction(waited_out[i], &before_[i], nullptr);
  }
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;

 private:
  std::array<struct sigaction, waited_out.size()> before_{};
};

std::vector<char*> pointers(const std::vector<std::string>& strings) {
  std::vector<char*> result;
  for (const std::string& string : strings) result.push_back(const_cast<char*>(string.c_str()));
  result.push_back(nullptr);
  return result;
}

// Signals wait while the process is made, so that none is lost between its start and our knowing
// its number.
pid_t spawn(const std::string& path, const std::vector<std::string>& command,
            const std::vector<std::string>& environment) {
  sigset_t all, before;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, &before);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigmask(&attributes, &before);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  pid_t process = 0;
  const int failure = posix_spawn(&process, path.c_str(), nullptr, &attributes,
                                  pointers(command).data(), pointers(environment).data());
  posix_spawnattr_destroy(&attributes);
  if (!failure) running = process;
  sigprocmask(SIG_SETMASK, &before, nullptr);
  if (failure)
    throw Error{path, fmt::format("cannot be executed: {}", strerror(failure)),
                "is it a program for this machine?", 126};
  return process;
}

}  // namespace

ProgramEnd run_program(const std::string& path, const std::vector<std::string>& command,
                       const std::vector<std::string>& environment) {
  SignalWatch watch;
  ProgramEnd end;
  end.process = spawn(path, command, environment);
  int status = 0;
  while (waitpid(end.process, &status, 0) < 0 && errno == EINTR) {
  }
  running = 0;
  if (WIFSIGNALED(status)) end.signal = WTERMSIG(status);
  end.exit_code = end.signal ? 128 + end.signal : WEXITSTATUS(status);
  return end;
}

int pass_on(const ProgramEnd& end) {
  if (end.signal) {
    const rlimit no_core{};  // the program has written its own, if any
    setrlimit(RLIMIT_CORE, &no_core);
    fflush(nullptr);
    signal(end.signal, SIG_DFL);
    raise(end.signal);
  }
  return end.exit_code;
}

}  // namespace headroom
