// The whole story of one kernel: what it takes, how much of an SM it fills, what it did to memory,
// which instructions it ran, what each resource needs at least, and which one binds.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <sstream>

#include "record/instruction_class.h"
#include "report/format.h"
#include "report/notes_text.h"
#include "report/occupancy_text.h"
#include "report/run_text.h"
#include "report/table.h"

namespace headroom {

namespace {

std::string heading(const std::string& title, const std::string& beside, const Style& style) {
  return "\n" + style.bold(title) + (beside.empty() ? "" : "  " + style.dim(beside)) + "\n";
}

std::string known(const std::optional<int>& value, std::string_view unit) {
  return value ? fmt::format("{}{}", text::grouped(uint64_t(*value)), unit) : "unknown";
}

std::string title(const Explanation& report, const KernelGroup& kernel, const Style& style) {
  const LaunchRecord& record = report.worst(kernel).record;
  std::string line = text::counted(kernel.launches.size(), "launch", "launches");
  line += fmt::format(", grid × block {} ({} × {} threads), PTX of {}",
                      text::launch_shape(record.shape.grid, record.shape.block),
                      text::grouped(record.shape.grid.count()),
                      text::grouped(record.shape.block.count()),
                      record.image.empty() ? "?" : record.image);
  if (record.shape.dynamic_shared)
    line += fmt::format(", {} dynamic shared", text::bytes(double(record.shape.dynamic_shared)));
  if (!record.completed()) line += ", " + text::state_word(record.state);
  std::string result = style.bold(text::wrap("kernel " + record.name, style.columns, 4)) + "\n" +
                       text::wrap("  " + line, style.columns, 2) + "\n";
  if (record.ordered)
    result +=
        text::wrap(
            "  its blocks ran one after the other on one host thread: their order shows in an "
            "atomic's result, a sum of floats, a clock or a wait",
            style.columns, 2) +
        "\n";
  return result;
}

std::string resources(const LaunchRecord& record, const Style& style) {
  const Resources& r = record.resources;
  return heading("Resources", "from " + (r.from.empty() ? "unknown" : r.from), style) +
         fmt::format(
             "  registers {} a thread; shared memory {} static + {} dynamic a block\n"
             "  stack {} a thread; spills {} stored, {} loaded\n",
             known(r.registers, ""), known(r.static_shared, " B"),
             text::bytes(double(record.shape.dynamic_shared)), known(r.stack, " B"),
             known(r.spill_stores, " B"), known(r.spill_loads, " B"));
}

std::string memory(const Explanation& report, const KernelGroup& kernel, const Style& style) {
  const std::array<std::pair<const char*, const Access*>, 5> kinds{
      {{"global loads", &kernel.global_load},
       {"global stores", &kernel.global_store},
       {"local loads", &kernel.local_load},
       {"local stores", &kernel.local_store},
       {"atomics", &kernel.atomic}}};
  Table table({{"", Align::left},
               {"requests"},
               {"sectors"},
               {"sectors\n/ request"},
               {"ideal"},
               {"useful"},
               {"moved"},
               {"efficiency"}});
  bool any = false;
  for (const auto& [name, access] : kinds) {
    if (access->requests == 0) continue;
    any = true;
    const bool useful = access->useful_bytes.has_value();
    table.row({name, text::grouped(access->requests), text::grouped(access->sectors),
               text::ratio(access->per_request()), useful ? text::ratio(access->ideal()) : "–",
               useful ? text::bytes(double(*access->useful_bytes)) : "–",
               text::bytes(double(access->moved_bytes())),
               useful ? text::percent(access->efficiency()) : "–"});
  }
  std::string result = heading("Memory", "32-byte sectors, between L1 and L2", style);
  if (!any) return result + "  none\n";
  const Bounds& bounds = *report.worst(kernel).bounds;
  const Counters& c = report.worst(kernel).record.counters;
  result += table.text(style, 2);
  result += fmt::format("  one launch touches {} ({} read, {} written); it {} in the L2 cache\n",
                        text::bytes(32.0 * double(c.unique_sectors)),
                        text::bytes(32.0 * double(c.unique_load_sectors)),
                        text::bytes(32.0 * double(c.unique_store_sectors)),
                        bounds.fits_l2 ? "fits" : "does not fit");
  return result;
}

std::string shared(const KernelGroup& kernel, const Style& style) {
  if (kernel.shared_load.instructions + kernel.shared_store.instructions +
          kernel.counters.shared_atomic_instructions ==
      0)
    return "";
  Table table({{"", Align::left},
               {"instructions"},
               {"wavefronts"},
               {"conflicts"},
               {"wavefronts\n/ instruction"}});
  const auto row = [&](const char* name, const SharedAccess& a) {
    if (a.instructions)
      table.row({name, text::grouped(a.instructions), text::grouped(a.wavefronts),
                 text::grouped(a.conflicts),
                 text::ratio(double(a.wavefronts) / double(a.instructions))});
  };
  row("loads", kernel.shared_load);
  row("stores", kernel.shared_store);
  std::string result = heading("Shared memory", "", style) + table.text(style, 2);
  if (kernel.counters.shared_atomic_instructions)
    result += fmt::format("  {} atomics, whose wavefronts and conflicts are not known\n",
                          text::grouped(kernel.counters.shared_atomic_instructions));
  return result;
}

std::string instructions(const Counters& c, const Style& style) {
  std::string mix;
  for (const InstructionClassRow& each : instruction_classes)
    if (const uint64_t count = c.*each.counter.value)
      mix += fmt::format("{}{} {}", mix.empty() ? "" : ", ", each.title,
                         text::percent(double(count) / double(c.warp_instructions)));
  std::string result =
      heading("Instructions", "of PTX, a warp at a time; machine code differs", style);
  result += text::wrap(fmt::format("  {}: {}", text::grouped(c.warp_instructions), mix),
                       style.columns, 4) +
            "\n";
  result +=
      fmt::format("  mean active lanes {:.1f} of 32; {} branches, {} divergent; {} barriers\n",
                  mean_active_lanes(c), text::grouped(c.branches),
                  text::grouped(c.divergent_branches), text::grouped(c.barriers));
  return result;
}

std::string floors(const Explanation& report, const KernelGroup& kernel, const Style& style) {
  const Bounds& b = *report.worst(kernel).bounds;
  const bool several = kernel.launches.size() > 1;
  std::string result = heading("Floors", several ? "of the launch with the largest" : "", style);
  Table table({{"", Align::left}, {"µs"}, {"", Align::left}});
  for (size_t i = 0; i < b.floors.size(); ++i) {
    const Floor& floor = b.floors[i];
    std::istringstream lines(text::wrap(floor.equation + std::string(basis_text(floor)),
                                        std::max<size_t>(style.columns, 60) - 29, 2));
    std::string line;
    std::getline(lines, line);
    table.row({(int(i) == b.limiter ? "→ " : "  ") + std::string(title_of(floor.resource)),
               text::marked(text::microseconds(floor.seconds), floor.basis == Basis::estimate),
               line});
    while (std::getline(lines, line)) table.row({"", "", line});
  }
  result += table.text(style, 2);
  std::vector<std::string_view> unknown;
  for (const Resource each : b.unknown) unknown.push_back(title_of(each));
  if (!unknown.empty())
    result += text::wrap(fmt::format("  no floor for {}: the machine's fact is unknown",
                                     fmt::join(unknown, ", ")),
                         style.columns, 4) +
              "\n";
  if (b.machine_balance > 0)
    result += fmt::format(
        "  {:.2f} FLOP per unique byte, machine balance {:.1f}: {}\n", b.arithmetic_intensity,
        b.machine_balance,
        b.memory_side ? "memory-bound (left of the ridge)" : "compute-bound (right of the ridge)");
  return result;
}

std::string at_least(const Floor& floor) {
  return fmt::format("at least {} µs", text::microseconds(floor.seconds));
}

std::string about(const Floor& floor) {
  const bool sure = floor.basis == Basis::exact;
  return fmt::format("{} with {}{} µs", title_of(floor.resource), sure ? "" : "about ",
                     text::microseconds(floor.seconds));
}

// The sentence that a reader takes home.
std::string therefore(const Explanation& report, const KernelGroup& kernel, const Style& style) {
  const ExplainedLaunch& launch = report.worst(kernel);
  const Bounds& b = *launch.bounds;
  if (b.limiter < 0 || !launch.record.completed()) return "";
  const Floor& largest = b.floors[b.limiter];
  std::string line;
  if (!estimated(b)) {
    line = fmt::format("  Largest lower bound: {}, a launch takes {}", title_of(largest.resource),
                       at_least(largest));
    const auto next = size_t(b.limiter) + 1;
    if (next < b.floors.size() && b.floors[next].certain && b.floors[next].seconds > 0)
      line += "; next is " + about(b.floors[next]);
  } else {
    line = fmt::format("  Largest lower bound: {}, about {} µs by PTX (machine code may differ)",
                       title_of(largest.resource), text::microseconds(largest.seconds));
    if (b.certain_seconds > 0) {
      const Floor& surest = b.floors[b.certain_limiter];
      line += fmt::format("; certain: {} by {}", at_least(surest), title_of(surest.resource));
    }
  }
  if (kernel.launches.size() > 1)
    line += fmt::format("; {} launches together {}{} µs", text::grouped(kernel.launches.size()),
                        kernel.total_estimated ? "about " : "",
                        text::microseconds(kernel.total_seconds));
  return "\n" + style.bold(text::wrap(line + ".", style.columns, 4)) + "\n";
}

}  // namespace

std::string kernel_text(const Explanation& report, const KernelGroup& kernel, const Style& style) {
  const ExplainedLaunch& launch = report.worst(kernel);
  const std::string caveats = caveats_text(caveats_of(launch), style);
  return title(report, kernel, style) + resources(launch.record, style) +
         heading("Occupancy", "", style) + occupancy_text(*launch.occupancy) +
         memory(report, kernel, style) + shared(kernel, style) +
         instructions(kernel.counters, style) + floors(report, kernel, style) +
         therefore(report, kernel, style) + (caveats.empty() ? "" : "\n" + caveats);
}

std::string kernels_text(const Explanation& report, const std::vector<const KernelGroup*>& kernels,
                         const std::string& pattern, const Style& style) {
  std::string result = findings_text(report.findings, style) + program_line(report, style);
  if (kernels.empty() && !report.kernels.empty()) {
    result += fmt::format("  no kernel matches '{}'; those launched:\n", pattern);
    for (const KernelGroup& kernel : report.kernels)
      result += "    " + report.worst(kernel).record.name + "\n";
  }
  for (const KernelGroup* kernel : kernels) result += "\n" + kernel_text(report, *kernel, style);
  const auto uncounted = std::count_if(
      report.launches.begin(), report.launches.end(),
      [](const ExplainedLaunch& l) { return l.record.completed() && !counted(l.record); });
  if (uncounted > 0)
    result += "\n" +
              style.dim(text::wrap(
                  fmt::format("  {} of other kernels ran without being counted; events around "
                              "them carry no floor.",
                              text::counted(uint64_t(uncounted), "launch", "launches")),
                  style.columns, 2)) +
              "\n";
  return result + findings_reminder(report.findings, style);
}

}  // namespace headroom
