// Ctrl-C while a launch runs, of a program that has a handler of its own: Python's notes the signal and looks at it
// when the call is over, which of a long kernel may be minutes. The launch is then ended where it is.
//
//   Interrupt interrupt;
//   interrupt.watch();          from now on; the program's handler is called all the same
//   interrupt.flag().load()     true: SIGINT came
#pragma once
#include <atomic>

namespace headroom::device {

class Interrupt {
 public:
  Interrupt() = default;
  Interrupt(const Interrupt&) = delete;
  ~Interrupt();  // the program's handler is alone again
  void
  watch();  // more than once is once; nothing where no handler is there: the signal ends the process
  const std::atomic<bool>& flag() const;

 private:
  bool watches_ = false;
};

}  // namespace headroom::device
