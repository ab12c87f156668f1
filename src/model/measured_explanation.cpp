#include "model/measured_explanation.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "model/gpu_machine.h"
#include "model/quantity.h"

namespace headroom {
namespace {

void doubt_unfinished(MeasuredExplanation& explanation) {
  const auto is_open = [](const auto& activity) { return !activity.seconds; };
  const auto open = size_t(std::ranges::count_if(
                        explanation.launches,
                        [](const MeasuredLaunch& launch) { return !launch.timing.seconds; })) +
                    size_t(std::ranges::count_if(explanation.copies, is_open));
  if (open > 0)
    explanation.caveats.push_back(
        {fmt::format("{} without a time",
                     text::counted(open, "launch or copy", "launches or copies")),
         "they had not ended when the program did",
         "let the program wait for them: cudaDeviceSynchronize() before it leaves"});
}

void doubt_losses(MeasuredExplanation& explanation, const std::vector<TimingRecord>& records) {
  uint64_t dropped = 0;
  size_t cut_off = 0;
  for (const TimingRecord& record : records) {
    dropped += record.dropped;
    cut_off += !record.ended && !record.problem;
  }
  if (dropped > 0)
    explanation.caveats.push_back(
        {fmt::format("CUPTI lost {}", text::counted(dropped, "activity", "activities")),
         "it had no memory left for them", "sums and shares leave them out: run less at a time"});
  if (cut_off > 0)
    explanation.caveats.push_back(
        {cut_off == 1 ? "a process ended without our noticing"
                      : fmt::format("{} processes ended without our noticing", cut_off),
         "a signal, or _exit()", "what it did in its last half second may be missing"});
}

// A process that could not be measured while others could; each reason once.
void doubt_problems(MeasuredExplanation& explanation, const std::vector<TimingRecord>& records) {
  std::set<std::string> told;
  for (const TimingRecord& record : records)
    if (record.problem && told.insert(record.problem->problem).second)
      explanation.caveats.push_back({fmt::format("process {} was not measured", record.process),
                                     record.problem->problem, record.problem->hint});
}

void sum_up(MeasuredExplanation& explanation, const std::vector<TimingRecord>& records) {
  explanation.kernels = group_measured(explanation.launches);
  explanation.transfers = group_copies(explanation.copies);
  std::set<std::string> names;
  for (const MeasuredLaunch& launch : explanation.launches)
    names.insert(launch.timing.shape.kernel);
  explanation.kernel_names = names.size();
  for (const MeasuredGroup& group : explanation.kernels)
    explanation.kernel_seconds += group.seconds.total;
  doubt_unfinished(explanation);
  doubt_losses(explanation, records);
  doubt_problems(explanation, records);
}

// The device that launches ran on: the first of the program's own, as one GPU alone is visible.
std::optional<GpuDevice> device_of(const std::vector<TimingRecord>& records) {
  for (const TimingRecord& record : records)
    for (const GpuDevice& device : record.devices)
      if (record.launches.empty() || record.launches[0].device == device.id) return device;
  return std::nullopt;
}

void take_launches(MeasuredExplanation& explanation, const std::vector<TimingRecord>& records) {
  for (const TimingRecord& record : records) {
    for (const LaunchTiming& timing : record.launches)
      explanation.launches.push_back({timing, record.process, nullptr, Joined::no, nullptr});
    explanation.copies.insert(explanation.copies.end(), record.copies.begin(), record.copies.end());
  }
  give_occupancies(explanation.launches, explanation.machine);
}

void set_beside(MeasuredExplanation& explanation, const CountedRun& counted, bool is_known) {
  const Machine& machine = *explanation.machine;
  if (is_known && counted.machine != machine.name)
    explanation.caveats.push_back(
        {fmt::format("counted as on the machine {}, measured on {}", counted.machine, machine.name),
         "another machine may run other PTX and count other accesses",
         fmt::format("count with --machine {}", machine.name)});
  for (Caveat& caveat : join(explanation.launches, counted.launches, machine,
                             counted.several_processes || explanation.processes > 1))
    explanation.caveats.push_back(std::move(caveat));
}

}  // namespace

MeasuredExplanation explain_measured(const MeasuredRun& run,
                                     const std::vector<TimingRecord>& records) {
  MeasuredExplanation explanation{.command = run.command, .end = run.end, .gpu = run.gpu};
  explanation.driver_version = run.driver_version;
  explanation.cupti_version = records[0].cupti_version;
  explanation.counters = run.counters;
  explanation.processes = records.size();
  explanation.device = device_of(records);
  GpuMachine machine;
  if (explanation.device) machine = machine_of(*explanation.device, run.given);
  explanation.machine = machine.machine;
  explanation.caveats = machine.caveats;
  take_launches(explanation, records);
  if (run.counted && explanation.machine) set_beside(explanation, *run.counted, machine.known);
  sum_up(explanation, records);
  return explanation;
}

}  // namespace headroom
