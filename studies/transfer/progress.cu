// Progress on a terminal, and Ctrl-C.
#include <unistd.h>

#include <csignal>
#include <cstdio>

#include "studies/common/end_signal.h"
#include "studies/transfer/progress.h"

namespace transfer {
namespace {

study::EndSignal end_signal;

void stop(int signal) { end_signal.first(signal); }

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
bool interrupted() { return end_signal.seen(); }

void progress(const std::string& what) {
  if (on_terminal()) std::fprintf(stderr, "\r%-78.78s", what.c_str());
}
void progress_done() {
  if (on_terminal()) std::fprintf(stderr, "\r%78s\r", "");
}

}  // namespace transfer
