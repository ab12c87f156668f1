#include "sim/compiled/vectors.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <utility>

#include "sim/compiled/emit.h"

namespace headroom::sim::compiled {
namespace {

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

int Vectors::find_doubles(uint32_t operand, size_t half) const {
  for (int i = 0; i < slots; ++i)
    if (slot_[size_t(i)].doubles == operand && slot_[size_t(i)].half == half) return i;
  return -1;
}

int Vectors::slot_of(const Value& of) const { return int(of[0].id() / 2); }

void Vectors::write(int slot) {
  Slot& one = slot_[size_t(slot)];
  if (!one.dirty) return;
  settle(slot);
  const Value from = value(slot);
  events_.push_back({slot, true});
  one.dirty = false;
  if (one.doubles != none) {
    const int32_t at = int32_t(one.doubles + 64 * one.half);
    a.vshufps(scratch, from[0], from[1], 0x88);
    a.vmovdqu64(x86::ptr_512(base_register, at), scratch);
    a.vshufps(scratch, from[0], from[1], 0xdd);
    a.vmovdqu64(x86::ptr_512(base_register, at + int32_t(row_bytes)), scratch);
    return;
  }
  a.vmovdqu64(x86::ptr_512(base_register, int32_t(one.operand)), from[0]);
  a.vmovdqu64(x86::ptr_512(base_register, int32_t(one.operand) + 64), from[1]);
}

// An empty slot, of those the one that it has in a loop, or that which is used last again.
int Vectors::best_room(uint32_t operand) const {
  int best = -1;
  const auto is_better = [&](const Slot& one, const Slot& than) {
    if (one.is_empty() || than.is_empty()) return one.is_empty() && !than.is_empty();
    if (one.next != than.next) return one.next > than.next;
    return !one.dirty && than.dirty;
  };
  for (int i = 0; i < slots; ++i) {
    const Slot& one = slot_[size_t(i)];
    if (one.held) continue;
    if (operand != none && one.is_empty() && round_[size_t(i)].operand == operand) return i;
    if (best < 0 || is_better(one, slot_[size_t(best)])) best = i;
  }
  assert(best >= 0);  // an operation names ten at most
  return best;
}

int Vectors::take(uint32_t operand) {
  const int best = best_room(operand);
  write(best);
  events_.push_back({best, false});
  slot_[size_t(best)] = {};
  slot_[size_t(best)].held = true;
  return best;
}

// The operation reads it.
void Vectors::use(int slot) {
  Slot& one = slot_[size_t(slot)];
  events_.push_back({slot, true});
  one.held = true;
  one.next = uses_.next(one.doubles != none ? one.doubles : one.operand, now_);
}

// Within an operation no mask is changed.
void Vectors::settle(int slot) {
  Slot& one = slot_[size_t(slot)];
  if (!one.any_nan) return;
  one.any_nan = false;
  events_.push_back({slot, true});
  for (const x86::Zmm& half : value(slot)) settle(half);
}

void Vectors::settle(const x86::Zmm& floats) {
  if (between_operations_) {
    const x86::Zmm& nan = quiet_nan();
    a.vcmpps(x86::k1, floats, floats, 3);
    a.k(x86::k1).vmovdqa32(floats, nan);
    return;
  }
  a.vmovdqa64(scratch, floats);
  nan_known_ ? a.vmovdqa64(floats, nan_vector) : a.vmovdqa64(floats, all(*this, 0x7fff'ffff));
  a.vfixupimmps(floats, scratch, all(*this, 0x1111'1100),
                0);  // a digit a kind of number: NaNs stay
}

void Vectors::fill(int slot, const Slot& with) {
  const Value to = value(slot);
  if (with.doubles != none) {
    const int32_t at = int32_t(with.doubles + 64 * with.half);
    a.vmovdqu64(scratch, x86::ptr_512(base_register, at));
    a.vmovdqu64(to[1], x86::ptr_512(base_register, at + int32_t(row_bytes)));
    a.vpunpckldq(to[0], scratch, to[1]);
    a.vpunpckhdq(to[1], scratch, to[1]);
  } else if (with.operand != none) {
    a.vmovdqu64(to[0], x86::ptr_512(base_register, int32_t(with.operand)));
    a.vmovdqu64(to[1], x86::ptr_512(base_register, int32_t(with.operand) + 64));
  }
}

Vectors::Value Vectors::in_float(uint32_t operand) {
  part_doubles(operand);
  int slot = find(operand);
  if (slot < 0) {
    reads(operand, row_bytes);
    slot = take(operand);
    slot_[size_t(slot)].operand = operand;
    fill(slot, slot_[size_t(slot)]);
  }
  use(slot);
  return value(slot);
}

Vectors::Value Vectors::in(uint32_t operand) {
  const Value value = in_float(operand);
  settle(slot_of(value));
  return value;
}

Vectors::Value Vectors::out(uint32_t operand) {
  const int slot = take(operand);
  becomes_[size_t(outputs_)] = operand;
  made_[size_t(outputs_++)] = slot;
  return value(slot);
}

Vectors::Value Vectors::change_float(uint32_t operand) {
  assert(!masked_);
  const Value changed = in_float(operand);
  for (Slot& one : slot_)  // in_float() has parted doubles that are not in memory
    if (one.doubles != none && overlaps(one.doubles, 2 * row_bytes, operand, row_bytes))
      one.doubles = none;
  Slot& slot = slot_[size_t(find(operand))];
  slot.dirty = slot.any_nan = true;
  return changed;
}

Vectors::Value Vectors::between() { return value(take()); }

Vectors::Doubles Vectors::doubles_in(uint32_t operand) {
  Doubles found;
  int known = 0;
  for (size_t h = 0; h < 2 && !masked_; ++h) {
    const int slot = find_doubles(operand, h);
    if (slot < 0) break;
    use(slot);
    found[h] = value(slot);
    ++known;
  }
  if (known == 2) return found;
  const Value low = in(operand), high = in(operand + row_bytes);
  for (size_t h = 0; h < 2; ++h) {
    const int slot = take();
    Value& to = found[h] = value(slot);
    if (masked_) {
      half(h);
      lane_ops().vmovdqa32(scratch, low[h]);
      lane_ops().vmovdqa32(to[1], high[h]);
      a.vpunpckldq(to[0], scratch, to[1]);
      a.vpunpckhdq(to[1], scratch, to[1]);
    } else {
      a.vpunpckldq(to[0], low[h], high[h]);
      a.vpunpckhdq(to[1], low[h], high[h]);
      slot_[size_t(slot)].doubles = operand;
      slot_[size_t(slot)].half = h;
      slot_[size_t(slot)].next = uses_.next(operand, now_);
    }
  }
  for (const Value& word : {low, high}) {
    Slot& slot = slot_[size_t(slot_of(word))];
    slot.held = false;
    if (!slot.dirty && !masked_) slot = {};  // room for others
  }
  return found;
}

Vectors::Doubles Vectors::doubles_out() { return {between(), between()}; }

void Vectors::made(uint32_t operand, const Doubles& doubles) {
  if (masked_) {
    const Value low = out(operand), high = out(operand + row_bytes);
    for (size_t h = 0; h < 2; ++h) {
      a.vshufps(low[h], doubles[h][0], doubles[h][1], 0x88);
      a.vshufps(high[h], doubles[h][0], doubles[h][1], 0xdd);
    }
    return done();
  }
  overwrites(operand, 2 * row_bytes);
  for (size_t h = 0; h < 2; ++h)
    slot_[size_t(slot_of(doubles[h]))] = {none,    true, false, false, uses_.next(operand, now_),
                                          operand, h};
  done();
}

void Vectors::part_doubles(uint32_t operand) {
  for (const uint32_t first : {operand, operand - row_bytes}) {
    const int slots_of[] = {find_doubles(first, 0), find_doubles(first, 1)};
    if (std::min(slots_of[0], slots_of[1]) < 0) continue;
    Slot &lower = slot_[size_t(slots_of[0])], &upper = slot_[size_t(slots_of[1])];
    if (!lower.dirty || !upper.dirty) continue;
    const bool held[] = {lower.held, upper.held};
    lower.held = upper.held = true;
    for (const bool high : {false, true}) {
      const uint32_t word_of = first + (high ? row_bytes : 0);
      const int slot = take(word_of);
      const Value word = value(slot);
      for (size_t h = 0; h < 2; ++h) {
        const Value from = value(slots_of[h]);
        events_.push_back({slots_of[h], true});
        a.vshufps(word[h], from[0], from[1], high ? 0xdd : 0x88);
      }
      slot_[size_t(slot)] = {word_of, true, true, false, uses_.next(word_of, now_)};
    }
    for (const uint32_t word : {first, first + row_bytes}) slot_[size_t(find(word))].held = false;
    lower.dirty = upper.dirty = false;
    lower.held = held[0];
    upper.held = held[1];
  }
}

// Of what was made, the lanes that do not run have what they had.
void Vectors::keep_others(const Value& made, uint32_t operand) {
  const Value before = in(operand);
  know_lanes();
  a.k(x86::k6).vpblendmd(made[0], before[0], made[0]);
  a.k(x86::k7).vpblendmd(made[1], before[1], made[1]);
}

void Vectors::done() {
  const bool any_nan = makes_floats_ && !masked_;  // else lanes may keep what is no float
  for (int i = 0; i < outputs_ && masked_; ++i) {
    const Value made = value(made_[size_t(i)]);
    for (size_t h = 0; h < 2 && makes_floats_; ++h) settle(made[h]);
    keep_others(made, becomes_[size_t(i)]);
  }
  for (int i = 0; i < outputs_; ++i) {
    const uint32_t operand = becomes_[size_t(i)];
    overwrites(operand, row_bytes);
    slot_[size_t(made_[size_t(i)])] = {operand, true, false, any_nan, uses_.next(operand, now_)};
  }
  outputs_ = 0;
  part_known_ = makes_floats_ = false;
  for (Slot& one : slot_) one.held = false;
}

void Vectors::reads(uint32_t operand, uint32_t bytes) {
  for (int i = 0; i < slots; ++i) {
    const Slot& one = slot_[size_t(i)];
    if (!one.dirty) continue;
    if (one.doubles != none ? overlaps(one.doubles, 2 * row_bytes, operand, bytes)
                            : overlaps(one.operand, row_bytes, operand, bytes))
      write(i);
  }
}

void Vectors::overwrites(uint32_t operand, uint32_t bytes) {
  for (int i = 0; i < slots; ++i) {
    Slot& one = slot_[size_t(i)];
    if (one.doubles != none && overlaps(one.doubles, 2 * row_bytes, operand, bytes)) {
      const bool whole = operand <= one.doubles && one.doubles + 2 * row_bytes <= operand + bytes;
      if (masked_ || !whole) write(i);
      one.doubles = none;
      one.dirty = false;
    }
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

void Vectors::write_back() {
  between_operations_ = true;
  for (int i = 0; i < slots; ++i) write(i);
  between_operations_ = false;
}

// Whether another slot has registers of this one, as words or joined.
bool Vectors::is_twice(int slot) const {
  const auto range = [&](int i) {
    const Slot& one = slot_[size_t(i)];
    return one.doubles != none ? std::pair(one.doubles, 2 * row_bytes)
                               : std::pair(one.operand, one.operand != none ? row_bytes : 0);
  };
  const auto [at, bytes] = range(slot);
  for (int i = 0; i < slots; ++i)
    if (const auto [other, other_bytes] = range(i);
        i != slot && other_bytes && overlaps(at, bytes, other, other_bytes))
      return true;
  return false;
}

// What is not in memory yet a way round writes there, from where the other of two may be read again: so of both it is
// a read, for the ways round before it.
Vectors::State Vectors::state() {
  for (int i = 0; i < slots; ++i)
    if (slot_[size_t(i)].dirty && is_twice(i)) events_.push_back({i, true});
  return {slot_, known_, nan_known_, some_, events_.size()};
}

bool Vectors::read_since(size_t event, int slot) const {
  for (size_t i = event; i < events_.size(); ++i)
    if (events_[i].slot == slot) return events_[i].reads;
  return false;
}

void Vectors::spill(const State& state) {
  const auto now = slot_;
  const bool nan_known = std::exchange(nan_known_, state.nan_known);
  slot_ = state.slot;
  const size_t events = events_.size();
  write_back();
  events_.resize(events);
  slot_ = now;
  nan_known_ = nan_known;
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
  for (int i = 0; i < slots; ++i)
    if (read_since(state.event, i)) fill(i, state.slot[size_t(i)]);
}

void Vectors::resume(const State& state) {
  slot_ = state.slot;
  nan_known_ = false;
  forget_lanes();
}

void Vectors::begin(Running which, Uses uses) {
  uses_ = std::move(uses);
  now_ = 0;
  round_ = {};
  some_ = which == Running::some;
  events_.clear();
  slot_ = {};
  makes_floats_ = nan_known_ = masked_ = guarded_ = false;
  forget_lanes();
  a.mov(table_register, uint64_t(reinterpret_cast<uintptr_t>(constants_.data())));
  if (which == Running::all) return;
  a.mov(running_lanes, x86::ptr_32(warp_register, offsetof(Warp, mask)));
}

}  // namespace headroom::sim::compiled
