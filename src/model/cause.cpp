#include "model/cause.h"

#include <algorithm>
#include <cmath>

namespace headroom {

namespace {

std::vector<std::string_view> counters_behind(Resource resource) {
  using enum Resource;
  switch (resource) {
    case issue: return {"warp_instructions"};
    case fp32: return {"fp32_instructions"};
    case fp64: return {"pipe_fp64", "fp64_instructions"};
    case fp16: return {"pipe_fp16", "fp16_instructions"};
    case fp32_operations: return {"fp32_operations"};
    case fp64_operations: return {"fp64_operations"};
    case fp16_operations: return {"fp16_operations", "tensor_operations"};
    case integer: return {"integer_instructions"};
    case special: return {"special_instructions"};
    case alu: return {"pipe_alu"};
    case fma: return {"pipe_fma"};
    case xu: return {"pipe_xu"};
    case load_store:
    case load_store_with_local: return {"pipe_lsu", "memory_instructions"};
    case shared: return {"shared_load_wavefronts", "shared_store_wavefronts"};
    case l1:
    case l1_with_local:
    case l2:
    case l2_without_l1:
      return {"global_load_sectors", "global_store_sectors", "local_load_sectors",
              "local_store_sectors", "atomic_sectors",       "bulk_load_sectors",
              "bulk_store_sectors"};
    case dram:
    case dram_cold:
    case dram_hot: return {"unique_load_sectors", "unique_store_sectors"};
  }
  return {};
}

double seconds_of(Resource resource, const Figures& figures) {
  for (const auto& [each, seconds] : figures.floors)
    if (each == resource) return seconds;
  return 0;
}

const Change* change_named(std::string_view name, const std::vector<Change>& changes) {
  const auto found = std::ranges::find_if(
      changes, [&](const Change& each) { return metrics()[each.metric].name == name; });
  return found == changes.end() ? nullptr : &*found;
}

// Of these counters the one that moved most in the direction of `sign`.
const Change* most_moved(const std::vector<std::string_view>& names, double sign,
                         const std::vector<Change>& changes) {
  const Change* most = nullptr;
  for (std::string_view name : names) {
    const Change* each = change_named(name, changes);
    if (!each || !each->before || !each->after || each->difference() * sign <= 0) continue;
    if (!most || each->difference() * sign > most->difference() * sign) most = each;
  }
  return most;
}

}  // namespace

std::optional<Change> cause(const Figures& before, const Figures& after,
                            const std::vector<Change>& changes) {
  const Change* time = change_named("predicted_ns", changes);
  if (!time) time = change_named("floor_ns", changes);
  if (!time || !time->before || !time->after) return std::nullopt;
  const double moved = time->difference(), sign = moved < 0 ? -1 : 1;
  const Change* most = nullptr;
  // A floor that moved by less than a tenth of what the time did explains little of it.
  double largest = 0.1 * std::abs(moved) * 1e-9;
  for (const auto& [resource, seconds] : after.floors) {
    const double more = sign * (seconds - seconds_of(resource, before));
    if (more <= largest) continue;
    const Change* counter = most_moved(counters_behind(resource), sign, changes);
    if (counter) most = counter, largest = more;
  }
  for (std::string_view name : {"spill", "occupancy", "registers", "shared"})
    if (!most) most = change_named(name, changes);
  return most ? std::optional(*most) : std::nullopt;
}

}  // namespace headroom
