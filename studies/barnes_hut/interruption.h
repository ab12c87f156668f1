// Ctrl-C, or being told to end, as a wish: who works in steps asks for it between them.
//
//   const Interruption interruption;                     // a second Ctrl-C, seconds later, ends at once
//   while (… && !Interruption::wished()) step();
#pragma once
#include <signal.h>

#include <ctime>

namespace barnes_hut {

class Interruption {
 public:
  Interruption() {
    struct sigaction action {};
    action.sa_handler = on_signal;
    sigaction(SIGINT, &action, &before_[0]);
    sigaction(SIGTERM, &action, &before_[1]);
  }
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;
  ~Interruption() {
    sigaction(SIGINT, &before_[0], nullptr);
    sigaction(SIGTERM, &before_[1], nullptr);
  }

  static bool wished() { return wished_; }

 private:
  // A signal may come twice, to the group and passed on; who sends it again later means it.
  static void on_signal(int signal) {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (!wished_) {
      wished_ = 1;
      since_ = now.tv_sec;
    } else if (now.tv_sec - since_ > 1) {
      ::signal(signal, SIG_DFL);
      raise(signal);
    }
  }

  static inline volatile sig_atomic_t wished_ = 0;
  static inline volatile time_t since_ = 0;
  struct sigaction before_[2];
};

}  // namespace barnes_hut
