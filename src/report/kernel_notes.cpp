#include "report/kernel_notes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "model/quantity.h"
#include "model/verdict.h"
#include "report/fallacies.h"
#include "report/format.h"
#include "report/notes.h"

namespace headroom {
namespace {

constexpr double noticeable = 1.5;  // times as much as would do
constexpr double most_lanes = 30;   // of 32: below that some are missed
constexpr double low_occupancy = 0.5;
constexpr double idle_at_end = 1.1;  // waves, rounded up, by what they are
constexpr size_t most_notes = 3, most_kernels = 8;

std::string spills(const Explanation&, const KernelGroup&, const ExplainedLaunch& launch) {
  const Resources& r = launch.record.resources;
  const int bytes = r.spill_stores.value_or(0) + r.spill_loads.value_or(0);
  return bytes ? fmt::format("{} B of spills a thread", bytes) : "";
}

std::string conflicts(const Explanation&, const KernelGroup& kernel, const ExplainedLaunch&) {
  double ways = 1;
  for (const SharedAccess* access : {&kernel.shared_load, &kernel.shared_store})
    if (access->wavefronts > access->conflicts)
      ways = std::max(ways,
                      double(access->wavefronts) / double(access->wavefronts - access->conflicts));
  return ways < noticeable ? "" : fmt::format("{}-way bank conflicts", text::ratio(ways));
}

std::string sectors(const Explanation&, const KernelGroup& kernel, const ExplainedLaunch&) {
  for (const auto& [what, access] :
       {std::pair{"loads", &kernel.global_load}, std::pair{"stores", &kernel.global_store}})
    if (access->ideal() > 0 && access->per_request() > noticeable * access->ideal())
      return fmt::format("{} of {} sectors a request, {} would do", what,
                         text::ratio(access->per_request()), text::ratio(access->ideal()));
  return "";
}

std::string lanes(const Explanation&, const KernelGroup& kernel, const ExplainedLaunch&) {
  const double active = mean_active_lanes(kernel.counters);
  return active > 0 && active < most_lanes ? fmt::format("{:.1f} of 32 lanes active", active) : "";
}

// Whether more warps would save time: the model tried, but where two limits stop the next block. There latency that is
// not hidden tells, if the grid has blocks for them.
bool more_warps_help(const Explanation& report, const ExplainedLaunch& launch) {
  const Prediction& prediction = *launch.record.prediction;
  const Occupancy& occupancy = *launch.occupancy;
  if (advised(prediction, "occupancy")) return true;
  const double of_sm =
      double(launch.record.shape.grid.count()) / std::max(1.0, report.machine.sm_count.value_or(1));
  return occupancy.limiters.size() > 1 && of_sm > occupancy.blocks && !reached_limit(launch) &&
         (advised(prediction, "latency") || advised(prediction, "dependences"));
}

// Low occupancy alone is no fault.
std::string occupancy(const Explanation& report, const KernelGroup&,
                      const ExplainedLaunch& launch) {
  const Occupancy& o = *launch.occupancy;
  if (!launch.record.prediction || o.limiters.empty() || o.fraction > low_occupancy ||
      !more_warps_help(report, launch))
    return "";
  return fmt::format("theoretical occupancy {} ({}) hides too little latency",
                     text::percent(o.fraction), fmt::join(o.limiters, ", "));
}

std::string waves(const Explanation& report, const KernelGroup&, const ExplainedLaunch& launch) {
  const double blocks = double(launch.record.shape.grid.count()),
               sms = report.machine.sm_count.value_or(0),
               at_a_time = sms * launch.occupancy->blocks, waves = blocks / at_a_time;
  if (!(at_a_time > 0)) return "";
  if (blocks < sms) return fmt::format("{:.0f} of {:.0f} SMs have a block", blocks, sms);
  if (waves < 1 || std::ceil(waves) / waves < idle_at_end) return "";
  return fmt::format("{:.0f} waves of blocks, the last {} full", std::ceil(waves),
                     text::percent(waves - std::floor(waves)));
}

// DRAM binds, and no floor says so. Where there is no advice that is what stands in its place.
std::string dram(const Explanation& report, const KernelGroup&, const ExplainedLaunch& launch) {
  if (!launch.record.prediction || launch.record.prediction->advice.empty()) return "";
  const auto limit = reached_limit(launch);
  const auto bytes = dram_bytes(report.machine, launch);
  if (!limit || limit->kind != Limit::Kind::dram || !bytes ||
      bytes->as_lines < noticeable * bytes->compulsory)
    return "";
  constexpr double much = 1.3;
  return fmt::format(
      "DRAM moves some {}{}, {} are compulsory", prefixed(bytes->moved, "B"),
      bytes->as_lines > much * bytes->moved
          ? fmt::format(" in lone sectors, as long as {} in lines", prefixed(bytes->as_lines, "B"))
          : "",
      prefixed(bytes->compulsory, "B"));
}

std::string enough(const Explanation& report, const KernelGroup&, const ExplainedLaunch& launch) {
  return occupancy_enough(report, launch);
}

// The most important first.
constexpr std::string (*kinds[])(const Explanation&, const KernelGroup&, const ExplainedLaunch&) = {
    spills, dram, conflicts, sectors, lanes, occupancy, waves, enough};

}  // namespace

std::string kernel_notes(const Explanation& report, const KernelGroup& kernel) {
  const ExplainedLaunch& launch = report.worst(kernel);
  if (!launch.record.completed()) return "";
  std::vector<std::string> found;
  for (const auto note : kinds)
    if (std::string said = note(report, kernel, launch); !said.empty() && found.size() < most_notes)
      found.push_back(std::move(said));
  return fmt::format("{}", fmt::join(found, "; "));
}

List kernel_notes(const Explanation& report) {
  const auto names_of = names_in_text(report);
  List list;
  for (const KernelGroup& kernel : report.kernels) {
    const std::string said = kernel_notes(report, kernel);
    if (said.empty()) continue;
    std::string line = names_of.at(report.worst(kernel).record.name) + ": " + said;
    if (std::ranges::find(list.items, line) != list.items.end()) continue;
    if (list.items.size() == most_kernels) {
      list.items.push_back("… and more kernels: --kernel NAME tells");
      break;
    }
    list.items.push_back(std::move(line));
  }
  return list;
}

}  // namespace headroom
