// The way of an access through compiled code: as before? its sums, its data; and the way round by its handler.
#include "sim/compiled/accesses.h"

#include <bit>
#include <cstddef>
#include <exception>
#include <utility>

#include "sim/access_sums.h"
#include "sim/compiled/emit.h"
#include "sim/compiled/meanings.h"
#include "sim/decoding.h"
#include "sim/engine.h"

namespace headroom::sim::compiled {
namespace {

constexpr uint32_t pair_bytes = 2 * 4 * lanes;
// No frame of compiled code may be unwound: what a handler throws waits until compiled code has ended.
thread_local std::exception_ptr thrown;
bool serve(Warp& warp, const Operation& operation) noexcept {
  try {
    operation.part(warp, operation);
    return false;
  } catch (...) {
    thrown = std::current_exception();
    return true;
  }
}
void throw_again() { std::rethrow_exception(std::exchange(thrown, nullptr)); }

template <class Function>
uint64_t address_of(Function* function) {
  return uint64_t(reinterpret_cast<uintptr_t>(function));
}

}  // namespace

bool Accesses::knows(const Operation& operation) {
  if (!operation.accesses || operation.use == Use::atomic || moved(operation).count == 0)
    return false;
  if (operation.site > (1u << 20)) return false;
  return (operation.place == Place::global && operation.wide) ||
         (operation.place == Place::shared && !operation.wide);
}

bool Accesses::is_join(const Operation& operation) {
  static const Row* const join = find_row("!join", 3);
  return operation.guard == no_operand ? operation.full == join->full
                                       : operation.inner == join->part;
}

void Accesses::begin() {
  a_.push(sums_register);
  a_.push(third_spare);
  a_.push(second_spare);
  a_.mov(sums_register, x86::ptr_64(warp_register, offsetof(Warp, accesses)));
  failed_ = a_.newLabel();
}

void Accesses::end() {
  a_.pop(second_spare);
  a_.pop(third_spare);
  a_.pop(sums_register);
}

void Accesses::start(const Operation& operation, uint32_t place, std::optional<Pair> address) {
  const bool some = v_.masked(), loads = operation.use == Use::load;
  Slow slow{operation, place, address, a_.newLabel(), a_.newLabel(), {}, {}};
  if (some) v_.know_lanes();
  const uint32_t at = operation.operand[address_operand];
  if (address) {
    slow.low = v_.in(address->low);
    slow.high = v_.in(address->high);
  } else if (operation.wide) {
    v_.reads(at, pair_bytes);
  } else {
    slow.low = v_.in(at);
  }
  data_.clear();
  for (size_t n = 0; n < moved(operation).count; ++n)
    data_.push_back(loads ? v_.out(operation.operand[n]) : v_.in(operation.operand[n]));
  if (loads) slow.loaded = data_;
  between_ = v_.between();
  slow.state = v_.state();
  slow_.push_back(slow);

  if (some && v_.guarded()) {
    a_.test(guarded_lanes, guarded_lanes);
    a_.jz(slow.back);
  }
  a_.mov(pattern_register, x86::ptr_64(sums_register, offsetof(AccessSums, patterns)));
  if (operation.site) a_.add(pattern_register, int32_t(operation.site * sizeof(AccessPattern)));
  a_.mov(place_register, x86::ptr_64(warp_register, offsetof(Warp, block)));
  a_.cmp(x86::ptr_32(place_register, offsetof(BlockState, traced)), 0);
  a_.jge(slow.entry);
  if (some)
    a_.cmp(lanes(), of_pattern(offsetof(AccessPattern, mask), 4));
  else
    a_.cmp(of_pattern(offsetof(AccessPattern, mask), 4), -1);
  a_.jne(slow.entry);
  a_.cmp(of_pattern(offsetof(AccessPattern, layout), 1), int(last_layout(operation)));
  a_.ja(slow.entry);

  if (address)
    compare_words(slow.low, &slow.high);
  else if (operation.wide)
    compare_wide(at);
  else
    compare_words(slow.low, nullptr);
  if (operation.wide && operation.offset == int32_t(operation.offset)) {
    if (operation.offset) a_.add(place_register, int32_t(operation.offset));
  } else if (operation.wide) {
    a_.mov(first_spare, operation.offset);
    a_.add(place_register, first_spare);
  } else {
    a_.add(place_register.r32(), int32_t(operation.offset));
  }
  if (operation.place == Place::global) {
    a_.mov(third_spare, x86::ptr_64(sums_register, offsetof(AccessSums, recent)));
    if (operation.site) a_.add(third_spare, int32_t(operation.site * sizeof(Memory::Block)));
  }
  const Subroutine part{operation.place, operation.use, operation.bytes};
  const auto [entry, added] = subroutines_.try_emplace(part);
  if (added) entry->second = a_.newLabel();
  a_.call(entry->second);
  a_.jc(slow.entry);
  sum_by_instruction(operation);
}

// Words of addresses, or their lower and upper halves: is every lane as far from the first as it was? The first
// one's address becomes that of the access.
void Accesses::compare_words(const Vectors::Value& low, const Vectors::Value* high) {
  const asmjit::Label& slow = slow_.back().entry;
  const bool some = v_.masked();
  const auto first_of = [&](const x86::Zmm& to, const Vectors::Value& from) {
    if (some)
      a_.vpermi2d(to, from[0], from[1]);
    else
      a_.vpbroadcastd(to, from[0].xmm());
  };
  if (some) {
    a_.tzcnt(place_register.r32(), lanes());
    a_.vpbroadcastd(between_[0], place_register.r32());
    if (high) a_.vmovdqa64(between_[1], between_[0]);
  }
  const auto compare = [&](const x86::KReg& to, size_t h, const x86::Zmm& one, const auto& other) {
    if (some) a_.k(h ? k7 : k6);
    a_.vpcmpud(to, one, other, 4);
  };
  first_of(between_[0], low);
  for (size_t h = 0; h < 2; ++h) {
    a_.vpsubd(scratch, low[h], between_[0]);
    compare(h ? k2 : k1, h, scratch, of_pattern(offsetof(AccessPattern, delta32) + 64 * h, 64));
  }
  a_.vmovd(place_register.r32(), between_[0].xmm());
  if (!high) {
    a_.kortestw(k1, k2);
    return void(a_.jnz(slow));
  }
  first_of(between_[1], *high);
  for (size_t h = 0; h < 2; ++h) compare(h ? k4 : k3, h, (*high)[h], between_[1]);
  a_.korw(k1, k1, k2);
  a_.korw(k3, k3, k4);
  a_.kortestw(k1, k3);
  a_.jnz(slow);
  // No lane lies beyond a multiple of 4 GiB: the lower halves tell all.
  a_.mov(first_spare, of_pattern(offsetof(AccessPattern, low), 8));
  a_.mov(second_spare, of_pattern(offsetof(AccessPattern, high), 8));
  a_.add(first_spare, place_register);
  a_.add(second_spare, place_register);
  a_.or_(first_spare, second_spare);
  a_.shr(first_spare, 32);
  a_.jnz(slow);
  a_.vmovd(third_spare.r32(), between_[1].xmm());
  a_.shl(third_spare, 32);
  a_.or_(place_register, third_spare);
}

// The same of addresses in memory, 8 bytes a lane.
void Accesses::compare_wide(uint32_t operand) {
  const bool some = v_.masked();
  if (some) {
    a_.tzcnt(place_register.r32(), lanes());
    a_.mov(place_register, x86::ptr(base_register, place_register, 3, int32_t(operand), 8));
  } else {
    a_.mov(place_register, v_.memory(operand, 0, 8));
  }
  a_.vpbroadcastq(between_[0], place_register);
  for (int part = 0; part < 4; ++part) {
    const x86::KReg& to = part ? k2 : k1;
    a_.vmovdqu64(scratch, v_.memory(operand, 64 * part, 64));
    a_.vpsubq(scratch, scratch, between_[0]);
    if (some) {
      a_.kshiftrd(k5, k6, uint8_t(8 * part));
      a_.k(k5);
    }
    a_.vpcmpuq(to, scratch, of_pattern(offsetof(AccessPattern, delta) + size_t(64 * part), 64), 4);
    if (part) a_.korb(k1, k1, k2);
  }
  a_.kortestb(k1, k1);
  a_.jnz(slow_.back().entry);
}

void Accesses::sum_by_instruction(const Operation& operation) {
  const asmjit::Label nobody = a_.newLabel();
  a_.mov(second_spare, x86::ptr_64(sums_register, offsetof(AccessSums, by_instruction)));
  a_.test(second_spare, second_spare);
  a_.jz(nobody);
  const auto sum = [&](size_t member) {
    return x86::ptr_64(second_spare,
                       int32_t(operation.instruction * sizeof(InstructionCounts) + member));
  };
  const auto add = [&](size_t member, size_t from) {
    a_.movzx(first_spare.r32(), of_pattern(from, 2));
    a_.add(sum(member), first_spare);
  };
  if (operation.place == Place::global) {
    a_.inc(sum(offsetof(InstructionCounts, requests)));
    add(offsetof(InstructionCounts, sectors), offsetof(AccessPattern, sectors));
  } else {
    a_.inc(sum(offsetof(InstructionCounts, shared_requests)));
    add(offsetof(InstructionCounts, wavefronts), offsetof(AccessPattern, wavefronts));
    add(offsetof(InstructionCounts, conflicts), offsetof(AccessPattern, conflicts));
  }
  a_.bind(nobody);
}

void Accesses::finish() {
  a_.bind(slow_.back().back);
  v_.done();
}

void Accesses::write_slow_paths() {
  if (slow_.empty()) return;
  for (Slow& slow : slow_) {
    const Operation& operation = slow.operation;
    a_.bind(slow.entry);
    v_.spill(slow.state);
    if (slow.address)
      for (size_t part = 0; part < 4; ++part) {
        a_.vmovdqu64(scratch, v_.table(part % 2 ? woven_high : woven_low));
        a_.vpermi2d(scratch, slow.low[part / 2], slow.high[part / 2]);
        a_.vmovdqu64(v_.memory(operation.operand[address_operand], int(64 * part), 64), scratch);
      }
    const std::array<x86::Gp, 3> kept = {warp_register, operation_register, guarded_lanes.r64()};
    for (const x86::Gp& each : kept) a_.push(each);
    a_.sub(x86::rsp, 8);
    if (slow.place) a_.add(operation_register, int32_t(slow.place * sizeof(Operation)));
    a_.vzeroupper();
    a_.mov(first_spare, address_of(&serve));
    a_.call(first_spare);
    a_.add(x86::rsp, 8);
    for (auto each = kept.rbegin(); each != kept.rend(); ++each) a_.pop(*each);
    a_.test(x86::al, x86::al);
    a_.jnz(failed_);
    v_.reload(slow.state);
    for (size_t n = 0; n < slow.loaded.size(); ++n)
      for (size_t h = 0; h < 2; ++h)
        a_.vmovdqu64(slow.loaded[n][h], v_.memory(operation.operand[n], int(64 * h), 64));
    a_.jmp(slow.back);
  }
  slow_.clear();
  a_.bind(failed_);
  end();
  a_.vzeroupper();
  a_.mov(first_spare, address_of(&throw_again));
  a_.jmp(first_spare);
}

void Accesses::write_subroutines() {
  for (const auto& [part, entry] : subroutines_) {
    a_.align(asmjit::AlignMode::kCode, 16);
    a_.bind(entry);
    write(part);
  }
}

// place_register: the first lane's address. Carry: its handler is needed.
void Accesses::write(const Subroutine& part) {
  const asmjit::Label fails = a_.newLabel(), done = a_.newLabel();
  const bool global = part.place == Place::global, loads = part.use == Use::load;
  a_.test(place_register.r32(), part.bytes - 1);
  a_.jnz(fails);
  // All lanes inside, as legal() of lanes/access.h has it.
  a_.mov(first_spare, of_pattern(offsetof(AccessPattern, low), 8));
  a_.mov(second_spare, of_pattern(offsetof(AccessPattern, high), 8));
  a_.add(first_spare, place_register);
  a_.add(second_spare, place_register);
  if (global) {
    a_.cmp(first_spare, x86::ptr_64(third_spare, offsetof(Memory::Block, begin)));
    a_.jb(fails);
  }
  a_.cmp(second_spare, first_spare);
  a_.jb(fails);
  a_.mov(first_spare, global ? x86::ptr_64(third_spare, offsetof(Memory::Block, end))
                             : x86::ptr_64(sums_register, offsetof(AccessSums, shared_bytes)));
  a_.sub(first_spare, second_spare);
  a_.jbe(fails);
  a_.cmp(first_spare, part.bytes);
  a_.jb(fails);
  if (global || part.bytes < 4) {  // … and where the first lane lies in its sector, or word
    a_.mov(first_spare.r32(), place_register.r32());
    a_.xor_(first_spare.r32(), of_pattern(offsetof(AccessPattern, phase), 4));
    a_.and_(first_spare.r32(), of_pattern(offsetof(AccessPattern, phase_mask), 4));
    if (!global) a_.and_(first_spare.r32(), 3);
    a_.jnz(fails);
  }
  if (global) mark(part, fails);

  a_.mov(second_spare, x86::ptr_64(sums_register, global ? offsetof(AccessSums, sectors)
                                                         : offsetof(AccessSums, conflicts)));
  a_.test(second_spare, second_spare);
  a_.jz(done);
  const auto sum = [](size_t member) { return x86::ptr_64(second_spare, int32_t(member)); };
  const auto add = [&](size_t member, size_t from) {
    a_.movzx(first_spare.r32(), of_pattern(from, 2));
    a_.add(sum(member), first_spare);
  };
  if (global) {
    a_.inc(sum(loads ? offsetof(Counters, global_load_requests)
                     : offsetof(Counters, global_store_requests)));
    add(loads ? offsetof(Counters, global_load_sectors) : offsetof(Counters, global_store_sectors),
        offsetof(AccessPattern, sectors));
    a_.popcnt(first_spare.r32(), of_pattern(offsetof(AccessPattern, mask), 4));
    a_.shl(first_spare, std::countr_zero(part.bytes));
    a_.add(
        sum(loads ? offsetof(Counters, global_load_bytes) : offsetof(Counters, global_store_bytes)),
        first_spare);
  } else {
    a_.inc(sum(loads ? offsetof(Counters, shared_load_instructions)
                     : offsetof(Counters, shared_store_instructions)));
    add(loads ? offsetof(Counters, shared_load_wavefronts)
              : offsetof(Counters, shared_store_wavefronts),
        offsetof(AccessPattern, wavefronts));
    add(loads ? offsetof(Counters, shared_load_conflicts)
              : offsetof(Counters, shared_store_conflicts),
        offsetof(AccessPattern, conflicts));
  }
  a_.bind(done);
  a_.clc();
  a_.ret();
  a_.bind(fails);
  a_.stc();
  a_.ret();
}

// The sectors are those of last time, and noted as Footprint::add does, on pages that were touched.
void Accesses::mark(const Subroutine& part, const asmjit::Label& fails) {
  const asmjit::Label marked = a_.newLabel(), noted = a_.newLabel(), each = a_.newLabel(),
                      another = a_.newLabel(), outside = a_.newLabel(), over = a_.newLabel();
  const size_t marks =
      part.use == Use::load ? offsetof(AccessSums, loaded) : offsetof(AccessSums, stored);
  const auto of_marks = [&](size_t member) {
    return x86::ptr_64(sums_register, int32_t(marks + member));
  };
  const x86::Gp sector = first_spare;
  a_.mov(sector, place_register);
  a_.sub(sector, x86::ptr_64(sums_register, offsetof(AccessSums, memory_base)));
  a_.shr(sector, 5);
  a_.cmp(sector, of_pattern(offsetof(AccessPattern, marked), 8));
  a_.jz(marked);
  a_.cmp(of_marks(offsetof(Footprint::Marks, bits)), 0);
  a_.jz(marked);

  const x86::Gp one = x86::rax, bits = x86::rsi, touched = x86::r8, word = x86::r9, page = x86::r10,
                ones = third_spare, count = second_spare;
  const std::array kept = {one, bits, touched, word, page};
  for (const x86::Gp& each_kept : kept) a_.push(each_kept);
  a_.mov(bits, of_marks(offsetof(Footprint::Marks, bits)));
  a_.mov(touched, of_marks(offsetof(Footprint::Marks, touched)));
  a_.movzx(count.r32(), of_pattern(offsetof(AccessPattern, sectors), 2));
  const auto check_page = [&] {
    a_.mov(page, word);
    a_.shr(page, 9);
    a_.cmp(x86::ptr(touched, page, 0, 0, 1), 0);
    a_.jz(outside);
  };
  const auto find_word = [&] {
    a_.mov(word, one);
    a_.shr(word, 6);
    a_.cmp(word, of_marks(offsetof(Footprint::Marks, words)));
    a_.jae(outside);
    check_page();
  };
  const x86::Mem here = x86::ptr(bits, word, 3, 0, 8);
  a_.cmp(of_pattern(offsetof(AccessPattern, consecutive), 1), 0);
  a_.jz(each);
  a_.mov(one, of_pattern(offsetof(AccessPattern, sector), 8));
  a_.add(one, sector);
  find_word();
  a_.xor_(ones.r32(), ones.r32());
  a_.bts(ones, count);
  a_.dec(ones);
  a_.and_(one.r32(), 63);
  a_.shlx(page, ones, one);
  a_.or_(here, page);
  a_.add(count, one);
  a_.cmp(count, 64);
  a_.jbe(noted);
  a_.inc(word);
  a_.cmp(word, of_marks(offsetof(Footprint::Marks, words)));
  a_.jae(noted);
  check_page();
  a_.neg(one);
  a_.shrx(page, ones, one);
  a_.or_(here, page);
  a_.jmp(noted);

  a_.bind(each);
  const x86::Gp &next = ones, &last = count;
  a_.lea(next, of_pattern(offsetof(AccessPattern, sector), 8));
  a_.lea(last, x86::ptr(next, count, 3));
  a_.bind(another);
  a_.mov(one, x86::ptr_64(next));
  a_.add(one, sector);
  find_word();
  a_.xor_(page.r32(), page.r32());
  a_.bts(page, one);
  a_.or_(here, page);
  a_.add(next, 8);
  a_.cmp(next, last);
  a_.jb(another);

  a_.bind(noted);
  a_.mov(of_pattern(offsetof(AccessPattern, marked), 8), sector);
  const auto restore = [&] {
    for (auto each_kept = kept.rbegin(); each_kept != kept.rend(); ++each_kept) a_.pop(*each_kept);
  };
  restore();
  a_.jmp(over);
  a_.bind(outside);
  restore();
  a_.jmp(fails);
  a_.bind(over);
  a_.bind(marked);
}

}  // namespace headroom::sim::compiled
