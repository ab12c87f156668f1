#include "model/verdict.h"

#include <algorithm>
#include <numeric>

namespace headroom {
namespace {

constexpr double most = 0.75;         // of the time: then the largest floor is the reason
constexpr double of_a_launch = 0.5;   // of the time: then starting it takes longest
constexpr double least_share = 0.01;  // of a warp's time

double gain_of(const Explanation& report, const KernelGroup& kernel) {
  const auto& advice = report.worst(kernel).record.prediction->advice;
  return advice.empty() ? 0 : advice.front().gain_seconds * double(kernel.launches.size());
}

}  // namespace

std::optional<Reached> reached_limit(const ExplainedLaunch& launch) {
  const Bounds& bounds = *launch.bounds;
  const Prediction& prediction = *launch.record.prediction;
  const double share = bounds.seconds / prediction.seconds;
  // A floor with rounds of waiting in it, which no prediction has, is no limit.
  constexpr double rounding = 1.001;
  if (bounds.limiter >= 0 && share >= most && share <= rounding)
    return Reached{title_of(bounds.floors[size_t(bounds.limiter)].resource), share};
  // What L2 could hold from before and does not, no floor counts.
  if (prediction.dram_share >= most)
    return Reached{title_of(Resource::dram), prediction.dram_share};
  return std::nullopt;
}

std::vector<Wait> waits_of(const Prediction& prediction) {
  const StallCycles& cycles = prediction.stall_cycles;
  const double sum = std::accumulate(cycles.begin(), cycles.end(), 0.0);
  std::vector<Wait> waits;
  for (const StallRow& row : stalls) {
    const double each = cycles[size_t(row.stall)];
    if (row.stall != Stall::selected && each >= least_share * sum)
      waits.push_back({row.stall, each, each / sum});
  }
  std::ranges::stable_sort(waits, std::ranges::greater{}, &Wait::cycles);
  return waits;
}

std::string_view bound_or_wait(const ExplainedLaunch& launch) {
  const Prediction& prediction = *launch.record.prediction;
  if (prediction.start_seconds > of_a_launch * prediction.seconds) return "start of the launch";
  if (const std::optional<Reached> reached = reached_limit(launch)) return reached->what;
  const std::vector<Wait> waits = waits_of(prediction);
  // Ready warps that wait for another's turn bind nothing while slots are left.
  const double slots = prediction.cycles_alone > 0
                           ? prediction.needed_warps / prediction.cycles_alone
                           : prediction.ipc;
  for (const Wait& wait : waits)
    if (wait.stall != Stall::not_selected || prediction.ipc >= most * slots)
      return in_words(wait.stall, launch.record.counters).title;
  return "issue slots";
}

bool advised(const Prediction& prediction, std::string_view id) {
  return std::ranges::find(prediction.advice, id, &Advice::id) != prediction.advice.end();
}

std::vector<const KernelGroup*> by_gain(const Explanation& report) {
  std::vector<const KernelGroup*> kernels;
  for (const KernelGroup& kernel : report.kernels)
    if (report.worst(kernel).record.prediction) kernels.push_back(&kernel);
  std::ranges::stable_sort(kernels, [&](const KernelGroup* a, const KernelGroup* b) {
    return gain_of(report, *a) > gain_of(report, *b);
  });
  return kernels;
}

}  // namespace headroom
