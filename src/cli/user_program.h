// The user's program as a process: run with its own standard streams, and its end passed on.
//
//   run_program("/home/me/saxpy", {"saxpy", "1000"}, environment)  ->  ProgramEnd{process 4711,
//   exit_code 0}
#pragma once
#include <signal.h>

#include <string>
#include <vector>

#include "report/run_report.h"

namespace headroom {

// While it lives, signals that would end us do not: Ctrl-C reaches the program from the terminal, a
// SIGTERM or SIGHUP that reaches us goes on to it, and what it leaves is read and cleared away.
// Signals that were ignored stay so, also in the program (a handler, other than "ignore", is not
// inherited).
class SignalWatch {
 public:
  SignalWatch();
  ~SignalWatch();
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;

 private:
  std::vector<struct sigaction> before_;
};

enum class ProgramOutput { as_ours, to_standard_error };

// Starts the program in our process group and waits. Throws Error with code 126 when it cannot be
// executed.
ProgramEnd run_program(const std::string& path, const std::vector<std::string>& command,
                       const std::vector<std::string>& environment,
                       ProgramOutput = ProgramOutput::as_ours);

// The exit code to leave with; when the program was killed by a signal, dies by the same.
int pass_on(const ProgramEnd&);

}  // namespace headroom
