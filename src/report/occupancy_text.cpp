#include "report/occupancy_text.h"

#include <fmt/format.h>

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

std::string shape_line(const BlockShape& shape) {
  std::string line =
      fmt::format("a block of {}", text::counted(shape.threads, "thread", "threads"));
  line += shape.registers ? fmt::format(", {} per thread",
                                        text::counted(*shape.registers, "register", "registers"))
                          : ", registers unknown";
  if (uint64_t shared = shape.static_shared + shape.dynamic_shared)
    line += fmt::format(", {} of shared memory", text::bytes(double(shared)));
  if (shape.carveout) line += fmt::format(", carve-out {:g} KiB", *shape.carveout);
  return line;
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
  for (const Caveat& caveat : occupancy.caveats)
    result += fmt::format("\n  caveat: {}: {}; {}\n", caveat.what, caveat.cause, caveat.advice);
  return result;
}

std::string occupancy_text(const Machine& machine, const BlockShape& shape,
                           const Occupancy& occupancy) {
  return fmt::format("{}, compute capability {}.{}: {}\n\n{}",
                     machine.title.empty() ? machine.name : machine.title, machine.cc_major(),
                     machine.cc_minor(), shape_line(shape), occupancy_text(occupancy));
}

}  // namespace headroom
