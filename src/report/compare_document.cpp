#include "report/compare_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/format.h"
#include "report/notes.h"

namespace headroom {

namespace {

constexpr size_t most_different = 4;  // launches of a kernel that changed each in its own way

std::string plain_value(size_t metric, const std::optional<double>& value, bool exactly) {
  if (!value) return "–";
  const Metric& known = metrics()[metric];
  if (known.name == "occupancy") return fmt::format("{:.4g} %", *value);
  if (known.unit != "ns") return text::grouped(uint64_t(*value));
  return exactly ? fmt::format("{:.9g} µs", *value / 1000) : microseconds(*value * 1e-9);
}

// "predicted_ns" stands beside its unit.
std::string title_of(const Change& change) {
  std::string name(metrics()[change.metric].name);
  if (name.ends_with("_ns")) name.resize(name.size() - 3);
  return name;
}

// Three digits, or as many as it takes to see that they differ.
std::pair<std::string, std::string> values_of(const Change& change) {
  for (const bool exactly : {false, true}) {
    auto before = plain_value(change.metric, change.before, exactly),
         after = plain_value(change.metric, change.after, exactly);
    if (before != after || exactly) return {before, after};
  }
  return {};
}

std::string signed_percent(const Change& change) {
  if (!change.before || !change.after || !std::isfinite(change.percent())) return "–";
  const double percent = change.percent();
  if (percent != 0 && std::abs(percent) < 0.01) return percent > 0 ? "+<0.01 %" : "−<0.01 %";
  return fmt::format("{}{} %", percent < 0 ? "−" : "+", three_digits(std::abs(percent)));
}

std::string signed_difference(const Change& change) {
  if (!change.before || !change.after) return "–";
  const std::string size = plain_value(change.metric, std::abs(change.difference()), false);
  return (change.difference() < 0 ? "−" : "+") + size;
}

std::string moved(const Change& change) {
  const auto [before, after] = values_of(change);
  const std::string percent = signed_percent(change);
  return fmt::format("{} {} -> {}{}", title_of(change), before, after,
                     percent == "–" ? "" : fmt::format(" ({})", percent));
}

std::string shape_of(const LaunchShape& shape) {
  return text::launch_shape(shape.grid, shape.block);
}

Heading kernel_heading(const ComparedKernel& kernel) {
  std::string title = text::short_name(kernel.kernel) + ", " + shape_of(kernel.before);
  if (kernel.before != kernel.after) {
    const bool seen = shape_of(kernel.before) != shape_of(kernel.after);
    title += seen ? " -> " + shape_of(kernel.after) : " in another shape";
  }
  title += kernel.launches_before == kernel.launches_after
               ? ", " + text::counted(kernel.launches_before, "launch", "launches")
               : fmt::format(", {} -> {} launches", text::grouped(kernel.launches_before),
                             text::grouped(kernel.launches_after));
  return {2, title, ""};
}

// The time that changed, and the figure that moved it.
std::string reason(const ComparedLaunches& launches) {
  for (std::string_view name : {"predicted_ns", "floor_ns"})
    for (const Change& change : launches.changes)
      if (metrics()[change.metric].name == name && change.before && change.after)
        return moved(change) + ": " +
               (launches.because ? moved(*launches.because) : "no counter behind it moved so");
  return "";
}

Grid changes_grid(const ComparedLaunches& launches) {
  Grid grid{.columns = {{"figure", Align::left, Give::name}, {"old"}, {"new"}, {"change"}, {"%"}}};
  for (const Change& change : launches.changes) {
    // Counters of machine code alone; the caveat about engines says why one side has none.
    if (!launches.one_engine() && !(change.before && change.after)) continue;
    const auto [before, after] = values_of(change);
    grid.rows.push_back(
        {title_of(change), before, after, signed_difference(change), signed_percent(change)});
  }
  return grid;
}

std::string measured_words(const ComparedKernel& kernel) {
  const SampleComparison& measured = *kernel.measured;
  const auto side = [](const Samples& samples) {
    return samples.count
               ? fmt::format("{} ({}–{}) of {}", microseconds(samples.median * 1e-9),
                             three_digits(samples.lower * 1e-3), three_digits(samples.upper * 1e-3),
                             text::grouped(samples.count))
               : "not measured";
  };
  const std::string verdict =
      measured.verdict == SampleVerdict::tie ? "a tie: within the spread"
      : measured.verdict == SampleVerdict::too_few
          ? fmt::format("too few to tell: {} each are needed", least_samples)
          : signed_percent(kernel.measured_change());
  return fmt::format("measured, median (quartiles): {} -> {}: {}", side(measured.before),
                     side(measured.after), verdict);
}

Document kernel_changes(const ComparedKernel& kernel) {
  Document document{""};
  document.add(kernel_heading(kernel));
  if (kernel.measured) document.add(Paragraph{measured_words(kernel)});
  size_t shown = 0;
  for (const ComparedLaunches& each : kernel.launches) {
    if (!each.changed() || ++shown > most_different) continue;
    if (kernel.launches.size() > 1)
      document.add(
          Paragraph{fmt::format("of {} of them:", text::counted(each.count, "launch", "launches")),
                    Tone::plain, 2, 2, true});
    if (each.state_changed())
      document.add(Paragraph{
          fmt::format("state {} -> {}", name_of(each.before->state), name_of(each.after->state)),
          Tone::alarm});
    if (const std::string words = reason(each); !words.empty()) document.add(Paragraph{words});
    if (!each.changes.empty()) document.add(changes_grid(each));
  }
  if (shown > most_different)
    document.add(
        Paragraph{fmt::format("… and {} more kinds of launches that changed (--json lists all)",
                              shown - most_different)});
  return document;
}

void add_one_sided(const std::vector<OneSided>& kernels, const std::string& file, List& list) {
  for (const OneSided& each : kernels)
    list.items.push_back(fmt::format("only in {}: {}, {}, {}", file, text::short_name(each.kernel),
                                     shape_of(each.shape),
                                     text::counted(each.launches, "launch", "launches")));
}

List judged(const Judgement& judgement) {
  List list{{}, Tone::alarm};
  for (const Violation& each : judgement.violations)
    list.items.push_back(
        fmt::format("fails '{}': {}{}: {}", each.gate, text::short_name(each.kernel),
                    each.launches ? ", " + text::counted(each.launches, "launch", "launches") : "",
                    moved(each.change)));
  for (const std::string& each : judgement.unknown) list.items.push_back("cannot compare: " + each);
  return list;
}

}  // namespace

Document compare_document(const Comparison& comparison, const Judgement& judgement) {
  const size_t all = comparison.kernels.size();
  const size_t changed =
      size_t(std::ranges::count_if(comparison.kernels, &ComparedKernel::changed));
  Document document{"headroom compare"};
  document.add(Heading{
      1,
      fmt::format(
          "headroom compare: {} -> {}: {}", comparison.before.file, comparison.after.file,
          all ? fmt::format("{} of {} changed", changed, text::counted(all, "kernel", "kernels"))
              : "no kernel is in both"),
      ""});
  for (const ComparedKernel& kernel : comparison.kernels)
    if (kernel.changed()) document.add(kernel_changes(kernel));
  if (changed < all)
    document.add(Paragraph{text::counted(all - changed, "kernel", "kernels") + " unchanged",
                           Tone::plain, 2, 2, true});
  List alone;
  add_one_sided(comparison.only_before, comparison.before.file, alone);
  add_one_sided(comparison.only_after, comparison.after.file, alone);
  if (comparison.before.of_calls != comparison.after.of_calls)
    alone.items.push_back(fmt::format("findings of the program's calls: {} -> {}",
                                      comparison.before.of_calls.value_or(0),
                                      comparison.after.of_calls.value_or(0)));
  document.add(alone);
  document.add(caveats_list(comparison.caveats));
  document.add(judged(judgement));
  return document;
}

}  // namespace headroom
