// The reconvergence point of a branch is its immediate post-dominator: the first basic block that
// all its lanes enter, whichever way they take.
//
//      A: branch           A meets at D: its lanes go through B or C, and all through D.
//     /        \           That B has "@p exit" does not count: nobody waits for lanes that ended.
//    B          C          If C ended the kernel by itself, A would have no such point: who comes
//     \        /           that way never meets the others.
//      D: …
//
// A kernel has several ends: basic blocks that end it and do something before, and loops that are
// left only by ending, as the last loop of most kernels. Its blocks are taken region by region, each
// with one end: those that lead to the main end, then those of the rest that lead to the next, …
// The header of a loop stands for its end: that is where its lanes meet. The main end is the one
// that joins most branches which may also lead elsewhere; of those, the one that most blocks lead
// to; the last.
//
//      A: branch           E1 stores and returns, E2 is the last loop. Both ways of A lead to E2,
//     /        \           one to E1: the main end is E2, and A meets at D. Lanes in E1 are gone.
//    B: branch  C
//    |  \      /           (So do convergence barriers on an H200: an early return is no reason to
//    E1  D: …              part, wherever the compiler puts its code.)
//        E2: loop
//
// A device function has one end before all others, its return. Post-dominators by Cooper, Harvey
// and Kennedy, "A Simple, Fast Dominance Algorithm".
#include "sim/reconvergence.h"

#include <algorithm>
#include <tuple>

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
    for (const End& end : ends()) {
      Nodes last;
      const bool loop = end.head != none;
      for (uint32_t n : end.blocks) {
        if (next_[n].empty()) next_[n] = {root()};
        if (loop) std::replace(next_[n].begin(), next_[n].end(), end.head, root());
        if (std::count(next_[n].begin(), next_[n].end(), root())) last.push_back(n);
      }
      region(last, loop ? begin_ + end.head : no_operand);
    }
  }

 private:
  using Set = std::vector<bool>;
  struct End {
    Nodes blocks;          // the last one, or those of a loop that is not left
    uint32_t head = none;  // … and where that is entered
    bool trap = false;
    Set leads;                     // blocks that lead there
    uint32_t joins = 0, size = 0;  // branches that may lead elsewhere; of `leads`
    auto rank() const { return std::tuple(!trap, joins, size, blocks.back()); }
  };
  static constexpr size_t max_compared = 256;  // ends; of more the last in the text comes first

  Set reach(const Nodes& from, const std::vector<Nodes>& edges) const {
    Set seen(size_);
    Nodes left = from;
    for (uint32_t n : from) seen[n] = true;
    while (!left.empty()) {
      const uint32_t n = left.back();
      left.pop_back();
      for (uint32_t to : edges[n]) {
        if (to == root() || seen[to]) continue;
        seen[to] = true;
        left.push_back(to);
      }
    }
    return seen;
  }

  // Of what does not return. The main one first.
  std::vector<End> ends() const {
    std::vector<End> all;
    Nodes blocks;
    for (uint32_t n = 0; n < size_; ++n) {
      if (done_[n] || !next_[n].empty()) continue;
      all.push_back({{n}, none, basic_block(n).terminator == Terminator::trap, {}});
      blocks.push_back(n);
    }
    Set led = reach(blocks, before_);
    for (uint32_t n = size_; n-- > 0;) {
      if (done_[n] || led[n]) continue;
      all.push_back(loop_behind(n));
      const Set more = reach(all.back().blocks, before_);
      for (uint32_t m = 0; m < size_; ++m) led[m] = led[m] || more[m];
    }
    if (all.size() <= max_compared) compare(all);
    std::sort(all.begin(), all.end(),
              [](const End& a, const End& b) { return a.rank() > b.rank(); });
    return all;
  }

  void compare(std::vector<End>& all) const {
    std::vector<uint32_t> leads_to(size_);  // so many ends
    for (End& end : all) {
      end.leads = reach(end.blocks, before_);
      for (uint32_t n = 0; n < size_; ++n) {
        end.size += end.leads[n];
        leads_to[n] += end.leads[n] && !end.trap;
      }
    }
    for (End& end : all) {
      const auto led = [&](uint32_t to) { return to != root() && end.leads[to]; };
      for (uint32_t n = 0; n < size_; ++n)
        end.joins += leads_to[n] > 1 && std::count_if(next_[n].begin(), next_[n].end(), led) > 1;
    }
  }

  // The last loop behind a block that leads to none that ends.
  End loop_behind(uint32_t n) const {
    for (;;) {
      const Set behind = reach({n}, next_), ahead = reach({n}, before_);
      End loop;
      uint32_t further = none;
      for (uint32_t m = 0; m < size_; ++m) {
        if (!behind[m]) continue;
        loop.blocks.push_back(m);
        if (!ahead[m]) further = m;
        const auto outside = [&](uint32_t from) { return !behind[from]; };
        const bool entered = m == 0 || std::any_of(before_[m].begin(), before_[m].end(), outside);
        if (loop.head == none && entered) loop.head = m;
      }
      if (loop.head == none) loop.head = loop.blocks.front();  // nobody comes there
      if (further == none) return loop;
      n = further;
    }
  }

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
