#include "run/standard_streams.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/printable.h"

namespace headroom {

namespace {

bool pipe_signal_was_ignored = false;

// The other direction than the stream's: using it fails with EBADF, as it does when it is closed.
constexpr int wrong_direction[] = {O_WRONLY, O_RDONLY, O_RDONLY};

}  // namespace

void guard_standard_streams() {
  for (int stream = 0; stream < 3; ++stream)
    if (fcntl(stream, F_GETFD) < 0 && errno == EBADF) open("/dev/null", wrong_direction[stream]);
  pipe_signal_was_ignored = signal(SIGPIPE, SIG_IGN) == SIG_IGN;
}

bool pipe_signal_is_usual() { return !pipe_signal_was_ignored; }

void complain(const std::string& text) {
  const std::string line = "headroom: " + printable(text) + "\n";
  fwrite(line.data(), 1, line.size(), stderr);
}

int flush_output(int exit_code) {
  if (fflush(stdout) == 0 && !ferror(stdout)) return exit_code;
  const int reason = errno;
  if (reason == EPIPE && !pipe_signal_was_ignored) {
    signal(SIGPIPE, SIG_DFL);
    raise(SIGPIPE);
  }
  complain(std::string("standard output cannot be written: ") + strerror(reason));
  return 125;
}

}  // namespace headroom
