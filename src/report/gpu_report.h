// What `headroom run --gpu` measured, as one value; text and JSON are two renderings of it.
//
//   TimingRecords + machine + counters --(cli, model)--> GpuReport --> gpu_text, gpu_json
#pragma once
#include <string>
#include <vector>

#include "model/measured.h"
#include "report/run_report.h"

namespace headroom {

struct GpuReport {
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

// Sums and caveats of what the launches, copies and processes hold.
void sum_up(GpuReport&, const std::vector<TimingRecord>&);

}  // namespace headroom
