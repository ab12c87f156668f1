#include "cli/silence.h"

#include "kernel/program.h"

namespace headroom {

// A script, or a program that starts others, may have started one that never asks the stand-in: without
// our LD_PRELOAD, or with a runtime that is not known. One that starts none ended before its first call.
void explain_silence(const std::string& program, Explanation& report) {
  const ProgramFacts facts = look_at_program(program);
  if (report.end.exit_code != 0 || report.end.signal) return;
  if (!facts.script && !facts.starts_programs) return;
  Caveat& caveat = report.caveats.emplace_back();
  if (facts.dynamic_cudart_13)
    caveat = {
        "no CUDA call was seen",
        "it may have started itself or another program without LD_PRELOAD, which puts our CUDA "
        "runtime into a process",
        "let it keep LD_PRELOAD in the environment of what it starts"};
  else
    caveat = {"no CUDA call was seen",
              "a program that it started may have a CUDA runtime of its own, or be started without "
              "LD_PRELOAD and LD_AUDIT, which put ours into a process",
              "run that program itself"};
}

}  // namespace headroom
