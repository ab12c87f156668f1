#include "sim/compiled/flow.h"

#include <cstddef>

#include "sim/access_sums.h"

namespace headroom::sim::compiled {
namespace {

x86::Mem of_warp(size_t member, uint32_t bytes) {
  return x86::Mem(warp_register, int32_t(member), bytes);
}

}  // namespace

Flow::Flow(x86::Assembler& a, const std::vector<BasicBlock>& basic_blocks)
    : a_(a), basic_blocks_(basic_blocks), entry_(basic_blocks.size()) {}

// A loop that waits, a store that others may have to precede: run_warp looks who runs next.
bool Flow::ends_here(const BasicBlock& block) const {
  const bool falls = block.terminator == Terminator::fall_through;
  return block.spins || block.waits_for_blocks || (falls && block.ends_turn);
}

bool Flow::goes_on(uint32_t basic_block) const {
  const BasicBlock& block = basic_blocks_[basic_block];
  if (ends_here(block)) return false;
  switch (block.terminator) {
    case Terminator::fall_through: return is_entered(block.next);
    case Terminator::jump: return is_entered(block.target);
    case Terminator::branch: return is_entered(block.target) || is_entered(block.next);
    default: return false;
  }
}

void Flow::count_entered(uint32_t basic_block) {
  const BasicBlock& block = basic_blocks_[basic_block];
  const int32_t counter = int32_t(sizeof(uint64_t) * basic_block);
  a_.mov(of_warp(offsetof(Warp, chained), 4), basic_block);
  a_.inc(of_warp(offsetof(Warp, basic_blocks_entered), 8));
  if (block.profile.instructions)
    a_.add(of_warp(offsetof(Warp, instructions), 8), block.profile.instructions);
  a_.mov(x86::rdx, of_warp(offsetof(Warp, accesses), 8));
  a_.mov(x86::rcx, x86::ptr_64(x86::rdx, offsetof(AccessSums, entries)));
  a_.inc(x86::ptr_64(x86::rcx, counter));
  a_.mov(x86::rcx, x86::ptr_64(x86::rdx, offsetof(AccessSums, lanes_entered)));
  a_.add(x86::ptr_64(x86::rcx, counter), lanes);
}

void Flow::count_taken(uint32_t basic_block) {
  const asmjit::Label told = a_.newLabel();
  a_.mov(x86::rdx, of_warp(offsetof(Warp, accesses), 8));
  a_.mov(x86::rcx, x86::ptr_64(x86::rdx, offsetof(AccessSums, taken)));
  a_.test(x86::rcx, x86::rcx);
  a_.jz(told);
  a_.add(x86::ptr_64(x86::rcx, int32_t(sizeof(uint64_t) * basic_blocks_[basic_block].instruction)),
         lanes);
  a_.bind(told);
}

void Flow::enter(uint32_t basic_block, uint32_t at) {
  const BasicBlock& block = basic_blocks_[basic_block];
  count_entered(basic_block);
  if (block.first != at)
    a_.add(operation_register, (int32_t(block.first) - int32_t(at)) * int32_t(sizeof(Operation)));
  if (entry_[basic_block].isValid())
    a_.jmp(entry_[basic_block]);
  else
    a_.jmp(x86::ptr_64(operation_register, offsetof(Operation, full)));
}

void Flow::write_empty() {
  const auto is_empty = [](const BasicBlock& each) { return each.first == each.last; };
  for (uint32_t b = 0; b < basic_blocks_.size(); ++b)
    if (is_empty(basic_blocks_[b])) entry_[b] = a_.newLabel();
  for (uint32_t b = 0; b < basic_blocks_.size(); ++b) {
    if (!is_empty(basic_blocks_[b])) continue;
    a_.bind(entry_[b]);
    if (goes_on(b))
      write(b, basic_blocks_[b].first);
    else
      leave();
  }
}

void Flow::leave() {
  a_.vzeroupper();
  a_.ret();
}

void Flow::write(uint32_t basic_block, uint32_t at) {
  const BasicBlock& block = basic_blocks_[basic_block];
  const asmjit::Label left = a_.newLabel();
  a_.cmp(of_warp(offsetof(Warp, chains), 1), 0);
  a_.jz(left);
  if (block.back_edge) {
    a_.mov(x86::rdx, of_warp(offsetof(Warp, look), 8));
    a_.cmp(of_warp(offsetof(Warp, basic_blocks_entered), 8), x86::rdx);
    a_.jae(left);
    if (block.changes) a_.mov(of_warp(offsetof(Warp, unstable), 1), 1);
  }
  if (block.terminator == Terminator::fall_through) {
    enter(block.next, at);
  } else if (block.terminator == Terminator::jump) {
    enter(block.target, at);
  } else {
    const asmjit::Label taken = is_entered(block.target) ? a_.newLabel() : left;
    if (block.predicate == no_operand) {
      a_.jmp(taken);
    } else {
      a_.mov(x86::rdx, of_warp(offsetof(Warp, base), 8));
      a_.mov(x86::edx, x86::ptr_32(x86::rdx, int32_t(block.predicate)));
      if (block.negated) a_.not_(x86::edx);
      a_.cmp(x86::edx, -1);
      a_.jz(taken);
      a_.test(x86::edx, x86::edx);
      a_.jnz(left);
      if (is_entered(block.next))
        enter(block.next, at);
      else
        a_.jmp(left);
    }
    if (is_entered(block.target)) {
      a_.bind(taken);
      count_taken(basic_block);
      enter(block.target, at);
    }
  }
  a_.bind(left);
  leave();
}

bool Flow::is_loop(uint32_t basic_block, uint32_t first) const {
  const BasicBlock& block = basic_blocks_[basic_block];
  return block.first == first && block.terminator == Terminator::branch &&
         block.predicate != no_operand && block.target == basic_block &&
         block.next != basic_block && block.back_edge && is_entered(basic_block) &&
         !ends_here(block);
}

void Flow::unless_again(uint32_t basic_block, const asmjit::Label& otherwise) {
  const BasicBlock& block = basic_blocks_[basic_block];
  a_.cmp(x86::ptr_32(base_register, int32_t(block.predicate)), block.negated ? 0 : -1);
  a_.jne(otherwise);
  a_.cmp(of_warp(offsetof(Warp, chains), 1), 0);
  a_.jz(otherwise);
  a_.mov(x86::rdx, of_warp(offsetof(Warp, look), 8));
  a_.cmp(of_warp(offsetof(Warp, basic_blocks_entered), 8), x86::rdx);
  a_.jae(otherwise);
}

void Flow::count_again(uint32_t basic_block) {
  if (basic_blocks_[basic_block].changes) a_.mov(of_warp(offsetof(Warp, unstable), 1), 1);
  count_taken(basic_block);
  count_entered(basic_block);
}

}  // namespace headroom::sim::compiled
