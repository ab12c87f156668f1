// posix_spawn would announce the child's end with SIGCHLD, and a program's own wait() could collect
// it. So a helper is cloned without an exit signal, which only __WALL waits see, and the helper
// starts the tool and waits for it (a process that calls exec gets its SIGCHLD back, so the tool
// cannot be the helper):
//
//   program ──clone(no signal)── helper ──clone(SIGCHLD)── ptxas
//
// All three share memory until exec, as with vfork: the program's thread stands still meanwhile.
// Input and output are files in memory, so neither side can block on a full pipe, and no SIGPIPE
// arises.
#include "kernel/child.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <string_view>

extern char** environ;

namespace headroom {
namespace {

struct Descriptor {
  int number;
  ~Descriptor() {
    if (number >= 0) close(number);
  }
};

constexpr size_t stack_bytes = 64 * 1024;

struct Plan {
  const char* path;
  char* const* arguments;
  char* const* environment;
  int input, output;
  std::byte* tool_stack;
  unsigned limit;
  int status;  // the tool's, as waitpid tells it; -1 until then
};

// From here to run_child: on memory shared with the program, hence system calls only.
int become_tool(void* data) {
  const Plan& plan = *static_cast<const Plan*>(data);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (dup2(plan.input, 0) < 0 || dup2(plan.output, 1) < 0 || dup2(plan.output, 2) < 0) _exit(127);
  syscall(SYS_close_range, 3u, ~0u, 0u);
  alarm(plan.limit);  // outlives exec
  execve(plan.path, plan.arguments, plan.environment);
  _exit(127);
}

int help(void* data) {
  Plan& plan = *static_cast<Plan*>(data);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (int number = 1; number < NSIG; ++number) signal(number, SIG_DFL);
  const int tool =
      clone(become_tool, plan.tool_stack + stack_bytes, CLONE_VM | CLONE_VFORK | SIGCHLD, data);
  while (tool > 0 && waitpid(tool, &plan.status, 0) < 0 && errno == EINTR) {
  }
  _exit(0);
}

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (const std::string& text : texts) result.push_back(const_cast<char*>(text.c_str()));
  result.push_back(nullptr);
  return result;
}

bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    text.remove_prefix(static_cast<size_t>(written));
  }
  return lseek(file, 0, SEEK_SET) == 0;
}

std::string read_all(int file) {
  std::string text;
  char buffer[4096];
  ssize_t count;
  off_t at = 0;
  while ((count = pread(file, buffer, sizeof buffer, at)) > 0) {
    text.append(buffer, static_cast<size_t>(count));
    at += count;
  }
  return text;
}

// A descriptor above 2 even in a program that closed its standard ones: dup2 must not meet itself.
int memory_file(const char* name) {
  const int first = memfd_create(name, MFD_CLOEXEC);
  if (first < 0 || first > 2) return first;
  const int moved = fcntl(first, F_DUPFD_CLOEXEC, 3);
  close(first);
  return moved;
}

}  // namespace

std::optional<ChildOutput> run_child(const std::string& path,
                                     const std::vector<std::string>& arguments,
                                     const std::string& input, unsigned limit) {
  const Descriptor in{memory_file("headroom-input")}, out{memory_file("headroom-output")};
  if (in.number < 0 || out.number < 0 || !write_all(in.number, input)) return {};

  std::vector<std::string> words{path}, variables;
  words.insert(words.end(), arguments.begin(), arguments.end());
  for (char** variable = environ; variable && *variable; ++variable)
    if (std::strncmp(*variable, "LD_PRELOAD=", 11) != 0 &&
        std::strncmp(*variable, "LD_AUDIT=", 9) != 0)
      variables.emplace_back(*variable);
  const std::vector<char*> argv = pointers(words), envp = pointers(variables);
  const std::unique_ptr<std::byte[]> helper_stack{new std::byte[stack_bytes]};
  const std::unique_ptr<std::byte[]> tool_stack{new std::byte[stack_bytes]};
  Plan plan{path.c_str(), argv.data(),      envp.data(), in.number,
            out.number,   tool_stack.get(), limit,       -1};

  // No handler of the program's may run in the children: all signals wait until the tool has its
  // own.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const int helper = clone(help, helper_stack.get() + stack_bytes, CLONE_VM | CLONE_VFORK, &plan);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (helper < 0) return {};
  // A program that waits for __WALL children may have taken it: the tool's status is in the plan
  // all the same.
  while (waitpid(helper, nullptr, __WALL) < 0 && errno == EINTR) {
  }

  if (plan.status == -1) return {};
  const int code =
      WIFSIGNALED(plan.status) ? 128 + WTERMSIG(plan.status) : WEXITSTATUS(plan.status);
  if (code == 127) return {};
  return ChildOutput{code, read_all(out.number)};
}

}  // namespace headroom
