// How a program ended, as its parent saw it.
//
//   ./saxpy; exit 3          ProgramEnd{process 4711, exit_code 3}
//   killed by SIGSEGV        ProgramEnd{process 4712, exit_code 139, signal 11}
#pragma once

namespace headroom {

struct ProgramEnd {
  int process = 0;
  int exit_code = 0;
  int signal = 0;  // not 0: killed by it, exit_code is then 128 + signal
};

}  // namespace headroom
