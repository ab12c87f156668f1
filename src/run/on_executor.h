// Runs a CUDA program without a GPU and hands back what it did.
//
//   on_executor({"/home/me/saxpy", {"./saxpy", "1000"}}, {.machine = "h200"})
//     ->  Records{end {exit_code 0}, counted {Record of 4711 with 12 launches}}
//
// The program's process loads the stand-in runtime, which writes a record a process into a folder
// that is gone when this returns.
#pragma once
#include <string>
#include <vector>

#include "record/record.h"
#include "record/timing.h"
#include "run/process.h"

namespace headroom {

// The program as it is called, and where what it prints goes.
struct Program {
  std::string path;
  std::vector<std::string> command;  // its name first
  Output output = Output::as_ours;
};

struct ExecutorOptions {
  std::string machine = "h200";  // a name or the path of a file
  std::string image;             // which PTX of several, "sm_80"; empty: the executor chooses
  std::string engine;          // what of a kernel runs: ptx or machine (its machine code); "": best
  bool source = false;         // machine code: counts for each of its instructions too
  bool source_if_any = false;  // … without a caveat where there are none
  bool actions = false;        // copies and waits one by one, for a timeline
  std::string check;           // look for these classes of faults instead of counting: "race,api"
  bool model = true;           // predict the time of launches
  bool times_alone = false;    // … without their range and advice
  std::string events = "floors";  // what the program's events count: floors, or predicted times
  bool cut_timing_loops = true;   // of Triton and Inductor: to one run of what they time
  // Launches that would do again what one before did: skip or run; empty: as our environment says.
  std::string repeated;
  std::string scheduling = "independent";
  std::string hang_after;  // turns of a block, as 1e9; empty: the executor's own limit
  int devices = 1;
  int threads = 0;  // of the host; 0: as many as there are
};

// What a run left: records of the executor, or timings of a GPU; those of the program's own process
// first, then of its children.
struct Records {
  ProcessEnd end;
  std::vector<Record> counted;
  std::vector<TimingRecord> measured;
};

// Why the executor cannot run the program at `path` on a machine of this compute capability, thrown
// as Error.
void check_for_executor(const std::string& path, const ExecutorOptions&, int cc);

Records on_executor(const Program&, const ExecutorOptions&);

}  // namespace headroom
