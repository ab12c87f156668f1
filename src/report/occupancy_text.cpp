#include "report/occupancy_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "report/format.h"
#include "report/table.h"

namespace headroom {
namespace {

bool limits(const Occupancy& occupancy, const std::string& resource) {
  return std::ranges::find(occupancy.limiters, resource) != occupancy.limiters.end();
}

std::string relief(const OccupancyLimit& limit, const Occupancy& occupancy) {
  if (limit.relief.empty()) return "";
  if (limit.relief_fraction <= occupancy.fraction) return limit.relief + ": no gain alone";
  return fmt::format("{}: {}, {}", limit.relief,
                     text::counted(limit.relief_blocks, "block", "blocks"),
                     text::percent(limit.relief_fraction));
}

std::string shape_line(const BlockShape& shape, const std::string& block) {
  std::string line = block;
  line += shape.registers ? fmt::format(", {} per thread",
                                        text::counted(*shape.registers, "register", "registers"))
                          : ", registers unknown";
  if (uint64_t shared = shape.static_shared + shape.dynamic_shared)
    line += fmt::format(", {} of shared memory", text::bytes(double(shared)));
  if (shape.carveout) line += fmt::format(", carve-out {:g} KiB", *shape.carveout);
  return line;
}

std::string heading(const Machine& machine, const BlockShape& shape, const std::string& block) {
  return fmt::format("{}, compute capability {}.{}: {}\n\n",
                     machine.title.empty() ? machine.name : machine.title, machine.cc_major(),
                     machine.cc_minor(), shape_line(shape, block));
}

std::string caveats_line(const Occupancy& occupancy) {
  std::string result;
  for (const Caveat& caveat : occupancy.caveats)
    result += fmt::format("\n  caveat: {}: {}; {}\n", caveat.what, caveat.cause, caveat.advice);
  return result;
}

}  // namespace

std::string occupancy_cell(const Occupancy& o) {
  if (!o.impossible.empty()) return "impossible";
  if (o.limiters.empty() || o.warps == o.max_warps) return text::percent(o.fraction);
  const std::string& by = o.limiters.front();
  return text::percent(o.fraction) + " " + (by == "shared memory" ? "shared" : by);
}

std::string occupancy_text(const Occupancy& occupancy) {
  std::string result =
      occupancy.impossible.empty()
          ? fmt::format("  {} per SM, {} of {} warps: {}\n",
                        text::counted(occupancy.blocks, "block", "blocks"), occupancy.warps,
                        occupancy.max_warps, text::percent(occupancy.fraction))
          : fmt::format("  cannot run: {}\n", occupancy.impossible);
  if (!occupancy.limits.empty()) {
    Table table({{"resource", Align::left},
                 {"blocks"},
                 {"", Align::left},
                 {"arithmetic", Align::left},
                 {"with", Align::left}});
    for (const OccupancyLimit& limit : occupancy.limits)
      table.row({limit.resource, limit.blocks ? std::to_string(*limit.blocks) : "–",
                 limits(occupancy, limit.resource) ? "limits" : "", limit.arithmetic,
                 relief(limit, occupancy)});
    result += "\n" + table.text(Style{}, 2);
  }
  return result + caveats_line(occupancy);
}

std::string occupancy_text(const Machine& machine, const BlockShape& shape,
                           const Occupancy& occupancy) {
  const std::string block =
      fmt::format("a block of {}", text::counted(shape.threads, "thread", "threads"));
  return heading(machine, shape, block) + occupancy_text(occupancy);
}

std::string occupancy_sweep_text(const Machine& machine, const BlockShape& shape,
                                 const std::vector<SweptBlock>& sizes) {
  Table table({{"threads"}, {"blocks"}, {"warps"}, {"occupancy"}, {"limited by", Align::left}});
  for (const auto& [threads, occupancy] : sizes)
    table.row({std::to_string(threads), std::to_string(occupancy.blocks),
               std::to_string(occupancy.warps), text::percent(occupancy.fraction),
               occupancy.impossible.empty() ? fmt::format("{}", fmt::join(occupancy.limiters, ", "))
                                            : "cannot run: " + occupancy.impossible});
  return heading(machine, shape, "blocks of several sizes") + table.text(Style{}, 2) +
         (sizes.empty() ? "" : caveats_line(sizes.front().occupancy)) +
         "\n  --threads N shows the arithmetic of one size, and what would admit one more block\n";
}

}  // namespace headroom
