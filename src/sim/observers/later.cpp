#include "sim/observers/later.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace headroom::sim {
namespace {

// Chosen by the launches of results/h200/model_unseen_3.json.
constexpr double alike = 0.2, little = 0.01;  // of an instruction
constexpr double most_at_first = 2;           // times the sectors of the second half

// What a stretch of a trace has.
struct Sums {
  double instructions = 0, entries = 0, lanes = 0, accesses = 0, sectors = 0, wavefronts = 0;
  double stands = 0;  // for so many instructions

  void add(const TracedWarp& warp, uint32_t first, uint32_t last, double traced) {
    instructions += traced;
    entries += last - first;
    for (uint32_t i = first; i < last; ++i) lanes += warp.entered[i].lanes;
    const auto begin = std::ranges::lower_bound(warp.accesses, first, {}, &TracedAccess::entry);
    for (auto access = begin; access != warp.accesses.end() && access->entry < last; ++access) {
      if (is_shared(access->kind)) {
        wavefronts += access->wavefronts;
      } else if (access->kind <= AccessKind::local_store) {
        accesses += 1;
        sectors += access->sectors;
      }
    }
  }
  std::array<double, 5> of_instruction() const {
    const double all = std::max(1.0, instructions);
    return {lanes / std::max(1.0, entries), 32 * accesses / all, sectors / all, wavefronts / all,
            entries / all};
  }
  bool is_as(const Sums& other) const {
    const auto mine = of_instruction(), its = other.of_instruction();
    for (size_t i = 0; i < mine.size(); ++i)
      if (std::abs(mine[i] - its[i]) > little + alike * std::max(mine[i], its[i])) return false;
    return true;
  }
};

}  // namespace

// What ends a warp is done once, and may be in its last part: most of what comes later must be unlike how it began.
bool is_another_later(const std::vector<TracedBlock>& blocks) {
  Sums first_half, began;
  std::vector<Sums> parts;
  for (const TracedBlock& block : blocks)
    for (const TracedWarp& warp : block.warps) {
      if (warp.parts.empty()) continue;
      double first = double(warp.traced);
      for (const TracedPart& part : warp.parts) first -= double(part.traced);
      const uint32_t half = warp.parts.front().entry / 2;
      first_half.add(warp, 0, half, first / 2);
      began.add(warp, half, warp.parts.front().entry, first / 2);
      parts.resize(std::max(parts.size(), warp.parts.size()));
      for (size_t i = 0; i < warp.parts.size(); ++i) {
        const bool last = i + 1 == warp.parts.size();
        const TracedPart& part = warp.parts[i];
        const uint64_t until = last ? warp.executed : warp.parts[i + 1].at;
        parts[i].add(warp, part.entry,
                     last ? uint32_t(warp.entered.size()) : warp.parts[i + 1].entry,
                     double(part.traced));
        parts[i].stands += double(until - std::min(until, part.at));
      }
    }
  double unlike = 0, all = 0;
  for (const Sums& part : parts) {
    all += part.stands;
    if (!part.is_as(began)) unlike += part.stands;
  }
  // What fills the queues at first is still felt in the second half.
  const bool begins_apart =
      first_half.sectors > most_at_first * began.sectors + little * first_half.instructions;
  return unlike > all / 2 || (begins_apart && all > 0);
}

}  // namespace headroom::sim
