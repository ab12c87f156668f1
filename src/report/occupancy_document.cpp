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

Document needed_occupancy(const Machine& machine, const std::vector<NeededWarps>& curve) {
  constexpr double bar = 20;  // characters for all warps that an SM has room for
  const double room = machine.max_warps_per_sm.value_or(0);
  Grid grid{.columns = {{"operations a load"},
                        {"warps"},
                        {"occupancy"},
                        {"", Align::left},
                        {"bound by", Align::left}}};
  for (const NeededWarps& each : curve) {
    const double share = room > 0 ? each.warps / room : 0;
    grid.rows.push_back({fmt::format("{:.0f}", each.intensity), fmt::format("{:.1f}", each.warps),
                         text::percent(share),
                         std::string(size_t(std::lround(bar * std::min(share, 2.0))), '#'),
                         each.by_memory ? "memory" : "arithmetic"});
  }
  Document document{"headroom occupancy", {Heading{2, "needed occupancy on " + machine.title}}};
  document.add(std::move(grid));
  document.add(Paragraph{
      "of a loop in which each thread loads a float and does so many operations, each on the "
      "result of "
      "the one before; more values or independent operations a thread divide it (Little's law)"});
  if (const std::string said = no_least_number(machine); !said.empty())
    document.add(Paragraph{said});
  return document;
}

}  // namespace headroom
