// What `headroom run --gpu` measured, as one value; text and JSON are two renderings of it.
//
//   explain_measured({command, end, gpu, records, …}) -> MeasuredExplanation --> gpu_document, gpu_json
#pragma once
#include <string>
#include <vector>

#include "model/measured.h"
#include "record/program_end.h"
#include "record/record.h"

namespace headroom {

struct MeasuredExplanation {
  std::vector<std::string> command;
  ProgramEnd end;
  std::string gpu;  // its name
  std::optional<GpuDevice> device;
  int driver_version = 0;          // 13000
  uint32_t cupti_version = 0;      // 130001
  std::optional<Machine> machine;  // whose facts give occupancy and floors
  std::string counters;            // the file of --counters; "" none
  size_t processes = 0;
  std::vector<MeasuredLaunch> launches;  // the program's own process first
  std::vector<CopyTiming> copies;
  std::vector<MeasuredGroup> kernels;  // in order of their first launch
  std::vector<CopyGroup> transfers;
  size_t kernel_names = 0;
  double kernel_seconds = 0;
  std::vector<Caveat> caveats;
};

// Launches counted on the executor by an earlier run, to set beside measured ones.
struct CountedRun {
  std::vector<LaunchRecord> launches;  // those without counters have none (all zero)
  std::string machine;                 // that was imitated
  bool several_processes = false;
};

struct MeasuredRun {
  std::vector<std::string> command;
  ProgramEnd end;
  std::string gpu;                    // its name
  int driver_version = 0;             // 13000
  std::optional<Machine> given;       // the machine asked for; absent: the one that the GPU is
  std::optional<CountedRun> counted;  // whose floors stand beside the times
  std::string counters;               // the file that they come from
};

// `records` has at least one.
MeasuredExplanation explain_measured(const MeasuredRun&, const std::vector<TimingRecord>& records);

}  // namespace headroom
