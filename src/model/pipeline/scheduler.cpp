#include "model/pipeline/scheduler.h"

#include <utility>

namespace headroom {
namespace {

// Of two warps that may issue: the one that issued last; else that of the block that began first; else the one that
// could longest ago. So blocks of an SM do not stay in step: one loads while another computes.
bool goes_before(const SubPartition& part, const Seat& a, const Seat& b) {
  if (a.warp == part.last || b.warp == part.last) return a.warp == part.last;
  if (a.block != b.block) return a.block < b.block;
  return a.wakes < b.wakes;
}

void hold(Seat& seat, Stall because, double now, std::vector<StallCycles>& stalls) {
  if (seat.held == because) return;
  let_issue(seat, now, stalls);
  seat.held = because;
  seat.held_since = now;
}

}  // namespace

void SubPartition::seat(PlayedWarp& warp) {
  warp.part = this;
  warp.seat = seats.size();
  seats.push_back({&warp, warp.block->place});
}

void SubPartition::leave(const PlayedWarp& warp) {
  seats.erase(seats.begin() + ptrdiff_t(warp.seat));
  for (size_t i = warp.seat; i < seats.size(); ++i) seats[i].warp->seat = i;
  if (last == &warp) last = nullptr;
}

SmUnits::SmUnits(const IssueRule& rule) {
  for (size_t u = 0; u < units; ++u) {
    groups_free_[u].resize(size_t(rule.groups[u]));
    is_shared_ = is_shared_ || rule.groups[u] > 0;
  }
}

Seat* choose(SubPartition& part, SmUnits& units, double queue, double now,
             std::vector<StallCycles>& stalls) {
  Seat* chosen = nullptr;
  const bool is_free = part.next_issue <= now;
  double wakes = never;
  bool holds = false;
  part.may_be_later = false;
  for (Seat& seat : part.seats) {
    if (seat.wakes > now) {
      wakes = std::min(wakes, seat.wakes);
      continue;
    }
    Seat* held = &seat;
    Stall because = Stall::not_selected;
    if (!is_free) {
      if (part.by_banks) because = Stall::dispatch_stall;
      wakes = std::min(wakes, part.next_issue);
    } else if (const double free = units.free(part, *seat.next, queue); free > now) {
      because = seat.next->busy;
      wakes = std::min(wakes, free);
      part.may_be_later |= units.others_take(*seat.next);
    } else if (!chosen || goes_before(part, seat, *chosen)) {
      std::swap(held, chosen);
      if (!held) continue;
    }
    hold(*held, because, now, stalls);
    holds = true;
  }
  part.wakes = chosen && holds ? std::min(wakes, now + 1) : wakes;
  return chosen;
}

}  // namespace headroom
