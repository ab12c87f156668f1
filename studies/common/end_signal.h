// Ctrl-C and SIGTERM, as a program hears them that has something to finish first.
//
//   static inline EndSignal asked;                              // of the process: handlers know no object
//   void on_signal(int signal) { if (asked.first(signal)) … }
//   while (!asked.seen()) …
//
// A signal may come twice, to the group and passed on: what follows within two seconds is the same
// wish. Who sends it again later means it, and the program ends as usual.
#pragma once
#include <signal.h>

#include <atomic>
#include <ctime>

namespace study {

class EndSignal {
 public:
  // For a handler.
  bool first(int signal) {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    long before = 0;
    if (at_.compare_exchange_strong(before, now.tv_sec + 1)) return true;
    if (now.tv_sec + 1 - before > 2) {
      ::signal(signal, SIG_DFL);
      raise(signal);
    }
    return false;
  }
  bool seen() const { return at_ != 0; }

 private:
  std::atomic<long> at_ = 0;  // a second; 0: not yet
};

}  // namespace study
