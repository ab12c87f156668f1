#include "run/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <thread>

#include "base/error.h"
#include "run/signals.h"
#include "run/standard_streams.h"

namespace headroom {

namespace {

bool is_read(Output output) { return output == Output::read || output == Output::read_both; }

std::vector<char*> pointers(const std::vector<std::string>& strings) {
  std::vector<char*> result;
  for (const std::string& string : strings) result.push_back(const_cast<char*>(string.c_str()));
  result.push_back(nullptr);
  return result;
}

Error not_executed(const std::string& path, int reason) {
  return {path, fmt::format("cannot be executed: {}", strerror(reason)),
          "is it a program for this machine?", 126};
}

struct Pipe {
  int ends[2] = {-1, -1};
  explicit Pipe(const std::string& path) {
    if (pipe2(ends, O_CLOEXEC) != 0) throw not_executed(path, errno);
  }
  ~Pipe() {
    close_end(0);
    close_end(1);
  }
  void close_end(int end) {
    if (ends[end] >= 0) close(ends[end]);
    ends[end] = -1;
  }
};

void usual_signals() {
  for (int number = 1; number < NSIG; ++number) {
    struct sigaction now {};
    const bool is_ignored = sigaction(number, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
    if (!is_ignored || (number == SIGPIPE && pipe_signal_is_usual())) signal(number, SIG_DFL);
  }
}

// In the child, between fork and exec: system calls only.
[[noreturn]] void become(const Process& process, char* const* words, char* const* environment,
                         pid_t parent, int output, int failure, const sigset_t& signals) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);  // killed before we asked
  if (is_read(process.output)) {
    setpgid(0, 0);
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (nothing >= 0) dup2(nothing, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    if (process.output == Output::read_both) dup2(output, STDERR_FILENO);
  } else if (process.output == Output::to_standard_error) {
    dup2(STDERR_FILENO, STDOUT_FILENO);
  }
  usual_signals();
  sigprocmask(SIG_SETMASK, &signals, nullptr);
  execve(process.path.c_str(), words, environment);
  const int reason = errno;
  [[maybe_unused]] const ssize_t told = write(failure, &reason, sizeof reason);
  _exit(127);
}

// fork and not posix_spawn, which cannot ask for a signal at the parent's death. Signals wait
// meanwhile, so that none is lost between the program's start and our knowing its number.
pid_t spawn(const Process& process, int output) {
  const std::vector<char*> words = pointers(process.command);
  const std::vector<char*> environment = pointers(process.environment);
  Pipe failure(process.path);
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child == 0)
    become(process, words.data(), environment.data(), parent, output, failure.ends[1], before);
  int reason = child < 0 ? errno : 0;
  failure.close_end(1);
  if (child > 0 && read(failure.ends[0], &reason, sizeof reason) == sizeof reason)
    waitpid(child, nullptr, 0);
  if (!reason && !is_read(process.output)) {
    pass_signals_to(child);
    for (const int number :
         {SIGINT, SIGQUIT})  // the terminal's, perhaps before the child was there
      if (sigset_t waiting; sigpending(&waiting) == 0 && sigismember(&waiting, number) == 1)
        kill(child, number);
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (reason) throw not_executed(process.path, reason);
  return child;
}

class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

void read_output(int from, const Watching& watching, const Stopwatch& time, ProcessEnd& end) {
  size_t taken = 0;
  bool killed = false;
  for (bool open = true; open;) {
    pollfd ready{from, POLLIN, 0};
    poll(&ready, 1, 100);
    if (ready.revents) {
      char piece[4096];
      const ssize_t size = read(from, piece, sizeof piece);
      if (size > 0) end.output.append(piece, size_t(size));
      if (size == 0 || (size < 0 && errno != EINTR)) open = false;
    }
    for (size_t stop; (stop = end.output.find('\n', taken)) != std::string::npos; taken = stop + 1)
      watching.line(end.output.substr(taken, stop - taken));
    end.stopped_by = stop_signal();
    end.too_long = time.seconds() > watching.limit;
    if ((end.stopped_by || end.too_long) && !killed) {
      killed = true;
      kill(-end.process, SIGKILL);
    }
    watching.meanwhile();
  }
}

}  // namespace

std::vector<std::string> our_environment() {
  std::vector<std::string> environment;
  for (char** each = environ; *each; ++each) environment.emplace_back(*each);
  return environment;
}

void set_variable(std::vector<std::string>& environment, const std::string& name,
                  const std::string& value) {
  std::erase_if(environment, [&](const std::string& each) { return each.starts_with(name + "="); });
  environment.push_back(name + "=" + value);
}

ProcessEnd run_process(const Process& process, const Watching& watching) {
  const Stopwatch time;
  ProcessEnd end;
  if (is_read(process.output)) {
    Pipe output(process.path);
    end.process = spawn(process, output.ends[1]);
    output.close_end(1);
    read_output(output.ends[0], watching, time, end);
  } else {
    end.process = spawn(process, -1);
  }
  int status = 0;
  while (waitpid(end.process, &status, 0) < 0 && errno == EINTR) {
  }
  if (!is_read(process.output)) pass_signals_to(0);
  if (WIFSIGNALED(status)) end.signal = WTERMSIG(status);
  end.exit_code = end.signal ? 128 + end.signal : WEXITSTATUS(status);
  end.seconds = time.seconds();
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
