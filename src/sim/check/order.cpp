#include "sim/check/order.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace headroom::sim::check {
namespace {

void join_into(Passed& to, const Passed& from) {
  to.block = join(to.block, from.block);
  to.gpu = join(to.gpu, from.gpu);
}

void join_into(LaneOrder& to, const LaneOrder& from) {
  to.known = join(to.known, from.known);
  join_into(to.fenced, from.fenced);
}

bool is_empty(const Passed& passed) { return !passed.block && !passed.gpu; }

bool is_empty(const LaneOrder& lane) {
  return !lane.known && is_empty(lane.fenced) && is_empty(lane.observed);
}

template <class Body>
void each(uint32_t mask, Body&& body) {
  for (; mask; mask &= mask - 1) body(uint32_t(std::countr_zero(mask)));
}

// What these lanes of a warp have done by now.
void add_entries(std::vector<Entry>& to, const BlockOrder& block, const Warp& warp, uint32_t mask) {
  if (mask && (warp.live & ~mask) == 0)
    to.push_back({Whom::warp(block.linear, warp.index), block.now});
  else
    each(mask, [&](uint32_t lane) {
      to.push_back({Whom::lane(block.linear, warp.index, lane), block.now});
    });
}

}  // namespace

void Order::begin() {
  constexpr uint32_t many = 1u << 31;
  first_epoch_ += uint32_t(moments_.size()) + taken_;
  taken_ = 0;
  if (first_epoch_ > many) first_epoch_ = 1;  // Races clears its shadow then
  moments_.clear();
  blocks_.clear();
  clusters_.clear();
  passed_.clear();
  recent_ = nullptr;
  any_passed_ = any_fenced_ = false;
}

void Order::start(const BlockState& block) {
  auto& order = blocks_[&block];
  order = std::make_unique<BlockOrder>();
  order->linear = block.linear;
  order->warps.resize(block.warps.size());
  recent_ = nullptr;
}

BlockOrder& Order::find(const BlockState& block) {
  auto& order = blocks_[&block];
  if (!order || order->linear != block.linear) start(block);
  recent_ = &block;
  recent_order_ = blocks_[&block].get();
  return *recent_order_;
}

void Order::tick(BlockOrder& block) {
  ++block.now;
  block.epoch = 0;
}

uint32_t Order::epoch(const BlockState& state) {
  BlockOrder& block = of(state);
  if (!block.epoch) {
    moments_.push_back({block.linear, block.now});
    block.epoch = first_epoch_ + uint32_t(moments_.size() - 1);
  }
  return block.epoch;
}

// Itself and all that it knows.
KnownPtr Order::all_of(BlockOrder& block, uint32_t warp, uint32_t lane) {
  const WarpOrder& of_warp = block.warps[warp];
  std::vector<Entry> own;
  if (block.seen) own.push_back({Whom::block(block.linear), block.seen});
  if (of_warp.seen > block.seen) own.push_back({Whom::warp(block.linear, warp), of_warp.seen});
  own.push_back({Whom::lane(block.linear, warp, lane), block.now});
  return join(of_warp.lane[lane].known, std::move(own));
}

void Order::acquire(LaneOrder& lane, Scope scope) {
  if (is_empty(lane.observed)) return;
  lane.known = join(lane.known, std::exchange(lane.observed.block, nullptr));
  if (scope == Scope::gpu) lane.known = join(lane.known, std::exchange(lane.observed.gpu, nullptr));
}

// One of those who come together gives what it knows to all.
void Order::meet(LaneOrder& one, LaneOrder& all) {
  if (is_empty(one)) return;
  acquire(one, Scope::gpu);
  join_into(all, one);
}

void Order::fence(const Warp& warp, const Role& role) {
  BlockOrder& block = of(*warp.block);
  any_fenced_ = true;
  each(warp.mask, [&](uint32_t lane) {
    LaneOrder& of_lane = block.warps[warp.index].lane[lane];
    if (role.acquires) acquire(of_lane, role.scope);
    if (!role.releases) return;
    const KnownPtr all = all_of(block, warp.index, lane);
    of_lane.fenced.block = all;
    if (role.scope == Scope::gpu) of_lane.fenced.gpu = all;
  });
  tick(block);
}

void Order::synced(const Warp& warp) {
  BlockOrder& block = of(*warp.block);
  WarpOrder& of_warp = block.warps[warp.index];
  LaneOrder all;
  each(warp.mask, [&](uint32_t lane) { meet(of_warp.lane[lane], all); });
  if ((warp.live & ~warp.mask) == 0) {
    of_warp.seen = block.now;
  } else {
    std::vector<Entry> here;
    each(warp.mask, [&](uint32_t lane) {
      here.push_back({Whom::lane(block.linear, warp.index, lane), block.now});
    });
    all.known = join(all.known, std::move(here));
  }
  if (!is_empty(all))
    each(warp.mask, [&](uint32_t lane) {
      of_warp.lane[lane].known = all.known;
      of_warp.lane[lane].fenced = all.fenced;
    });
  tick(block);
}

void Order::arrived(const Warp& warp, uint32_t barrier, bool waits) {
  BlockOrder& block = of(*warp.block);
  BlockOrder::Meeting& meeting = block.meetings[barrier];
  meeting.is_begun = true;
  meeting.waiting.resize(block.warps.size());
  each(warp.mask, [&](uint32_t lane) { meet(block.warps[warp.index].lane[lane], meeting.all); });
  if (waits) {
    meeting.waiting[warp.index] |= warp.mask;
    return;
  }
  add_entries(meeting.gone_on, block, warp, warp.mask);
  tick(block);  // what they do from now on nobody learns here
}

// All who waited know what those have done who waited, and the others until they arrived.
void Order::released(const BlockState& state, uint32_t barrier) {
  BlockOrder& block = of(state);
  BlockOrder::Meeting& meeting = block.meetings[barrier];
  if (!meeting.is_begun) return;
  const bool whole =  // of those who arrived and went on some may have ended
      meeting.gone_on.empty() && std::ranges::all_of(state.warps, [&](const Warp& warp) {
        return (warp.live & ~meeting.waiting[warp.index]) == 0;
      });
  if (whole) {
    block.seen = block.now;
  } else {
    std::vector<Entry> here = std::move(meeting.gone_on);
    for (const Warp& warp : state.warps)
      add_entries(here, block, warp, meeting.waiting[warp.index]);
    meeting.all.known = join(meeting.all.known, std::move(here));
  }
  if (!is_empty(meeting.all))
    for (uint32_t w = 0; w < block.warps.size(); ++w)
      each(meeting.waiting[w], [&](uint32_t lane) {
        LaneOrder& one = block.warps[w].lane[lane];
        one.known = join(one.known, meeting.all.known);
        join_into(one.fenced, meeting.all.fenced);
      });
  meeting.is_begun = false;
  meeting.all = {};
  meeting.gone_on.clear();
  std::ranges::fill(meeting.waiting, 0);
  tick(block);
}

void Order::strong(const Warp& warp, uint32_t lane, const Role& role, Use use,
                   const BlockState* shared, uint64_t key) {
  if (ordinary(role)) return;
  BlockOrder& block = of(*warp.block);
  LaneOrder& one = block.warps[warp.index].lane[lane];
  auto& places = shared ? of(*shared).passed : passed_;
  const auto found = places.find(key);
  if (use != Use::store && found != places.end()) {
    Passed seen = found->second;
    if (seen.of_block != block.linear) seen.block = nullptr;
    if (role.scope == Scope::block) seen.gpu = nullptr;
    join_into(one.observed, seen);
    if (role.acquires) acquire(one, role.scope);
  }
  if (use == Use::load) return;
  Passed passed = one.fenced;
  if (role.scope == Scope::block) passed.gpu = nullptr;
  if (role.releases) {
    const KnownPtr all = all_of(block, warp.index, lane);
    passed.block = join(passed.block, all);
    if (role.scope == Scope::gpu) passed.gpu = join(passed.gpu, all);
  }
  if (!is_empty(passed)) {
    Passed& there = places[key];
    if (there.of_block != block.linear) there.block = nullptr;
    if (use == Use::store)
      there = passed;
    else
      join_into(there, passed);
    there.of_block = block.linear;
    any_passed_ = true;
  } else if (use == Use::store && found != places.end()) {
    places.erase(found);
  }
  if (role.releases) tick(block);
}

bool Order::knows_others(const Warp& warp, uint32_t lane) {
  return of(*warp.block).warps[warp.index].lane[lane].known != nullptr;
}

bool Order::before(Record record, const Warp& warp, uint32_t lane) {
  const Moment& then = moment(record);
  BlockOrder& block = of(*warp.block);
  const WarpOrder& of_warp = block.warps[warp.index];
  if (then.block == block.linear) {
    if (then.time <= block.seen) return true;
    if (record.warp() == warp.index && (record.lane() == lane || then.time <= of_warp.seen))
      return true;
  }
  return knows(of_warp.lane[lane].known, then.block, record.warp(), record.lane(), then.time);
}

}  // namespace headroom::sim::check
