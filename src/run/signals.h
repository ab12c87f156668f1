// The one watcher of signals: what happens to a signal that would end us while a program of ours
// runs.
//
//   const SignalWatch watch(OnSignal::pass_on);   headroom run
//     Ctrl-C                 the terminal sends it to the program too: we wait for its end
//     kill -INT headroom     reached us alone: goes on to the program
//   const SignalWatch watch(OnSignal::stop);      probes, studies: a group of their own
//     Ctrl-C                 stop_signal() == SIGINT; run_process kills the program
//
// Signals that were ignored stay so, also in the program (a handler, other than "ignore", is not
// inherited).
#pragma once
#include <signal.h>
#include <sys/types.h>

#include <vector>

namespace headroom {

enum class OnSignal : unsigned char { pass_on, stop };

class SignalWatch {
 public:
  explicit SignalWatch(OnSignal);
  // Under OnSignal::pass_on a signal that no program was there to take ends us now; not the second of
  // two, of which the program had the first.
  ~SignalWatch();
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;

 private:
  OnSignal on_signal_;
  std::vector<struct sigaction> before_;
};

// Under OnSignal::stop, and after it: the signal that asked us to stop; 0: none.
int stop_signal();
// Under OnSignal::pass_on: the program that signals go to, from now on and what arrived before it was
// there; 0: none.
void pass_signals_to(pid_t program);

}  // namespace headroom
