#include "sim/check/neighbours.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/finding_of.h"
#include "sim/spaces.h"

namespace headroom::sim::check {
namespace {

constexpr const char* uses[] = {"load", "store", "atomic"};
constexpr const char* spaces[] = {"global", "const", "shared", "local"};

std::string told(const Reach::Variable& variable) {
  const uint64_t bytes = variable.end - variable.begin;
  if (variable.name.empty())
    return fmt::format("an array of {} bytes of the thread's local memory", bytes);
  if (bytes > window_size / 2) return fmt::format("'{}'", variable.name);
  return fmt::format("'{}' ({} bytes)", variable.name, bytes);
}

// "4 bytes past the end of 'a' (128 bytes), in 'b'"; of several variables, the nearest.
std::string where(const Reach& reach, const Reaches& all, uint64_t address, uint64_t bytes) {
  const auto distance = [&](const Reach::Variable& variable) {
    return address < variable.begin ? variable.begin - address
                                    : address + bytes - std::min(address + bytes, variable.end);
  };
  const Reach::Variable& near = *std::ranges::min_element(reach.variables, {}, distance);
  std::string words =
      address < near.begin ? fmt::format("{} bytes before {}", near.begin - address, told(near))
      : address < near.end
          ? fmt::format("across the end of {}", told(near))
          : fmt::format("{} bytes past the end of {}", address - near.end, told(near));
  for (const Reach& other : all.all)
    for (const Reach::Variable& variable : other.variables)
      if (other.place == reach.place && !variable.name.empty() && variable.name != near.name &&
          variable.begin <= address && address < variable.end)
        return words + fmt::format(", in '{}'", variable.name);
  return words;
}

}  // namespace

void look_for_neighbours(const Access& access, const Reach& reach) {
  const Warp& warp = access.warp;
  const uint32_t instruction = access.operation.instruction;
  const uint64_t base =
      access.space == Place::local ? warp.frames[warp.groups[warp.current].frame].local_base : 0;
  const auto all_within = [&](const Reach::Variable& one) {
    const uint64_t low = access.first + uint64_t(access.pattern.low) - base,
                   high = access.first + uint64_t(access.pattern.high) - base;
    return low >= one.begin && high >= low &&
           is_within(high, access.pattern.bytes, one.begin, one.end);
  };
  if (!access.lane_bytes && std::ranges::any_of(reach.variables, all_within)) return;
  if (has_strayed(warp, instruction)) return;
  bool is_told = false;
  access.each([&](int lane, uint64_t address, uint64_t bytes) {
    const uint64_t at = address - base;
    const bool inside = std::ranges::any_of(reach.variables, [&](const Reach::Variable& one) {
      return is_within(at, bytes, one.begin, one.end);
    });
    if (inside || is_told) return;
    is_told = true;
    const std::string space = spaces[int(access.space)], use = uses[int(access.use)];
    const Reaches& all = warp.block->machinery->program->reaches;
    note_neighbour(warp, Fault{"out_of_bounds_" + space + "_" + use,
                               fmt::format("{}-byte {} {}: {}", bytes, space, use,
                                           where(reach, all, at, bytes)),
                               0, address, instruction, lane});
  });
}

}  // namespace headroom::sim::check
