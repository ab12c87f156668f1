#include "cli/user_program.h"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "cli/standard_streams.h"

namespace headroom {

namespace {

constexpr std::array waited_out{SIGINT, SIGQUIT, SIGTERM, SIGHUP};
std::atomic<pid_t> running{0};

void while_running(int signal) {
  // The terminal sends the first two to the whole group, the program included.
  const pid_t program = running;
  if (program > 0 && (signal == SIGTERM || signal == SIGHUP)) kill(program, signal);
}

std::vector<char*> pointers(const std::vector<std::string>& strings) {
  std::vector<char*> result;
  for (const std::string& string : strings) result.push_back(const_cast<char*>(string.c_str()));
  result.push_back(nullptr);
  return result;
}

// Signals wait while the process is made, so that none is lost between its start and our knowing
// its number.
pid_t spawn(const std::string& path, const std::vector<std::string>& command,
            const std::vector<std::string>& environment, ProgramOutput output) {
  sigset_t all, before;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, &before);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigmask(&attributes, &before);
  sigset_t usual;
  sigemptyset(&usual);
  if (pipe_signal_is_usual()) sigaddset(&usual, SIGPIPE);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  if (output == ProgramOutput::to_standard_error)
    posix_spawn_file_actions_adddup2(&files, STDERR_FILENO, STDOUT_FILENO);
  pid_t process = 0;
  const int failure = posix_spawn(&process, path.c_str(), &files, &attributes,
                                  pointers(command).data(), pointers(environment).data());
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  if (!failure) running = process;
  sigprocmask(SIG_SETMASK, &before, nullptr);
  if (failure)
    throw Error{path, fmt::format("cannot be executed: {}", strerror(failure)),
                "is it a program for this machine?", 126};
  return process;
}

}  // namespace

SignalWatch::SignalWatch() {
  struct sigaction watch {};
  watch.sa_handler = while_running;
  watch.sa_flags = SA_RESTART;
  for (const int signal : waited_out) {
    struct sigaction now {};
    sigaction(signal, nullptr, &now);
    before_.push_back(now);
    if (now.sa_handler != SIG_IGN) sigaction(signal, &watch, nullptr);
  }
}

SignalWatch::~SignalWatch() {
  for (size_t i = 0; i < waited_out.size(); ++i) sigaction(waited_out[i], &before_[i], nullptr);
}

ProgramEnd run_program(const std::string& path, const std::vector<std::string>& command,
                       const std::vector<std::string>& environment, ProgramOutput output) {
  ProgramEnd end;
  end.process = spawn(path, command, environment, output);
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
