#include "model/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace headroom {
namespace {

constexpr double decisive = 0.9;      // of the time: then it is bound by that, and no stall tells
constexpr double most = 0.75;         // of the time: then the largest floor is the reason
constexpr double of_a_launch = 0.5;   // of the time: then starting it takes longest
constexpr double least_share = 0.01;  // of a warp's time
// A floor with rounds of waiting in it, which no prediction has, is no limit.
constexpr double rounding = 1.001;

struct LatencyRow {
  std::string_view id, title;
};
constexpr std::string_view longest_warp = "longest warp";
constexpr LatencyRow row_of_launch{"launch", "launch overhead"};
constexpr LatencyRow latency_rows[] = {row_of_launch,
                                       {"critical_path", longest_warp},
                                       {"block_starts", "block starts"},
                                       {"atomics", "atomics in L2"},
                                       {"retried_swaps", "swaps tried again"},
                                       {"same_stores", "stores to one place"}};

std::optional<Limit> limit_of(const LatencyBound& bound, double seconds) {
  const auto row = std::ranges::find(latency_rows, bound.id, &LatencyRow::id);
  if (row == std::end(latency_rows)) return std::nullopt;
  return Limit{Limit::Kind::latency, row->title, bound.seconds / seconds, bound.what};
}

// What warps wait for most.
std::string_view longest_wait(const ExplainedLaunch& launch) {
  const Prediction& prediction = *launch.record.prediction;
  // Ready warps that wait for another's turn bind nothing while slots are left.
  const double slots = prediction.cycles_alone > 0
                           ? prediction.needed_warps / prediction.cycles_alone
                           : prediction.ipc;
  for (const Wait& wait : waits_of(prediction))
    if (wait.stall != Stall::not_selected || prediction.ipc >= most * slots)
      return in_words(wait.stall, launch.record.counters).title;
  return "issue slots";
}

// Of all its launches, which may gain unlike much.
double gain_of(const Explanation& report, const KernelGroup& kernel) {
  const auto& advice = report.worst(kernel).record.prediction->advice;
  if (advice.empty()) return 0;
  double gain = 0;
  for (const size_t i : kernel.launches) {
    const auto& prediction = report.launches[i].record.prediction;
    if (!prediction) continue;
    const auto same = std::ranges::find(prediction->advice, advice.front().id, &Advice::id);
    if (same != prediction->advice.end()) gain += same->gain_seconds;
  }
  return gain;
}

}  // namespace

std::optional<Limit> reached_limit(const ExplainedLaunch& launch) {
  const Bounds& bounds = *launch.bounds;
  const Prediction& prediction = *launch.record.prediction;
  if (prediction.start_seconds > of_a_launch * prediction.seconds)
    return Limit{Limit::Kind::latency, row_of_launch.title,
                 prediction.start_seconds / prediction.seconds, "the launch begins and ends"};
  if (prediction.host_share >= most)
    return Limit{Limit::Kind::host, "host link", prediction.host_share};
  const double share = bounds.seconds / prediction.seconds;
  const bool has_floor = bounds.limiter >= 0 && share >= most && share <= rounding;
  if (!prediction.latency_bounds.empty()) {
    const auto latency = limit_of(prediction.latency_bounds.front(), prediction.seconds);
    if (latency && latency->share >= decisive && !(has_floor && share >= latency->share))
      return latency;
  }
  if (has_floor)
    return Limit{Limit::Kind::floor, title_of(bounds.floors[size_t(bounds.limiter)].resource),
                 share};
  // What L2 could hold from before and does not, no floor counts.
  if (prediction.dram_share >= most)
    return Limit{Limit::Kind::dram, title_of(Resource::dram), prediction.dram_share};
  return std::nullopt;
}

std::optional<DramBytes> dram_bytes(const Machine& machine, const ExplainedLaunch& launch) {
  const Prediction& prediction = *launch.record.prediction;
  const Bounds& bounds = *launch.bounds;
  const Fact& rate =
      machine.dram_bandwidth_measured ? machine.dram_bandwidth_measured : machine.dram_bandwidth;
  const auto cold = std::ranges::find(bounds.floors, Resource::dram_cold, &Floor::resource);
  if (!rate || cold == bounds.floors.end() || prediction.dram_share <= 0) return std::nullopt;
  const double busy = prediction.seconds - prediction.start_seconds;
  const double as_lines = prediction.dram_share * busy * *rate * 1e9;
  const double moved = prediction.dram_bytes > 0 ? prediction.dram_bytes : as_lines;
  return DramBytes{std::min(moved, as_lines), bounds.unique_bytes, cold->seconds, as_lines};
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

std::string bound_or_wait(const ExplainedLaunch& launch) {
  const std::optional<Limit> limit = reached_limit(launch);
  if (!limit) return std::string(longest_wait(launch));
  // Its way is made of what it waits for.
  if (limit->what == longest_warp) return fmt::format("{}: {}", longest_warp, longest_wait(launch));
  return std::string(limit->what);
}

bool advised(const Prediction& prediction, std::string_view id) {
  return std::ranges::find(prediction.advice, id, &Advice::id) != prediction.advice.end();
}

std::vector<const KernelGroup*> by_gain(const Explanation& report) {
  std::vector<std::pair<double, const KernelGroup*>> kernels;
  for (const KernelGroup& kernel : report.kernels)
    if (report.worst(kernel).record.prediction)
      kernels.emplace_back(gain_of(report, kernel), &kernel);
  std::ranges::stable_sort(kernels, std::ranges::greater{}, [](auto& each) { return each.first; });
  std::vector<const KernelGroup*> sorted;
  for (const auto& each : kernels) sorted.push_back(each.second);
  return sorted;
}

}  // namespace headroom
