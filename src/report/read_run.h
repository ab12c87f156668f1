// Reads back what `headroom run --json FILE` wrote: to explain it again, or to set its counts beside measured launches.
//
//   read_run("run.json", "run.json")   SavedRun{{"./saxpy"}, exit code 0, "h200", one record with its launches}
#pragma once
#include <string>
#include <vector>

#include "model/measured_explanation.h"
#include "record/program_end.h"
#include "record/record.h"

namespace headroom {

struct SavedRun {
  std::vector<std::string> command;
  ProgramEnd end;
  std::string machine;          // that was imitated
  std::vector<Record> records;  // one for each process; transfers and calls of all are in the first
  std::vector<Caveat> caveats;  // about the run as a whole
};

// Throws Error: no such file, or another kind of file. `where` is what the user wrote.
SavedRun read_run(const std::string& path, const std::string& where);

// Its launches alone.
CountedRun counted_by(SavedRun);

}  // namespace headroom
