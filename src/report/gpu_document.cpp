#include "report/gpu_document.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "report/format.h"
#include "report/notes.h"
#include "report/occupancy_document.h"

namespace headroom {
namespace {

constexpr size_t max_kernels = 40, max_launches = 50;

std::string unknown_or(const std::optional<double>& value, auto show) {
  return value ? show(*value) : std::string("–");
}

std::string gigabytes(double rate) {
  const std::string text = text::gigabytes_per_second(rate);
  return text.substr(0, text.find(" GB/s"));
}

std::string version_text(uint32_t cupti) {
  if (cupti < 10000) return fmt::format("API {}", cupti);
  return fmt::format("{}.{}.{}", cupti / 10000, cupti / 100 % 100, cupti % 100);
}

const LaunchTiming& first_of(const MeasuredExplanation& report, const MeasuredGroup& group) {
  return report.launches[group.launches.front()].timing;
}

Heading headline(const MeasuredExplanation& report) {
  std::string what = report.launches.empty()
                         ? "no kernel was launched"
                         : fmt::format("{} of {} measured",
                                       text::counted(report.launches.size(), "launch", "launches"),
                                       text::counted(report.kernel_names, "kernel", "kernels"));
  if (report.processes > 1) what += fmt::format(" in {} processes", report.processes);
  return {1,
          fmt::format("headroom: {}: {}, {}; {}", report.command.at(0), report.gpu, what,
                      how_it_ended(report.end)),
          ""};
}

// The kernels that took longest, in order of their first launch.
std::vector<const MeasuredGroup*> longest(const MeasuredExplanation& report) {
  std::vector<const MeasuredGroup*> result;
  for (const MeasuredGroup& group : report.kernels) result.push_back(&group);
  std::stable_sort(result.begin(), result.end(),
                   [](auto* a, auto* b) { return a->seconds.total > b->seconds.total; });
  if (result.size() > max_kernels) result.resize(max_kernels);
  std::sort(result.begin(), result.end());
  return result;
}

Grid kernel_grid(const MeasuredExplanation& report) {
  const auto shown = longest(report);
  Grid grid{.columns = {{"kernel", Align::left, Give::name},
                        {"n"},
                        {"grid × block", Align::left},
                        {"regs"},
                        {"occupancy", Align::left, Give::words},
                        {"median\nµs"},
                        {"total\nµs"},
                        {"share"},
                        {"spread"}}};
  for (const MeasuredGroup* group : shown) {
    const MeasuredLaunch& first = report.launches[group->launches.front()];
    const Distribution& seconds = group->seconds;
    const bool timed = seconds.count > 0;
    grid.rows.push_back({text::bare_name(first.timing.name), text::grouped(group->launches.size()),
                         text::launch_shape(first.timing.shape.grid, first.timing.shape.block),
                         std::to_string(first.timing.registers),
                         first.occupancy ? occupancy_cell(*first.occupancy) : "?",
                         timed ? text::microseconds(seconds.median) : "–",
                         timed ? text::microseconds(seconds.total) : "–",
                         timed ? text::percent(group->share) : "–",
                         unknown_or(seconds.spread, text::percent)});
  }
  if (shown.size() < report.kernels.size())
    grid.notes = {fmt::format("… and {} more kernels that took less (--json lists all)",
                              report.kernels.size() - shown.size())};
  return grid;
}

Document floor_grid(const MeasuredExplanation& report) {
  Grid grid{.columns = {{"kernel", Align::left, Give::name},
                        {"joined"},
                        {"median\nµs"},
                        {"floor\nµs"},
                        {"headroom"},
                        {"floor\n/ time"},
                        {"useful\nGB/s"},
                        {"moved\nGB/s"},
                        {"largest\nfloor", Align::left, Give::words}}};
  for (const MeasuredGroup* group : longest(report)) {
    if (group->joined == 0) continue;
    const auto marked = [&](const std::string& text) {
      return text::marked(text, group->floor_estimated);
    };
    grid.rows.push_back(
        {text::bare_name(first_of(report, *group).name), text::grouped(group->joined),
         text::microseconds(group->seconds.median),
         unknown_or(group->floor_seconds,
                    [&](double value) { return marked(text::microseconds(value)); }),
         unknown_or(group->headroom, [](double value) { return fmt::format("{:.2f}", value); }),
         unknown_or(group->headroom, [](double value) { return text::percent(1 / value); }),
         unknown_or(group->useful_rate, gigabytes), unknown_or(group->moved_rate, gigabytes),
         group->limiter ? marked(std::string(title_of(*group->limiter))) : "unknown"});
  }
  if (grid.rows.empty()) return {};
  grid.lead = fmt::format("Against the floors of {}, counted in {}:", report.machine->title,
                          report.counters);
  return {"", {std::move(grid)}};
}

std::string where_to(const CopyGroup& group) {
  if (group.direction == "memset") return "";
  const auto kind = [](const std::string& memory) { return memory.empty() ? "?" : memory; };
  return kind(group.from) + " → " + kind(group.to);
}

Document copy_grid(const MeasuredExplanation& report) {
  if (report.transfers.empty()) return {};
  Grid grid{.columns = {{"copies", Align::left, Give::name},
                        {"memory", Align::left},
                        {"calls"},
                        {"bytes"},
                        {"total\nµs"},
                        {"GB/s"}}};
  for (const CopyGroup& group : report.transfers) {
    std::string direction = group.direction;
    std::replace(direction.begin(), direction.end(), '_', ' ');
    grid.rows.push_back({direction, where_to(group), text::grouped(group.calls),
                         text::bytes(double(group.bytes)), text::microseconds(group.seconds),
                         unknown_or(group.rate(), gigabytes)});
  }
  return {"", {std::move(grid)}};
}

// How to read the tables, and how to get what is not there.
List legend(const MeasuredExplanation& report) {
  List lines{{}, Tone::faint};
  const auto line = [&](std::string words) { lines.items.push_back(std::move(words)); };
  const bool joined =
      std::ranges::any_of(report.kernels, [](const auto& group) { return group.joined > 0; });
  if (!report.launches.empty()) {
    line(fmt::format("All launches: {} µs on the GPU, by CUPTI {}.",
                     text::microseconds(report.kernel_seconds),
                     version_text(report.cupti_version)));
    line("spread: the middle 80 % of the launches' times, over the median.");
  }
  if (joined) {
    line(
        "floor: a lower bound, the least time one resource needs; headroom: median of time / "
        "floor. ~ marks an "
        "estimate from PTX instructions. Useful bytes are those that threads asked for, moved "
        "ones the sectors between L1 and L2.");
  } else if (!report.launches.empty() && report.counters.empty()) {
    line(
        fmt::format("Floors are unknown. To get them: headroom run "
                    "--json counters.json -- {}, then this run again with --counters "
                    "counters.json.",
                    fmt::join(report.command, " ")));
  }
  return lines;
}

}  // namespace

Document gpu_document(const MeasuredExplanation& report) {
  Document document{"headroom run --gpu", {headline(report)}};
  if (!report.launches.empty()) {
    document.add(kernel_grid(report));
    document.add(floor_grid(report));
  }
  document.add(copy_grid(report));
  document.add(legend(report));
  document.add(caveats_list(report.caveats));
  return document;
}

namespace {

Grid launch_grid(const MeasuredExplanation& report, const MeasuredGroup& group) {
  const LaunchTiming& first = first_of(report, group);
  Grid grid{
      .lead = fmt::format("grid × block {}; {} registers; shared memory {} B static + {} "
                          "B dynamic; local memory {} B a thread",
                          text::launch_shape(first.shape.grid, first.shape.block), first.registers,
                          first.static_shared, first.shape.dynamic_shared, first.local_per_thread),
      .columns = {{"launch"}, {"start, ms"}, {"µs"}, {"headroom"}, {"stream"}, {"device"}}};
  for (size_t i = 0; i < std::min(group.launches.size(), max_launches); ++i) {
    const MeasuredLaunch& launch = report.launches[group.launches[i]];
    const LaunchTiming& timing = launch.timing;
    grid.rows.push_back(
        {std::to_string(timing.index),
         unknown_or(timing.start, [](double v) { return fmt::format("{:.3f}", v * 1e3); }),
         unknown_or(timing.seconds, text::microseconds),
         unknown_or(launch.headroom(), [](double v) { return fmt::format("{:.2f}", v); }),
         std::to_string(timing.stream), std::to_string(timing.device)});
  }
  if (group.launches.size() > max_launches)
    grid.notes = {
        fmt::format("… and {} more (--json lists all)", group.launches.size() - max_launches)};
  return grid;
}

}  // namespace

Document gpu_launches_document(const MeasuredExplanation& report,
                               const std::vector<const MeasuredGroup*>& groups,
                               const std::string& pattern) {
  Document document{"headroom run --gpu", {headline(report)}};
  if (groups.empty() && !report.kernels.empty()) {
    document.add(Paragraph{fmt::format("no kernel matches '{}'; those launched:", pattern)});
    Code names;
    for (const MeasuredGroup& group : report.kernels)
      names.lines.push_back(first_of(report, group).name);
    document.add(std::move(names));
  }
  for (const MeasuredGroup* group : groups) {
    document.add(Heading{2, "kernel " + first_of(report, *group).name});
    document.add(launch_grid(report, *group));
  }
  document.add(caveats_list(report.caveats));
  return document;
}

}  // namespace headroom
