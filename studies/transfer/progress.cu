// Progress on a terminal, and Ctrl-C.
#include <unistd.h>

#include <csignal>
#include <cstdio>

#include "studies/transfer/progress.h"

namespace transfer {
namespace {

volatile std::sig_atomic_t asked_to_stop = 0;

void stop(int signal) {
  asked_to_stop = 1;
  if (signal == SIGINT) std::signal(signal, SIG_DFL);  // SIGTERM may come passed on, too
}

bool on_terminal() {
  static const bool yes = isatty(STDERR_FILENO);
  return yes;
}

}  // namespace

void watch_for_interrupt() {
  for (const int signal : {SIGINT, SIGTERM}) {
    if (std::signal(signal, stop) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
}
bool interrupted() { return asked_to_stop; }

void progress(const std::string& what) {
  if (on_terminal()) std::fprintf(stderr, "\r%-78.78s", what.c_str());
}
void progress_done() {
  if (on_terminal()) std::fprintf(stderr, "\r%78s\r", "");
}

}  // namespace transfer
