// Registers that stay in vectors round a loop: whatever is in them at the end of its first round is there at the beginning of
// all others.
#include <algorithm>

#include "sim/compiled/vectors.h"

namespace headroom::sim::compiled {

void Vectors::begin_rounds() {
  round_ = slot_;
  round_nan_ = nan_known_;
  for (int i = 0; i < slots; ++i)
    if (!slot_[size_t(i)].is_empty()) events_.push_back({i, true});
  forget_lanes();
}

// What goes is written; what stays, if it is in memory at the beginning; what has to come is read from there.
void Vectors::end_round() {
  const auto place_of = [](const std::array<Slot, slots>& among, const Slot& one) {
    const auto found =
        std::ranges::find_if(among, [&](const Slot& each) { return each.has_what(one); });
    return one.is_empty() || found == among.end() ? -1 : int(found - among.begin());
  };
  for (int i = 0; i < slots; ++i) {
    const int to = place_of(round_, slot_[size_t(i)]);
    if (to < 0 || !round_[size_t(to)].dirty) write(i);
    if (to < 0 || !round_[size_t(to)].any_nan) settle(i);
    if (to < 0) slot_[size_t(i)] = {};
  }
  std::array<int, slots> from;
  for (size_t i = 0; i < slots; ++i) {
    const Slot& wanted = round_[i];
    from[i] = wanted.is_empty() ? int(i) : place_of(slot_, wanted);
    if (from[i] >= 0) continue;
    wanted.doubles != none ? reads(wanted.doubles, 2 * row_bytes)
                           : reads(wanted.operand, row_bytes);
  }
  move(from);
  for (int i = 0; i < slots; ++i)
    if (from[size_t(i)] < 0) fill(i, round_[size_t(i)]);
  if (round_nan_) quiet_nan();
  slot_ = round_;
  for (int i = 0; i < slots; ++i)
    if (!slot_[size_t(i)].is_empty()) events_.push_back({i, true});
}

// All at once: a slot is written when none that waits has it as its source, a ring by way of scratch.
void Vectors::move(const std::array<int, slots>& from) {
  std::array<bool, slots> waits;
  for (int i = 0; i < slots; ++i) {
    waits[size_t(i)] = from[size_t(i)] >= 0 && from[size_t(i)] != i;
    if (waits[size_t(i)]) events_.push_back({from[size_t(i)], true});
  }
  const auto is_source = [&](int of) {
    for (size_t i = 0; i < slots; ++i)
      if (waits[i] && from[i] == of) return true;
    return false;
  };
  for (bool moved = true; moved;) {
    moved = false;
    for (int i = 0; i < slots; ++i) {
      if (!waits[size_t(i)] || is_source(i)) continue;
      const Value to = value(i), source = value(from[size_t(i)]);
      for (size_t h = 0; h < 2; ++h) a.vmovdqa64(to[h], source[h]);
      events_.push_back({i, false});
      waits[size_t(i)] = false;
      moved = true;
    }
  }
  for (int i = 0; i < slots; ++i) {
    if (!waits[size_t(i)]) continue;
    for (size_t h = 0; h < 2; ++h) {
      a.vmovdqa64(scratch, value(i)[h]);
      int to = i;
      for (; from[size_t(to)] != i; to = from[size_t(to)])
        a.vmovdqa64(value(to)[h], value(from[size_t(to)])[h]);
      a.vmovdqa64(value(to)[h], scratch);
    }
    for (int to = i; waits[size_t(to)]; to = from[size_t(to)]) waits[size_t(to)] = false;
  }
}

}  // namespace headroom::sim::compiled
