// Writes that reach one place by different ways become one web, until no more meet.
#include "sim/decode_sass/webs.h"

#include <algorithm>
#include <numeric>

namespace headroom::sim {
namespace {

constexpr uint32_t no_web = ~0u;

std::vector<std::vector<uint32_t>> ways(const std::vector<BasicBlock>& basic_blocks) {
  std::vector<std::vector<uint32_t>> next(basic_blocks.size());
  const auto add = [&](size_t from, uint32_t to) {
    if (to < basic_blocks.size()) next[from].push_back(to);
  };
  for (size_t n = 0; n < basic_blocks.size(); ++n) {
    const BasicBlock& here = basic_blocks[n];
    const bool ends = here.terminator == Terminator::ret || here.terminator == Terminator::exit ||
                      here.terminator == Terminator::trap;
    for (const uint32_t to : here.targets) add(n, to);
    if (here.terminator == Terminator::jump || here.terminator == Terminator::branch)
      add(n, here.target);
    if (here.terminator != Terminator::jump && here.terminator != Terminator::indexed &&
        (!ends || here.predicate != no_operand))
      add(n, here.next);
  }
  return next;
}

}  // namespace

uint32_t Webs::find(uint32_t web) {
  while (parent_[web] != web) web = parent_[web] = parent_[parent_[web]];
  return web;
}

bool Webs::join(uint32_t& one, uint32_t other) {
  other = find(other);
  if (one != no_web) one = find(one);
  if (one == other) return false;
  if (one != no_web) parent_[other] = one;
  if (one == no_web) one = other;
  return true;
}

// What a basic block makes of the webs at its beginning; f(nth of webs_, its web).
template <class F>
void Webs::pass(const std::vector<InstructionRegisters>& code, uint32_t first, uint32_t last,
                State& now, F&& f) {
  for (uint32_t i = first; i <= last; ++i) {
    const auto& registers = code[i].registers;
    for (size_t n = 0; n < registers.size(); ++n)
      if (!registers[n].written) f(first_[i] + n, now[size_t(registers[n].reg)]);
    for (size_t n = 0; n < registers.size(); ++n) {
      if (!registers[n].written) continue;
      uint32_t& held = now[size_t(registers[n].reg)];
      if (code[i].guarded && held != no_web)
        join(held, webs_[first_[i] + n]);
      else
        held = webs_[first_[i] + n];
      f(first_[i] + n, held);
    }
  }
}

Webs::Webs(const std::vector<BasicBlock>& basic_blocks,
           const std::vector<InstructionRegisters>& code, size_t registers) {
  // Web n is what register n holds at the beginning, then there is one for each register named.
  for (const InstructionRegisters& each : code) {
    first_.push_back(uint32_t(webs_.size()));
    for (const LoopRegister& named : each.registers) {
      webs_.push_back(uint32_t(registers + webs_.size()));
      register_.push_back(named.reg);
    }
  }
  parent_.resize(registers + webs_.size());
  std::iota(parent_.begin(), parent_.end(), 0);
  std::vector<int> at_beginning(registers);
  std::iota(at_beginning.begin(), at_beginning.end(), 0);
  register_.insert(register_.begin(), at_beginning.begin(), at_beginning.end());

  const auto next = ways(basic_blocks);
  const auto instructions_of = [&](size_t n) {
    return std::pair(n ? basic_blocks[n - 1].instruction + 1 : 0, basic_blocks[n].instruction);
  };
  std::vector<State> begin(basic_blocks.size(), State(registers, no_web));
  std::vector<bool> entered(basic_blocks.size());
  for (const auto& to : next)
    for (const uint32_t n : to) entered[n] = true;
  for (size_t n = 0; n < basic_blocks.size(); ++n)
    if (n == 0 || !entered[n]) std::iota(begin[n].begin(), begin[n].end(), 0);
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t n = 0; n < basic_blocks.size(); ++n) {
      const auto [first, last] = instructions_of(n);
      State now = begin[n];
      pass(code, first, last, now, [](size_t, uint32_t) {});
      for (const uint32_t to : next[n]) {
        for (size_t reg = 0; reg < registers; ++reg)
          if (now[reg] != no_web) changed |= join(begin[to][reg], now[reg]);
      }
    }
  }
  std::vector<uint32_t> found = webs_;
  for (size_t n = 0; n < basic_blocks.size(); ++n) {
    const auto [first, last] = instructions_of(n);
    pass(code, first, last, begin[n],
         [&](size_t at, uint32_t web) { found[at] = web == no_web ? found[at] : find(web); });
  }
  for (uint32_t& web : found) web = find(web);
  webs_ = std::move(found);
}

}  // namespace headroom::sim
