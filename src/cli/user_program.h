// The user's program as a process: run with its own standard streams, and its end passed on.
//
//   run_program("/home/me/saxpy", {"saxpy", "1000"}, environment)  ->  ProgramEnd{process 4711,
//   exit_code 0}
#pragma once
#include <string>
#include <vector>

#include "report/run_report.h"

namespace headroom {

// Starts the program in our process group and waits. Ctrl-C reaches it from the terminal and not
// us; a SIGTERM or SIGHUP that reaches us goes on to it. Throws Error with code 126 when it cannot
// be executed.
ProgramEnd run_program(const std::string& path, const std::vector<std::string>& command,
                       const std::vector<std::string>& environment);

// The exit code to leave with; when the program was killed by a signal, dies by the same.
int pass_on(const ProgramEnd&);

}  // namespace headroom
