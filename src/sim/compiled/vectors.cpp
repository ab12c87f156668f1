#include "sim/compiled/vectors.h"

#include <algorithm>
#include <cassert>
#include <cstddef>

namespace headroom::sim::compiled {
namespace {

constexpr uint32_t row_bytes = 4 * lanes;  // a register of 4 bytes a lane
const x86::Zmm nan_vector = x86::zmm31;

bool overlaps(uint32_t a, uint32_t a_bytes, uint32_t b, uint32_t b_bytes) {
  return a < b + b_bytes && b < a + a_bytes;
}

}  // namespace

Vectors::Value Vectors::value(int slot) const {
  return {x86::zmm(uint32_t(2 * slot)), x86::zmm(uint32_t(2 * slot + 1))};
}

int Vectors::find(uint32_t operand) const {
  for (int i = 0; i < slots; ++i)
    if (slot_[size_t(i)].operand == operand) return i;
  return -1;
}

void Vectors::write(int slot) {
  Slot& one = slot_[size_t(slot)];
  if (!one.dirty) return;
  const Value from = value(slot);
  events_.push_back({slot, true});
  one.dirty = false;
  a.vmovdqu64(x86::ptr_512(base_register, int32_t(one.operand)), from[0]);
  a.vmovdqu64(x86::ptr_512(base_register, int32_t(one.operand) + 64), from[1]);
}

// An empty slot, or that which was used longest ago.
int Vectors::take() {
  int best = -1;
  for (int i = 0; i < slots; ++i) {
    const Slot& one = slot_[size_t(i)];
    if (one.held) continue;
    if (best < 0 || one.used < slot_[size_t(best)].used) best = i;
  }
  assert(best >= 0);  // an operation names ten at most
  write(best);
  events_.push_back({best, false});
  slot_[size_t(best)] = {};
  slot_[size_t(best)].held = true;
  return best;
}

Vectors::Value Vectors::in(uint32_t operand) {
  int slot = find(operand);
  if (slot < 0) {
    reads(operand, row_bytes);
    slot = take();
    const Value to = value(slot);
    a.vmovdqu64(to[0], x86::ptr_512(base_register, int32_t(operand)));
    a.vmovdqu64(to[1], x86::ptr_512(base_register, int32_t(operand) + 64));
    slot_[size_t(slot)].operand = operand;
  }
  events_.push_back({slot, true});
  slot_[size_t(slot)].held = true;
  slot_[size_t(slot)].used = ++now_;
  return value(slot);
}

Vectors::Value Vectors::out(uint32_t operand) {
  const int slot = take();
  becomes_[size_t(outputs_)] = operand;
  made_[size_t(outputs_++)] = slot;
  return value(slot);
}

Vectors::Value Vectors::change(uint32_t operand) {
  assert(!masked_);
  const Value changed = in(operand);
  slot_[size_t(find(operand))].dirty = true;
  return changed;
}

Vectors::Value Vectors::between() { return value(take()); }

Vectors::Doubles Vectors::doubles_in(uint32_t operand) {
  const Value low = in(operand), high = in(operand + row_bytes);
  Doubles found;
  for (size_t h = 0; h < 2; ++h) {
    const Value to = found[h] = between();
    if (masked_) {
      half(h);
      lane_ops().vmovdqa32(scratch, low[h]);
      lane_ops().vmovdqa32(to[1], high[h]);
      a.vpunpckldq(to[0], scratch, to[1]);
      a.vpunpckhdq(to[1], scratch, to[1]);
    } else {
      a.vpunpckldq(to[0], low[h], high[h]);
      a.vpunpckhdq(to[1], low[h], high[h]);
    }
  }
  for (const uint32_t word : {operand, operand + row_bytes})  // room for others
    slot_[size_t(find(word))].held = false;
  return found;
}

Vectors::Doubles Vectors::doubles_out() { return {between(), between()}; }

void Vectors::made(uint32_t operand, const Doubles& doubles) {
  const Value low = out(operand), high = out(operand + row_bytes);
  for (size_t h = 0; h < 2; ++h) {
    a.vshufps(low[h], doubles[h][0], doubles[h][1], 0x88);
    a.vshufps(high[h], doubles[h][0], doubles[h][1], 0xdd);
  }
  done();
}

// Of what was made, the lanes that do not run have what they had.
void Vectors::keep_others(const Value& made, uint32_t operand) {
  const Value before = in(operand);
  know_lanes();
  a.k(x86::k6).vpblendmd(made[0], before[0], made[0]);
  a.k(x86::k7).vpblendmd(made[1], before[1], made[1]);
}

void Vectors::done() {
  if (masked_)
    for (int i = 0; i < outputs_; ++i) keep_others(value(made_[size_t(i)]), becomes_[size_t(i)]);
  for (int i = 0; i < outputs_; ++i) {
    const uint32_t operand = becomes_[size_t(i)];
    overwrites(operand, row_bytes);
    slot_[size_t(made_[size_t(i)])] = {operand, true, false, ++now_};
  }
  outputs_ = 0;
  part_known_ = false;
  for (Slot& one : slot_) one.held = false;
}

void Vectors::reads(uint32_t operand, uint32_t bytes) {
  for (int i = 0; i < slots; ++i) {
    const Slot& one = slot_[size_t(i)];
    if (one.dirty && overlaps(one.operand, row_bytes, operand, bytes)) write(i);
  }
}

void Vectors::overwrites(uint32_t operand, uint32_t bytes) {
  for (int i = 0; i < slots; ++i) {
    Slot& one = slot_[size_t(i)];
    if (one.operand == none || !overlaps(one.operand, row_bytes, operand, bytes)) continue;
    const bool whole = operand <= one.operand && one.operand + row_bytes <= operand + bytes,
               same = one.operand == operand && bytes == row_bytes;
    if (masked_ ? !same : !whole) write(i);
    const bool held = one.held;
    one = {};
    one.held = held;
  }
}

x86::Mem Vectors::memory(uint32_t operand, int offset, uint32_t bytes) {
  return x86::Mem(base_register, int32_t(operand) + offset, bytes);
}

void Vectors::load(const x86::KReg& mask, uint32_t predicate, int half) {
  reads(predicate, 4);
  a.kmovw(mask, memory(predicate, 2 * half, 2));
}

// As one word: it will be read as one.
void Vectors::store(uint32_t predicate, const x86::KReg& low, const x86::KReg& high) {
  overwrites(predicate, 4);
  a.kunpckwd(high, high, low);
  if (masked_) {
    a.kmovd(x86::ecx, high);
    return store_word(predicate);
  }
  a.kmovd(memory(predicate, 0, 4), high);
}

void Vectors::store_word(uint32_t predicate) {
  overwrites(predicate, 4);
  const x86::Mem at = memory(predicate, 0, 4);
  if (masked_) {  // old ^ (old ^ new where they run)
    know_lanes();
    a.xor_(x86::ecx, at);
    a.kmovd(x86::edx, x86::k6);
    a.and_(x86::ecx, x86::edx);
    a.xor_(x86::ecx, at);
  }
  a.mov(at, x86::ecx);
}

void Vectors::store_wide(uint32_t operand, int part, const x86::Zmm& from) {
  const x86::Mem at = memory(operand, 64 * part, 64);
  if (!masked_) return void(a.vmovdqu64(at, from));
  know_lanes();
  if (part) a.kshiftrd(x86::k1, x86::k6, uint8_t(8 * part));
  a.k(part ? x86::k1 : x86::k6).vmovdqu64(at, from);
}

void Vectors::run_some() {
  masked_ = true;
  guarded_ = false;
}

void Vectors::know_lanes() {
  const Known wanted = guarded_ ? Known::guard : Known::warp;
  if (known_ == wanted) return;
  a.kmovd(x86::k6, guarded_ ? guarded_lanes : running_lanes);
  a.kshiftrd(x86::k7, x86::k6, 16);
  known_ = wanted;
}

x86::Assembler& Vectors::lane_ops() {
  if (!masked_) return a;
  know_lanes();
  a.k(half_ ? x86::k7 : x86::k6).z();
  return a;
}

void Vectors::part(int p) {
  if (!masked_) return;
  know_lanes();
  a.kshiftrd(x86::k5, x86::k6, uint8_t(8 * p));
  part_known_ = true;
}

x86::Assembler& Vectors::part_ops() {
  if (part_known_) a.k(x86::k5).z();
  return a;
}

void Vectors::run_guarded(uint32_t guard, bool negated, Running of, bool is_uniform) {
  reads(guard, 4);
  a.mov(x86::ecx, memory(guard, 0, 4));
  if (negated) a.not_(x86::ecx);
  if (is_uniform) a.mov(guarded_lanes, x86::ecx);
  if (of == Running::some) a.and_(x86::ecx, running_lanes);
  if (!is_uniform) a.mov(guarded_lanes, x86::ecx);
  if (known_ == Known::guard) forget_lanes();
  guarded_ = masked_ = true;
}

const x86::Zmm& Vectors::quiet_nan() {
  if (!nan_known_) broadcast(nan_vector, 0x7fff'ffff);
  nan_known_ = true;
  return nan_vector;
}

x86::Mem Vectors::table(const std::array<uint32_t, 16>& words) {
  const auto [known, added] =
      tables_.try_emplace(words, int32_t(constants_.size() * sizeof(Table)));
  if (added && constants_.size() == most_tables)
    a.reportError(asmjit::kErrorTooLarge);
  else if (added)
    constants_.push_back({words});
  return x86::ptr(table_register, known->second, 64);
}

void Vectors::broadcast(const x86::Zmm& to, uint32_t word) {
  a.mov(x86::ecx, word);
  a.vpbroadcastd(to, x86::ecx);
}

void Vectors::write_back(const std::vector<uint32_t>& dead) {
  for (int i = 0; i < slots; ++i)
    if (std::ranges::find(dead, slot_[size_t(i)].operand) == dead.end()) write(i);
}

Vectors::State Vectors::state() const { return {slot_, known_, nan_known_, some_, events_.size()}; }

bool Vectors::read_since(size_t event, int slot) const {
  for (size_t i = event; i < events_.size(); ++i)
    if (events_[i].slot == slot) return events_[i].reads;
  return false;
}

void Vectors::spill(const State& state) {
  const auto now = slot_;
  slot_ = state.slot;
  const size_t events = events_.size();
  write_back();
  events_.resize(events);
  slot_ = now;
}

void Vectors::reload(const State& state) {
  a.mov(base_register, x86::ptr_64(warp_register, offsetof(Warp, base)));
  a.mov(table_register, uint64_t(reinterpret_cast<uintptr_t>(constants_.data())));
  if (state.warp_lanes) a.mov(running_lanes, x86::ptr_32(warp_register, offsetof(Warp, mask)));
  if (state.known != Known::nothing) {
    a.kmovd(x86::k6, state.known == Known::guard ? guarded_lanes : running_lanes);
    a.kshiftrd(x86::k7, x86::k6, 16);
  }
  if (state.nan_known) broadcast(nan_vector, 0x7fff'ffff);
  for (int i = 0; i < slots; ++i) {
    const Slot& one = state.slot[size_t(i)];
    const Value to = value(i);
    if (one.operand == none || !read_since(state.event, i)) continue;
    a.vmovdqu64(to[0], x86::ptr_512(base_register, int32_t(one.operand)));
    a.vmovdqu64(to[1], x86::ptr_512(base_register, int32_t(one.operand) + 64));
  }
}

void Vectors::begin(Running which) {
  some_ = which == Running::some;
  events_.clear();
  slot_ = {};
  nan_known_ = masked_ = guarded_ = false;
  forget_lanes();
  a.mov(table_register, uint64_t(reinterpret_cast<uintptr_t>(constants_.data())));
  if (which == Running::all) return;
  a.mov(running_lanes, x86::ptr_32(warp_register, offsetof(Warp, mask)));
}

}  // namespace headroom::sim::compiled
