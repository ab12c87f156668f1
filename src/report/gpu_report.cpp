#include "report/gpu_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "report/format.h"

namespace headroom {
namespace {

void doubt_unfinished(GpuReport& report) {
  const auto is_open = [](const auto& activity) { return !activity.seconds; };
  const auto open =
      size_t(std::ranges::count_if(
          report.launches, [](const MeasuredLaunch& launch) { return !launch.timing.seconds; })) +
      size_t(std::ranges::count_if(report.copies, is_open));
  if (open > 0)
    report.caveats.push_back(
        {fmt::format("{} without a time",
                     text::counted(open, "launch or copy", "launches or copies")),
         "they had not ended when the program did",
         "let the program wait for them: cudaDeviceSynchronize() before it leaves"});
}

void doubt_losses(GpuReport& report, const std::vector<TimingRecord>& records) {
  uint64_t dropped = 0;
  size_t cut_off = 0;
  for (const TimingRecord& record : records) {
    dropped += record.dropped;
    cut_off += !record.ended && !record.problem;
  }
  if (dropped > 0)
    report.caveats.push_back(
        {fmt::format("CUPTI lost {}", text::counted(dropped, "activity", "activities")),
         "it had no memory left for them", "sums and shares leave them out: run less at a time"});
  if (cut_off > 0)
    report.caveats.push_back(
        {cut_off == 1 ? "a process ended without our noticing"
                      : fmt::format("{} processes ended without our noticing", cut_off),
         "a signal, or _exit()", "what it did in its last half second may be missing"});
}

// A process that could not be measured while others could; each reason once.
void doubt_problems(GpuReport& report, const std::vector<TimingRecord>& records) {
  std::set<std::string> told;
  for (const TimingRecord& record : records)
    if (record.problem && told.insert(record.problem->problem).second)
      report.caveats.push_back({fmt::format("process {} was not measured", record.process),
                                record.problem->problem, record.problem->hint});
}

}  // namespace

void sum_up(GpuReport& report, const std::vector<TimingRecord>& records) {
  report.kernels = group_measured(report.launches);
  report.transfers = group_copies(report.copies);
  std::set<std::string> names;
  for (const MeasuredLaunch& launch : report.launches) names.insert(launch.timing.shape.kernel);
  report.kernel_names = names.size();
  for (const MeasuredGroup& group : report.kernels) report.kernel_seconds += group.seconds.total;
  doubt_unfinished(report);
  doubt_losses(report, records);
  doubt_problems(report, records);
}

}  // namespace headroom
