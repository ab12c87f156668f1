// Ctrl-C, or being told to end, as a wish: who works in steps asks for it between them.
//
//   const Interruption interruption;                     // a second Ctrl-C ends at once, as ever
//   while (… && !Interruption::wished()) step();
#pragma once
#include <signal.h>

namespace barnes_hut {

class Interruption {
 public:
  Interruption() {
    struct sigaction action {};
    action.sa_handler = [](int) { wished_ = 1; };
    action.sa_flags = int(SA_RESETHAND);
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
  static inline volatile sig_atomic_t wished_ = 0;
  struct sigaction before_[2];
};

}  // namespace barnes_hut
