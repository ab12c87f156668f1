// The warp schedulers of an SM: which warp of each sub-partition issues next, and what keeps the others from it.
//
//   cycle 120: warp 0 may issue since 118, warp 4 at 131, warp 8 since 110, but its unit is free at 121
//   choose(…)  ->  warp 0; 4 waits for its operands, 8 is held: math pipe throttle
//
// What a warp is held by counts once it ends: most cycles change nothing about most warps. A sub-partition of which none
// may issue sleeps until one may.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "model/pipeline/issue_rule.h"
#include "model/pipeline/played.h"
#include "sass/register_port.h"

namespace headroom {

inline constexpr double never = std::numeric_limits<double>::infinity();
inline constexpr uint64_t issued_a_mark = 16;  // instructions

struct Seat {  // of a warp, while it is not gone
  PlayedWarp* warp;
  size_t block;                             // its place
  double wakes = never;                     // when the warp may issue; never: it waits
  const InstructionTiming* next = nullptr;  // its instruction
  Stall held = Stall::selected;             // though it may issue; selected: it may not
  double held_since = 0;
};

struct SubPartition {
  std::vector<Seat> seats;  // the youngest last
  int places = 0;           // of warps of blocks that are not over
  PlayedWarp* last = nullptr;
  double wakes = never;       // before, none of its warps may issue
  bool may_be_later = false;  // … and perhaps longer: it does not sleep
  double next_issue = 0, port_free = 0;
  uint64_t issued = 0, next_mark = issued_a_mark;  // instructions
  bool by_banks = false;                           // registers of one bank put the next issue off
  sass::RegisterPort port;                         // keeps registers of the warp that issued last
  std::array<double, units> unit_free{};

  bool sleeps(double now) const { return wakes > now && !may_be_later; }
  void seat(PlayedWarp&);
  void leave(const PlayedWarp&);
  // It waits, or may issue at another time, or another instruction.
  void settle(const PlayedWarp& warp, const InstructionTiming& next) {
    Seat& its = seats[warp.seat];
    const double before = its.wakes;
    its.wakes = warp.waits ? never : warp.ready;
    its.next = &next;
    may_be_later = may_be_later || (before == wakes && its.wakes > before);
    wakes = std::min(wakes, its.wakes);
  }
};

// Units of sub-partitions, and groups of lanes that those of old SMs share.
class SmUnits {
 public:
  explicit SmUnits(const IssueRule&);
  // Until when one is taken: the sub-partition's, or the one of the SM's groups that is free first.
  double& free(SubPartition& part, Unit unit) {
    if (!is_shared_) return part.unit_free[size_t(unit)];
    auto& groups = groups_free_[size_t(unit)];
    return groups.empty() ? part.unit_free[size_t(unit)] : *std::ranges::min_element(groups);
  }
  // … that of an instruction; `queue`: of what goes to memory.
  double free(SubPartition& part, const InstructionTiming& timing, double queue) {
    const double its = free(part, timing.unit);
    return timing.queues ? std::max(its, queue) : its;
  }
  bool others_take(const InstructionTiming& timing) const {
    return timing.queues || !groups_free_[size_t(timing.unit)].empty();
  }

 private:
  std::array<std::vector<double>, units> groups_free_;
  bool is_shared_ = false;
};

// Whose warp issues, if one can; then the sub-partition wakes when another may, or is kept from it by something else.
Seat* choose(SubPartition&, SmUnits&, double queue, double now, std::vector<StallCycles>& stalls);
// Its warp issues: what it was held by has ended.
inline void let_issue(Seat& seat, double now, std::vector<StallCycles>& stalls) {
  if (seat.held == Stall::selected) return;
  stalls[seat.warp->pc][size_t(seat.held)] += now - seat.held_since;
  seat.held = Stall::selected;
}

}  // namespace headroom
