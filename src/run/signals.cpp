#include "run/signals.h"

#include <array>
#include <atomic>

namespace headroom {

namespace {

constexpr std::array watched{SIGINT, SIGQUIT, SIGTERM, SIGHUP};
std::atomic<pid_t> program{0};
std::atomic<int> arrived{0};  // with nobody to pass it on to
std::atomic<int> passed{0};   // the one passed on, where that happened once
int watches = 0;              // one within another

// The terminal sends SIGINT and SIGQUIT to its whole foreground group, the program included; what
// anybody else sends to us the program has not seen. Sent to the group by a process (kill -INT -PGID)
// it reaches the program twice: who else got a signal cannot be told.
bool is_seen_by_program(int signal, const siginfo_t& info) {
  return info.si_code == SI_KERNEL && (signal == SIGINT || signal == SIGQUIT);
}

void while_running(int signal, siginfo_t* info, void*) {
  const pid_t running = program;
  if (running <= 0)
    arrived = signal;
  else if (!is_seen_by_program(signal, *info)) {
    passed = passed == signal ? 0 : signal;
    kill(running, signal);
  }
}

void once(int) {}

void remember(int signal, siginfo_t*, void*) { arrived = signal; }

}  // namespace

SignalWatch::SignalWatch(OnSignal on_signal) : on_signal_(on_signal) {
  if (watches++ == 0) arrived = passed = 0;
  struct sigaction watch {};
  const bool passes_on = on_signal == OnSignal::pass_on;
  watch.sa_sigaction = passes_on ? while_running : remember;
  watch.sa_flags = SA_SIGINFO | (passes_on ? SA_RESTART : 0);
  for (const int signal : watched) {
    struct sigaction now {};
    sigaction(signal, nullptr, &now);
    before_.push_back(now);
    if (now.sa_handler != SIG_IGN) sigaction(signal, &watch, nullptr);
  }
}

SignalWatch::~SignalWatch() {
  --watches;
  // Until each has its action back they wait: none finds the usual one where it is to be swallowed.
  sigset_t all, mask;
  sigemptyset(&all);
  for (const int signal : watched) sigaddset(&all, signal);
  pthread_sigmask(SIG_BLOCK, &all, &mask);
  for (size_t i = 0; i < watched.size(); ++i) sigaction(watched[i], &before_[i], nullptr);
  if (on_signal_ == OnSignal::pass_on) {
    const int late = arrived.exchange(0), same = passed.exchange(0);
    if (late && late != same) raise(late);
    // timeout(1) sends a signal to us and then to our group: the program may have ended by the first
    // before the second is here, and its report is still to be written.
    struct sigaction swallow {};
    swallow.sa_handler = once;
    swallow.sa_flags = SA_RESETHAND | SA_RESTART;
    if (same && !late) sigaction(same, &swallow, nullptr);
  }
  pthread_sigmask(SIG_SETMASK, &mask, nullptr);
}

int stop_signal() { return arrived; }

void pass_signals_to(pid_t process) {
  program = process;
  if (process == 0) return;
  if (const int early = arrived.exchange(0)) kill(process, early);
}

}  // namespace headroom
