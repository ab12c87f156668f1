#include "report/occupancy_document.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "report/fallacies.h"
#include "report/format.h"
#include "report/notes.h"

namespace headroom {
namespace {

bool limits(const Occupancy& occupancy, const std::string& resource) {
  return std::ranges::find(occupancy.limiters, resource) != occupancy.limiters.end();
}

std::string relief(const OccupancyLimit& limit, const Occupancy& occupancy) {
  if (limit.relief.empty() || occupancy.warps == occupancy.max_warps) return "";
  if (limit.relief_fraction <= occupancy.fraction) return limit.relief + ": no gain alone";
  return fmt::format("{}: {}, {}", limit.relief,
                     text::counted(limit.relief_blocks, "block", "blocks"),
                     text::percent(limit.relief_fraction));
}

// Rounded where nothing is lost: 49 153 B are not 48 KiB.
std::string exact_bytes(uint64_t bytes) {
  return bytes % 1024 ? text::grouped(bytes) + " B" : text::bytes(double(bytes));
}

std::string shape_line(const BlockShape& shape, const std::string& block) {
  std::string line = block;
  line += shape.registers ? fmt::format(", {} per thread",
                                        text::counted(*shape.registers, "register", "registers"))
                          : ", registers unknown";
  if (uint64_t shared = shape.static_shared + shape.dynamic_shared)
    line += fmt::format(", {} of shared memory", exact_bytes(shared));
  if (shape.carveout) line += fmt::format(", carve-out {:g} KiB", *shape.carveout);
  return line;
}

Heading occupancy_heading(const Machine& machine, const BlockShape& shape,
                          const std::string& block) {
  return {1,
          fmt::format("{}, compute capability {}.{}: {}",
                      machine.title.empty() ? machine.name : machine.title, machine.cc_major(),
                      machine.cc_minor(), shape_line(shape, block)),
          ""};
}

// A row each, for the arithmetic of every resource.
std::vector<std::vector<std::string>> limit_rows(const Occupancy& occupancy) {
  std::vector<std::vector<std::string>> rows;
  for (const OccupancyLimit& limit : occupancy.limits)
    rows.push_back({limit.resource, limit.blocks ? std::to_string(*limit.blocks) : "–",
                    limits(occupancy, limit.resource) ? "limits" : "", limit.arithmetic,
                    relief(limit, occupancy)});
  return rows;
}

}  // namespace

std::string occupancy_cell(const Occupancy& o) {
  if (!o.impossible.empty()) return "impossible";
  if (o.limiters.empty() || o.warps == o.max_warps) return text::percent(o.fraction);
  const std::string& by = o.limiters.front();
  return text::percent(o.fraction) + " " + (by == "shared memory" ? "shared" : by);
}

Document occupancy_blocks(const Occupancy& occupancy) {
  Grid grid;
  grid.lead = occupancy.impossible.empty()
                  ? fmt::format("{} per SM, {} of {} warps: {}",
                                text::counted(occupancy.blocks, "block", "blocks"), occupancy.warps,
                                occupancy.max_warps, text::percent(occupancy.fraction))
                  : fmt::format("cannot run: {}", occupancy.impossible);
  if (!occupancy.limits.empty())
    grid.columns = {{"resource", Align::left},
                    {"blocks"},
                    {"", Align::left},
                    {"arithmetic", Align::left, Give::words},
                    {"with", Align::left, Give::words}};
  grid.rows = limit_rows(occupancy);
  if (std::ranges::all_of(grid.rows, [](auto& row) { return row.back().empty(); })) {
    if (!grid.columns.empty()) grid.columns.pop_back();
    for (auto& row : grid.rows) row.pop_back();
  }
  return {"", {std::move(grid)}};
}

Document occupancy_document(const Machine& machine, const BlockShape& shape,
                            const Occupancy& occupancy) {
  const std::string block =
      fmt::format("a block of {}", text::counted(shape.threads, "thread", "threads"));
  Document document{"headroom occupancy", {occupancy_heading(machine, shape, block)}};
  document.add(occupancy_blocks(occupancy));
  document.add(caveats_list(occupancy.caveats));
  return document;
}

Document occupancy_sweep(const Machine& machine, const BlockShape& shape,
                         const std::vector<SweptBlock>& sizes) {
  Grid grid{.columns = {{"threads"},
                        {"blocks"},
                        {"warps"},
                        {"occupancy"},
                        {"limited by", Align::left, Give::words}}};
  for (const auto& [threads, occupancy] : sizes)
    grid.rows.push_back({std::to_string(threads), std::to_string(occupancy.blocks),
                         std::to_string(occupancy.warps), text::percent(occupancy.fraction),
                         occupancy.impossible.empty()
                             ? fmt::format("{}", fmt::join(occupancy.limiters, ", "))
                             : "cannot run: " + occupancy.impossible});
  Document document{
      "headroom occupancy",
      {occupancy_heading(machine, shape, "blocks of several sizes"), std::move(grid)}};
  if (!sizes.empty()) document.add(caveats_list(sizes.front().occupancy.caveats));
  document.add(Paragraph{
      "--threads N shows the arithmetic of one size, and what would admit one more block"});
  return document;
}

namespace {

// What must be in flight on an SM, by both latencies, and what was measured of it.
std::string in_flight_of(const Machine& machine) {
  const double sms = machine.sm_count.value_or(0),
               more = busy_dram_seconds * machine.sm_clock.value_or(0) * 1e6;
  const auto idle = needed_bytes(machine), busy = busy_needed_bytes(machine);
  if (!idle || !busy || !(sms > 0)) return "";
  const bool is_h200 = machine.name == "h200";
  return fmt::format(
      "idle DRAM answers after {:.0f} cycles: its bandwidth takes {} in flight on an SM; as busy "
      "as it "
      "can be {:.0f} cycles later ({}): {}{}",
      *machine.dram_latency, text::bytes(*idle / sms), more,
      is_h200 ? "measured" : "as long as an H200's, for want of its own", text::bytes(*busy / sms),
      // results/h200/copy_in_flight.json
      is_h200 ? "; the last per cent wait in its queue: a copy measured with 12, 24 and 48 KiB "
                "gets 63, "
                "89 and 99.6 % of cudaMemcpy's rate"
              : "");
}

}  // namespace

Document needed_occupancy(const Machine& machine, const std::vector<NeededWarps>& curve) {
  constexpr double bar = 8, longest = 3;  // characters for all warps that an SM has room for
  const double room = machine.max_warps_per_sm.value_or(0);
  const auto share = [&](double warps) { return room > 0 ? warps / room : 0; };
  const auto length = [&](double warps) {
    return size_t(std::lround(bar * std::min(share(warps), longest)));
  };
  Grid grid{.columns = {{"operations\na load"},
                        {"idle DRAM:\nwarps"},
                        {"occupancy"},
                        {"busy DRAM:\nwarps"},
                        {"occupancy"},
                        {"", Align::left},
                        {"bound by", Align::left}}};
  for (const NeededWarps& each : curve)
    grid.rows.push_back({fmt::format("{:.0f}", each.intensity), fmt::format("{:.1f}", each.warps),
                         text::percent(share(each.warps)), fmt::format("{:.1f}", each.busy_warps),
                         text::percent(share(each.busy_warps)),
                         std::string(length(each.warps), '#') +
                             std::string(length(each.busy_warps) - length(each.warps), '+') +
                             (share(each.busy_warps) > longest ? "…" : ""),
                         each.by_memory ? "memory" : "arithmetic"});
  Document document{"headroom occupancy", {Heading{2, "needed occupancy on " + machine.title}}};
  document.add(std::move(grid));
  document.add(Paragraph{
      "of a loop in which each thread loads a float and does so many operations, each on the "
      "result of the one before; more values or independent operations a thread divide it "
      "(Little's "
      "law); +: what a busy DRAM takes more"});
  for (const std::string& said : {in_flight_of(machine), no_least_number(machine)})
    if (!said.empty()) document.add(Paragraph{said});
  return document;
}

}  // namespace headroom
