// What a run leaves behind: the program, and every launch in order. It crosses from the user's
// process (which runs the stand-in) to ours as a file of JSON lines (writer.h), written as it happens
// so that a crash loses nothing.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "kernel/kernel.h"
#include "record/counters.h"
#include "record/finding.h"
#include "record/launch.h"
#include "record/prediction.h"
#include "record/source.h"

namespace headroom {

inline constexpr const char* record_schema = "headroom-record/2";

struct LaunchRecord {
  int index = 0;
  LaunchShape shape;
  State state = State::not_executed;
  std::string name;  // of the kernel: demangled, with its parameters
  Engine engine = Engine::ptx;
  std::string image;  // which PTX, or machine code of which architecture, ran: "sm_80"
  int device = 0;
  uint64_t stream = 0;
  Resources resources;
  Counters counters{};
  std::shared_ptr<const SourceCounts> source;  // where asked for, and its machine code ran
  double seconds = 0;                          // the executor's own time, not the kernel's
  double floor_seconds = 0;              // the largest floor: what events report (flagged as such)
  std::optional<Prediction> prediction;  // of its machine code
  bool ordered = false;  // SMs ran in a fixed order (atomic results, float atomics, spins)
  std::vector<Finding> findings;
  std::vector<Caveat> caveats;
  bool completed() const { return state == State::ran; }
};

struct Transfer {         // summed by direction
  std::string direction;  // host_to_device, device_to_host, device_to_device, memset
  uint64_t calls = 0, bytes = 0;
};

// A copy, a fill or a wait of the host, each by itself where --trace asks for them.
struct HostAction {
  std::string what;  // host_to_device …, memset; wait_for_device, …_stream, …_event, …_copy
  int device = 0;
  uint64_t stream = 0;  // 0: the legacy one
  uint64_t bytes = 0;   // of a wait none
  double seconds = 0;   // on the clock that events read; of a wait none
  uint64_t after = 0;   // of a wait for an event: launches, copies and fills that it came after
  size_t launches = 0;  // of the process that came before it

  bool is_wait() const { return what.starts_with("wait_"); }
};

struct Record {
  std::vector<std::string> program;
  int process = 0;
  std::string machine;
  std::vector<LaunchRecord> launches;
  std::vector<Transfer> transfers;
  std::vector<HostAction> actions;  // in their order
  // API functions called that only return cudaErrorNotSupported
  std::vector<std::string> unsupported_calls;
  std::vector<Finding> findings;  // of the program's calls, not of a launch
  uint64_t event_times = 0;       // times the program read from events: sums, no measurements,
  bool predicted_events = false;  // … of predicted times, where launches have one, else of floors
  uint64_t timing_loops = 0;      // of frameworks, each answered with the time of one run
  uint64_t repeated = 0;          // launches taken from one before, which did the same
  bool ended = false;       // the end line was written: the process left by exit, not by a signal
  bool incomplete = false;  // no room for all of it: launches are missing
};

// A whole file back. Keeps what a cut-off file holds (`ended` stays false; a launch that began and has
// no line of its own comes last, stopped); throws Error for a foreign file or another schema.
Record read_record(const std::string& path);

}  // namespace headroom
