// What a run on the executor says, explained: every launch in order with its occupancy and floors,
// and the launches of one shape together. Reports render it and compute nothing.
//
//   explain({"./saxpy"}, end, machine, records) -> Explanation{launches, kernels, caveats, totals}
//
// A launch of a shape, with the resources and counters of the one before it, shares what was
// computed for that: a program may launch a kernel a hundred thousand times.
#pragma once
#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "machine/machine.h"
#include "model/bounds.h"
#include "model/occupancy.h"
#include "record/program_end.h"
#include "record/record.h"

namespace headroom {

struct ExplainedLaunch {
  LaunchRecord record;
  int process = 0;
  std::shared_ptr<const Occupancy> occupancy;
  std::shared_ptr<const Bounds> bounds;  // without floors where nothing ran
};

// One kind of access of a group of launches.
struct Access {
  uint64_t requests = 0, sectors = 0;
  std::optional<uint64_t> useful_bytes;  // what the threads asked for; absent: not counted
  uint64_t moved_bytes() const { return sectors * 32; }
  double per_request() const { return requests ? double(sectors) / double(requests) : 0; }
  // Sectors per request if every moved byte were a useful one: one at least, and as many as there are
  // where lanes share bytes.
  double ideal() const {
    if (!requests || !useful_bytes) return 0;
    return std::min(std::max(double(*useful_bytes) / 32 / double(requests), 1.0), per_request());
  }
  double efficiency() const {
    return sectors && useful_bytes ? double(*useful_bytes) / double(moved_bytes()) : 0;
  }
};

struct SharedAccess {
  uint64_t instructions = 0, wavefronts = 0, conflicts = 0;
};

// The launches of one shape: one kernel with the same grid, block, cluster and shared memory.
struct KernelGroup {
  std::vector<size_t> launches;  // indices into Explanation::launches, in order
  size_t worst = 0;          // of them, the longest, by prediction or else by floor: it is shown
  Counters counters{};       // summed
  double floor_seconds = 0;  // of the worst launch
  double total_seconds = 0;  // sum of the largest floors
  // Sum of predicted times; absent: a launch that completed has none.
  std::optional<double> predicted_seconds;
  double least_predicted = 0, most_predicted = 0;  // of one launch; 0: absent
  // One launch does not stand for the others.
  bool unlike() const { return most_predicted > 1.05 * least_predicted; }
  std::optional<Resource> limiter;  // makes up most of total_seconds; absent: no floor is known
  // Whether these three rest on numbers of PTX instructions, of which machine code may have fewer.
  bool floor_estimated = false, total_estimated = false, limiter_estimated = false;
  Access global_load, global_store, local_load, local_store, atomic;
  SharedAccess shared_load, shared_store;
};

// A doubt, and the kernels it is about (as LaunchRecord::name); none: about the run as a whole.
struct RunCaveat : Caveat {
  std::vector<std::string> kernels;
  // Of launches of these kernels with other figures in the same words, only the first is told.
  size_t first = 0, alike = 0;  // index into launches; how many more
};

struct Explanation {
  std::vector<std::string> command;
  ProgramEnd end;
  Machine machine;
  std::vector<ExplainedLaunch> launches;
  std::vector<KernelGroup> kernels;  // in order of their first launch
  size_t kernel_names = 0;           // different kernels among them, whatever their shape
  std::vector<Transfer> transfers;   // summed over processes
  std::map<int, std::vector<HostAction>> actions;  // by process; where a timeline is asked for
  std::vector<std::string> unsupported_calls;
  uint64_t event_times = 0;       // read by the program: sums of floors,
  bool predicted_events = false;  // … or of predicted times
  uint64_t timing_loops = 0;      // of frameworks: answered with the time of one run
  uint64_t repeated = 0;          // launches that were taken from one before
  bool used_cuda = false;         // some process loaded the CUDA runtime
  bool cut_off = false;           // a process left without writing its end
  bool incomplete = false;        // there was no room for a process's record
  size_t stopped = 0;             // launches that did not complete
  size_t not_run = 0;             // launches that did not even begin
  std::vector<Finding> findings;
  std::vector<RunCaveat> caveats;  // each once
  double total_seconds = 0;        // sum of the largest floors of completed launches
  bool total_estimated = false;    // as in KernelGroup
  std::optional<double> predicted_seconds;
  double executor_seconds = 0;
  Counters counters{};  // summed

  const ExplainedLaunch& worst(const KernelGroup& group) const { return launches[group.worst]; }
};

std::vector<ExplainedLaunch> explain_launches(const Machine&, std::vector<Record>);
Explanation explain(std::vector<std::string> command, ProgramEnd, Machine, std::vector<Record>);
// The same of launches that were explained before.
Explanation explain(std::vector<std::string> command, ProgramEnd, Machine,
                    const std::vector<Record>&, std::vector<ExplainedLaunch>);

// Whatever ran has at least its exit instruction.
inline bool counted(const LaunchRecord& record) { return record.counters.warp_instructions > 0; }

// All that is doubtful about one launch, each text once: its record, resources and occupancy, and
// the floors of a completed one.
std::vector<Caveat> caveats_of(const ExplainedLaunch&);

}  // namespace headroom
