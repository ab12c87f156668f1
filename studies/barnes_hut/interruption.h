// Ctrl-C, or being told to end, as a wish: who works in steps asks for it between them.
//
//   const Interruption interruption;                     // a second Ctrl-C, seconds later, ends at once
//   while (… && !Interruption::wished()) step();
#pragma once
#include <signal.h>

#include "studies/common/end_signal.h"

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

  static bool wished() { return end_signal_.seen(); }

 private:
  static void on_signal(int signal) { end_signal_.first(signal); }

  static inline study::EndSignal end_signal_;
  struct sigaction before_[2];
};

}  // namespace barnes_hut
