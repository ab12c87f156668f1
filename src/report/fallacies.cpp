#include "report/fallacies.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/hiding.h"
#include "model/verdict.h"
#include "report/format.h"

namespace headroom {
namespace {

constexpr double low_fraction = 0.5, high_fraction = 0.75;  // occupancy
constexpr double little_used = 0.5;                         // of what the largest floor allows

// The grid gives an SM as many as it has room for.
bool is_filled(const ExplainedLaunch& launch) {
  return launch.record.prediction->warps >= launch.occupancy->warps;
}

// Occupancy measures utilisation.
std::string used(const Explanation&, const ExplainedLaunch& launch) {
  const Occupancy& o = *launch.occupancy;
  const Prediction& prediction = *launch.record.prediction;
  const Bounds& bounds = *launch.bounds;
  if (o.fraction < high_fraction) return "";
  if (prediction.warps > 0 && !is_filled(launch))
    return fmt::format("{} occupancy is room, not use: the grid gives an SM {} of these {} warps",
                       text::percent(o.fraction), prediction.warps, o.warps);
  const double share = bounds.seconds / prediction.seconds;
  const auto limit = reached_limit(launch);
  const bool is_used = limit && limit->kind != Limit::Kind::latency;
  if (bounds.limiter < 0 || share > little_used || is_used) return "";
  return fmt::format("{} occupancy is room, not use: the largest floor, {}, is {} of the time",
                     text::percent(o.fraction),
                     title_of(bounds.floors[size_t(bounds.limiter)].resource),
                     text::percent(share));
}

// Shared memory is as fast as registers. Where its own floor is little, its bandwidth is not what is waited for.
std::string shared_as_registers(const Explanation& report, const ExplainedLaunch& launch) {
  constexpr double bytes_of_fma = 3 * 4, least_share = 0.25;  // operands; of the predicted time
  const Machine& m = report.machine;
  if (!m.shared_bytes_per_clock || !m.fp32_per_clock ||
      launch.record.counters.shared_load_instructions == 0)
    return "";
  const auto& floors = launch.bounds->floors;
  const auto floor = std::ranges::find(floors, Resource::shared, &Floor::resource);
  if (floor == floors.end() || floor->seconds < least_share * launch.record.prediction->seconds)
    return "";
  const std::string waits = bound_or_wait(launch);
  if (!waits.ends_with(title_of(Resource::shared)) &&
      !waits.ends_with(row_of(Stall::short_scoreboard).title) &&
      !waits.ends_with(row_of(Stall::mio_throttle).title))
    return "";
  return fmt::format(
      "shared memory is no second register file: it brings an SM {:g} B a cycle, registers {:g} B "
      "to "
      "its FMAs; keep in registers what a thread uses again",
      *m.shared_bytes_per_clock, bytes_of_fma * *m.fp32_per_clock);
}

std::string told(const Limit& limit) {
  const std::string share = text::percent(limit.share);
  switch (limit.kind) {
    case Limit::Kind::floor: return fmt::format("at {} of what {} can do", share, limit.what);
    case Limit::Kind::dram:
    case Limit::Kind::host: return fmt::format("{} is busy {} of the time", limit.what, share);
    case Limit::Kind::latency: return fmt::format("{} of the time, {}", share, limit.what);
  }
  return "";
}

struct AnswerRow {
  Section section;
  std::string (*answer)(const Explanation&, const ExplainedLaunch&);
};
constexpr AnswerRow answer_rows[] = {
    {Section::occupancy, occupancy_enough},
    {Section::occupancy, used},
    {Section::shared, shared_as_registers},
};

}  // namespace

std::vector<std::string> fallacies_answered(const Explanation& report,
                                            const ExplainedLaunch& launch, Section section) {
  std::vector<std::string> answers;
  if (!launch.record.prediction || !launch.occupancy->impossible.empty()) return answers;
  for (const AnswerRow& row : answer_rows)
    if (row.section == section)
      if (std::string said = row.answer(report, launch); !said.empty())
        answers.push_back(std::move(said));
  return answers;
}

// Occupancy must be high. The model tries more blocks an SM where the grid has them and one limit stops them.
std::string occupancy_enough(const Explanation& report, const ExplainedLaunch& launch) {
  const Occupancy& o = *launch.occupancy;
  if (!launch.record.prediction || o.fraction > low_fraction || !is_filled(launch) ||
      advised(*launch.record.prediction, "occupancy"))
    return "";
  const std::string said = fmt::format("{} occupancy is enough here: ", text::percent(o.fraction));
  if (const auto limit = reached_limit(launch)) return said + told(*limit);
  const double of_sm =
      double(launch.record.shape.grid.count()) / std::max(1.0, report.machine.sm_count.value_or(1));
  return o.limiters.size() == 1 && of_sm > o.blocks
             ? said + "more blocks an SM save next to nothing, by the model"
             : "";
}

Paragraph occupancy_is_one_way() {
  return Paragraph{
      "more warps are one way to hide latency, more independent operations and loads a thread the "
      "other: occupancy need not be high (--needed, alone: how many warps a machine needs)"};
}

std::string no_least_number(const Machine& machine) {
  constexpr double chains = 4;
  const auto one = needed_warps(machine, 1), several = needed_warps(machine, chains);
  if (!one) return "";
  return fmt::format(
      "no number of threads is needed as such: arithmetic alone hides its latency with {:.1f} "
      "warps "
      "of an SM where a thread has one operation in flight, with {:.1f} where it has {:g}",
      *one, *several, chains);
}

}  // namespace headroom
