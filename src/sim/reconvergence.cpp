// The reconvergence point of a branch is its immediate post-dominator: the first basic block that
// all its lanes enter, whichever way they take.
//
//      A: branch           A meets at D: its lanes go through B or C, and all through D.
//     /        \           That B has "@p exit" does not count: nobody waits for lanes that ended.
//    B          C          If C ended the kernel by itself, A would have no such point: who comes
//     \        /           that way never meets the others.
//      D: …
//
// So a kernel's basic blocks are taken region by region, each with one end: those from which the
// last one before the kernel ends can be reached, then those from which only another such can, …,
// and loops that are only left by ending, whose lanes meet at their head. A device function has one
// end, its return. Post-dominators by Cooper, Harvey and Kennedy, "A Simple, Fast Dominance
// Algorithm".
#include "sim/reconvergence.h"

#include <algorithm>

namespace headroom::sim {
namespace {

using Nodes = std::vector<uint32_t>;
constexpr uint32_t none = ~0u;

class ReconvergencePoints {
 public:
  ReconvergencePoints(Program& program, uint32_t begin, uint32_t end, bool is_kernel)
      : basic_blocks_(program.basic_blocks),
        begin_(begin),
        size_(end - begin),
        is_kernel_(is_kernel),
        next_(size_),
        before_(size_),
        number_(size_ + 1, none),
        parent_(size_ + 1, none),
        done_(size_, false) {
    for (uint32_t n = 0; n < size_; ++n) {
      if (!vanishes(n)) next_[n] = successors(n);
      for (uint32_t to : next_[n]) {
        if (to == root()) returns_.push_back(n);
        if (to != root()) before_[to].push_back(n);
      }
    }
  }

  void find() {
    region(returns_, at_return);
    for (const bool trap : {false, true}) {
      for (uint32_t n = size_; n-- > 0;) {
        if (done_[n] || !next_[n].empty() ||
            (basic_block(n).terminator == Terminator::trap) != trap)
          continue;
        next_[n] = {root()};
        region({n}, no_operand);
      }
    }
    for (uint32_t head = 0; head < size_; ++head) {
      Nodes latches;
      for (uint32_t from : before_[head]) {
        if (from >= head && !done_[from]) latches.push_back(from);
      }
      if (done_[head]) continue;
      for (uint32_t latch : latches)
        std::replace(next_[latch].begin(), next_[latch].end(), head, root());
      region(latches, begin_ + head);
    }
  }

 private:
  uint32_t root() const { return size_; }
  BasicBlock& basic_block(uint32_t n) const { return basic_blocks_[begin_ + n]; }

  // Its lanes end and have nothing to do before.
  bool vanishes(uint32_t n) const {
    const BasicBlock& here = basic_block(n);
    const bool ends =
        here.terminator == Terminator::exit || (here.terminator == Terminator::ret && is_kernel_);
    return ends && here.predicate == no_operand && here.first == here.last;
  }

  Nodes successors(uint32_t n) const {
    const BasicBlock& here = basic_block(n);
    Nodes to;
    auto add = [&](uint32_t target) {
      if (target < begin_ || target >= begin_ + size_ || vanishes(target - begin_)) return;
      if (std::find(to.begin(), to.end(), target - begin_) == to.end())
        to.push_back(target - begin_);
    };
    switch (here.terminator) {
      case Terminator::jump: add(here.target); break;
      case Terminator::indexed:
        for (uint32_t target : here.targets) add(target);
        break;
      case Terminator::ret:
      case Terminator::exit:
        if (here.predicate != no_operand) add(here.next);
        if (here.terminator == Terminator::ret && !is_kernel_) to.push_back(root());
        break;
      case Terminator::trap: break;
      case Terminator::branch: add(here.target); [[fallthrough]];
      default: add(here.next);
    }
    return to;
  }

  uint32_t common(uint32_t a, uint32_t b) const {
    while (a != b) {
      while (number_[a] < number_[b]) a = parent_[a];
      while (number_[b] < number_[a]) b = parent_[b];
    }
    return a;
  }

  // The basic blocks from which the root can be reached, in an order in which one comes before
  // those that lead to it, but for loops.
  Nodes reaching(const Nodes& ends) {
    Nodes order;  // post-order of the reversed graph
    std::vector<std::pair<uint32_t, size_t>> path;
    auto enter = [&](uint32_t n) {
      if (done_[n]) return;
      done_[n] = true;
      path.push_back({n, 0});
    };
    for (uint32_t end : ends) {
      enter(end);
      while (!path.empty()) {
        auto& [n, edge] = path.back();
        if (edge < before_[n].size()) {
          enter(before_[n][edge++]);
        } else {
          number_[n] = uint32_t(order.size());
          order.push_back(n);
          path.pop_back();
        }
      }
    }
    number_[root()] = uint32_t(order.size());
    std::reverse(order.begin(), order.end());
    return order;
  }

  // Finds the reconvergence points of the basic blocks that lead to the root through `ends`; as a
  // reconvergence point the root is `reconvergence_point`.
  void region(const Nodes& ends, uint32_t reconvergence_point) {
    const Nodes order = reaching(ends);
    parent_[root()] = root();
    for (bool changed = true; changed;) {
      changed = false;
      for (uint32_t n : order) {
        uint32_t meet = none;
        for (uint32_t to : next_[n]) {
          if (parent_[to] != none) meet = meet == none ? to : common(meet, to);
        }
        changed |= meet != parent_[n];
        parent_[n] = meet;
      }
    }
    for (uint32_t n : order) {
      const auto here = [&](uint32_t to) { return number_[to] != none; };
      if (std::count_if(next_[n].begin(), next_[n].end(), here) < 2) continue;
      BasicBlock& branch = basic_block(n);
      branch.reconvergence_point = parent_[n] == root() ? reconvergence_point : begin_ + parent_[n];
      if (branch.reconvergence_point < begin_ + size_)
        basic_blocks_[branch.reconvergence_point].is_reconvergence_point = true;
    }
    for (uint32_t n : order) number_[n] = parent_[n] = none;
  }

  std::vector<BasicBlock>& basic_blocks_;
  const uint32_t begin_, size_;
  const bool is_kernel_;
  std::vector<Nodes> next_, before_;
  Nodes returns_;          // device function: basic blocks that return
  Nodes number_, parent_;  // of the region at hand: post-order, immediate post-dominator
  std::vector<bool> done_;
};

}  // namespace

void find_reconvergence_points(Program& program, uint32_t begin, uint32_t end, bool is_kernel) {
  ReconvergencePoints(program, begin, end, is_kernel).find();
  for (uint32_t r = begin; r < end; ++r) {  // lanes may come back from a function apart
    if (program.basic_blocks[r].terminator == Terminator::call)
      program.basic_blocks[program.basic_blocks[r].next].is_reconvergence_point = true;
  }
}

}  // namespace headroom::sim
