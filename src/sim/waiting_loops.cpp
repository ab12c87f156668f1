// A loop waits for others if what it reads of memory that others write decides whether it goes on.
//
//   waits      SPIN: ld.acquire.gpu.u32 %r1, [%rd1]; setp.eq.u32 %p1, %r1, 0; @%p1 bra SPIN;
//   does not   LOOP: atom.global.add.u32 %r1, [%rd1], 1; …; setp.lt.u32 %p1, %i, %n; @%p1 bra LOOP;
//
// That is followed through the registers of the loop, whatever the order of its instructions, and
// through its branches: what is written on one side of one that depends on such a read depends on
// it too; so does what is read of shared or local memory to which such a read was written. Where the
// loop has a fence or sleeps, plain loads are taken for reads of what others write. Machine code does
// not tell a volatile load of shared memory from others: it is one where a compiler would have taken
// any other out of the loop.
#include "sim/waiting_loops.h"

#include <algorithm>

#include "sim/mbarrier_operations.h"

namespace headroom::sim {
namespace {

struct Summary {  // of a function and those it calls
  bool reads = false, reads_if_fenced = false, reads_of_blocks = false, changes = false,
       fences = false;
  bool operator==(const Summary&) const = default;
  bool take(const Summary& more) {  // true if it had not all of it
    const Summary before = *this;
    reads |= more.reads;
    reads_if_fenced |= more.reads_if_fenced;
    reads_of_blocks |= more.reads_of_blocks;
    changes |= more.changes;
    fences |= more.fences;
    return *this != before;
  }
};

class WaitingLoops {
 public:
  WaitingLoops(Program& program, const LoopCode& code)
      : program_(program), code_(code), basic_blocks_(code.basic_blocks()) {
    summarise();
  }

  void mark() {
    for (uint32_t f = 0; f < code_.functions.size(); ++f) {
      if (!summary_[f].reads_if_fenced || code_.functions[f].is_called) continue;
      begin_ = code_.functions[f].begin;
      end_ = code_.functions[f].end;
      find_edges();
      for (uint32_t r = begin_; r < end_; ++r) {
        for (uint32_t to : next_[r - begin_]) {
          if (to <= r) mark_loop(r, to);
        }
      }
    }
    if (program_.facts.waits) mark_far();
  }

 private:
  using Set = std::vector<bool>;  // by basic block of the function, or by register

  struct Placed {
    LoopStep step;
    uint32_t instruction, basic_block;
    uint32_t first = 0, last = 0;  // of its registers
  };
  struct Loop {
    std::vector<uint32_t> basic_blocks;
    std::vector<Placed> instructions;
    std::vector<LoopRegister> registers;
    Summary called;
    bool fenced = false, sleeps = false, changes = false, clocked = false, meets = false;
    bool reads = false, reads_of_blocks = false;  // where there is a fence
    bool tells = false;                           // something in it does
    const Placed* read = nullptr;                 // most likely what it waits for
  };

  template <class F>
  void each_instruction(uint32_t basic_block, F&& f) const {
    const uint32_t last = basic_blocks_[basic_block].instruction;
    const uint32_t first =
        basic_block == 0 ? 0 : std::min(last, basic_blocks_[basic_block - 1].instruction + 1);
    for (uint32_t n = first; n <= last && n < program_.instructions.size(); ++n)
      f(n, code_.step(n, basic_blocks_[basic_block]));
  }

  void mark_far() {
    for (uint32_t r = 0; r < program_.basic_blocks.size(); ++r)
      each_instruction(r, [&](uint32_t, const LoopStep& step) {
        program_.basic_blocks[r].fences |= step.fences;
        program_.basic_blocks[r].reads_far |= step.reads_if_fenced && !step.reads_alone;
      });
  }

  void summarise() {
    for (const LoopCode::Function& function : code_.functions) {
      Summary sum;
      for (uint32_t r = function.begin; r < function.end; ++r) {
        each_instruction(r, [&](uint32_t, const LoopStep& step) {
          sum.reads |= step.reads;
          sum.reads_if_fenced |= step.reads_if_fenced;
          sum.fences |= step.fences;
          sum.reads_of_blocks |= step.reads_if_fenced && !step.reads_alone;
          sum.changes |= step.changes;
        });
      }
      summary_.push_back(sum);
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (uint32_t f = 0; f < summary_.size(); ++f) {
        for (uint32_t r = code_.functions[f].begin; r < code_.functions[f].end; ++r) {
          for (const CallSite& site : basic_blocks_[r].callees)
            changed |= summary_[f].take(summary_[site.function]);
        }
      }
    }
  }

  void find_edges() {
    next_.assign(end_ - begin_, {});
    before_.assign(end_ - begin_, {});
    for (uint32_t r = begin_; r < end_; ++r) {
      const BasicBlock& basic_block = basic_blocks_[r];
      std::vector<uint32_t>& to = next_[r - begin_];
      const bool ends = basic_block.terminator == Terminator::ret ||
                        basic_block.terminator == Terminator::exit ||
                        basic_block.terminator == Terminator::trap;
      if (basic_block.terminator == Terminator::indexed) to = basic_block.targets;
      if (basic_block.terminator == Terminator::jump ||
          basic_block.terminator == Terminator::branch)
        to.push_back(basic_block.target);
      if (basic_block.terminator != Terminator::jump &&
          basic_block.terminator != Terminator::indexed &&
          (!ends || basic_block.predicate != no_operand) && basic_block.next < end_)
        to.push_back(basic_block.next);
      for (uint32_t n : to) before_[n - begin_].push_back(r);
    }
  }

  // The basic blocks on the ways from `head` to `latch`.
  std::vector<uint32_t> body(uint32_t latch, uint32_t head) const {
    auto walk = [&](uint32_t from, uint32_t stop, const auto& edges) {
      Set seen(end_ - begin_);
      std::vector<uint32_t> left = {from};
      seen[from - begin_] = true;
      while (!left.empty()) {
        const uint32_t n = left.back();
        left.pop_back();
        if (n == stop) continue;
        for (uint32_t to : edges[n - begin_]) {
          if (seen[to - begin_]) continue;
          seen[to - begin_] = true;
          left.push_back(to);
        }
      }
      return seen;
    };
    const Set forward = walk(head, no_operand, next_), backward = walk(latch, head, before_);
    std::vector<uint32_t> basic_blocks;
    if (!forward[latch - begin_]) return basic_blocks;  // only a way up in the text
    for (uint32_t n = 0; n < end_ - begin_; ++n) {
      if (forward[n] && backward[n]) basic_blocks.push_back(begin_ + n);
    }
    return basic_blocks;
  }

  Loop loop_of(uint32_t latch, uint32_t head) const {
    Loop loop;
    loop.basic_blocks = body(latch, head);
    for (uint32_t r : loop.basic_blocks) {
      each_instruction(r, [&](uint32_t n, const LoopStep& step) {
        loop.instructions.push_back({step, n, r});
        loop.fenced |= step.fences;
        loop.sleeps |= step.sleeps;
        loop.changes |= step.changes;
        loop.clocked |= step.reads_clock;
        loop.meets |= step.meets;
        loop.reads |= step.reads_if_fenced;
        loop.reads_of_blocks |= step.reads_if_fenced && !step.reads_alone;
      });
      for (const CallSite& site : basic_blocks_[r].callees)
        loop.called.take(summary_[site.function]);
    }
    loop.changes |= loop.called.changes;
    loop.tells = loop.called.reads_if_fenced;
    for (const Placed& at : loop.instructions)
      loop.tells |= at.step.reads || (loop.fenced && at.step.reads_if_fenced) ||
                    (at.step.reads_if_fixed && !loop.changes && !loop.meets);
    const auto rank = [](const LoopStep& step) {
      return step.reads_clock ? 0 : step.reads ? 2 : 1;
    };
    for (const Placed& at : loop.instructions) {
      if (at.step.reads_if_fenced && (!loop.read || rank(at.step) > rank(loop.read->step)))
        loop.read = &at;
    }
    return loop;
  }

  void find_registers(Loop& loop) const {
    for (Placed& at : loop.instructions) {
      at.first = uint32_t(loop.registers.size());
      code_.add_registers(at.instruction, loop.registers);
      at.last = uint32_t(loop.registers.size());
    }
    if (loop.changes || loop.meets) return;
    Set written(code_.registers(loop.basic_blocks.front()));
    for (const Placed& at : loop.instructions) add_written(loop, at, written);
    for (Placed& at : loop.instructions)
      at.step.reads |= at.step.reads_if_fixed && !reads_one(loop, at, written);
  }

  static bool reads_one(const Loop& loop, const Placed& at, const Set& of) {
    for (uint32_t n = at.first; n < at.last; ++n) {
      if (!loop.registers[n].written && of[size_t(loop.registers[n].reg)]) return true;
    }
    return false;
  }
  static bool add_written(const Loop& loop, const Placed& at, Set& to) {
    bool any = false;
    for (uint32_t n = at.first; n < at.last; ++n) {
      const auto& [reg, written] = loop.registers[n];
      if (!written || to[size_t(reg)]) continue;
      to[size_t(reg)] = any = true;
    }
    return any;
  }

  // A plain load in a function is one more each time, and may wait; without a fence most do not.
  static bool called_reads(const Loop& loop, bool of_others) {
    const bool ordered = loop.fenced || loop.called.fences;
    return !of_others || ordered ? loop.called.reads_if_fenced : loop.called.reads;
  }

  // It compares and swaps at places, or what, it makes anew each time round: who came between is not
  // waited for.
  bool tries_again(const Loop& loop) const {
    const Set varies = told_by(
        loop, [&](const Placed& at) { return at.step.reads_if_fenced || counts(loop, at); });
    return std::ranges::any_of(loop.instructions, [&](const Placed& at) {
      return at.step.swaps && reads_one(loop, at, varies);
    });
  }
  // i = i + 1
  static bool counts(const Loop& loop, const Placed& at) {
    for (uint32_t n = at.first; n < at.last; ++n)
      for (uint32_t m = at.first; m < at.last; ++m)
        if (loop.registers[n].written && !loop.registers[m].written &&
            loop.registers[n].reg == loop.registers[m].reg)
          return true;
    return false;
  }

  // Does a read of what others write decide whether the loop is left? `of_others`: surely one that they have to write first.
  bool decides(const Loop& loop, bool of_others) const {
    Set told(code_.registers(loop.basic_blocks.front())), inside(end_ - begin_),
        side(end_ - begin_);
    bool told_kept[4] = {};
    for (uint32_t r : loop.basic_blocks) inside[r - begin_] = true;
    for (bool changed = true; changed;) {
      changed = false;
      for (const Placed& at : loop.instructions) {
        const LoopStep& step = at.step;
        const bool tells = (loop.fenced ? step.reads_if_fenced : step.reads) ||
                           (called_reads(loop, of_others) && step.takes_result) ||
                           (step.loads && told_kept[size_t(step.kept)]) ||
                           reads_one(loop, at, told);
        bool& keeps = told_kept[size_t(step.kept)];
        if (tells && step.stores && step.kept != Kept::nowhere && !keeps) keeps = changed = true;
        if (tells && step.ends) return true;
        if (tells && step.branches) {
          for (uint32_t to : next_[at.basic_block - begin_]) {
            if (!inside[to - begin_]) return true;
            changed |=
                mark_side(to, basic_blocks_[at.basic_block].reconvergence_point, inside, side);
          }
        }
        if (tells || side[at.basic_block - begin_]) changed |= add_written(loop, at, told);
      }
    }
    return false;
  }

  // The basic blocks of the loop from here to where the sides of a branch meet.
  bool mark_side(uint32_t from, uint32_t reconvergence_point, const Set& inside, Set& side) const {
    bool any = false;
    std::vector<uint32_t> left = {from};
    while (!left.empty()) {
      const uint32_t n = left.back();
      left.pop_back();
      if (n == reconvergence_point || !inside[n - begin_] || side[n - begin_]) continue;
      side[n - begin_] = any = true;
      left.insert(left.end(), next_[n - begin_].begin(), next_[n - begin_].end());
    }
    return any;
  }

  void mark_loop(uint32_t latch, uint32_t head) {
    Loop loop = loop_of(latch, head);
    if (loop.basic_blocks.empty()) return;
    bool waits = loop.sleeps;
    if (loop.tells) {
      find_registers(loop);
      waits = waits || decides(loop, false);
    }
    const bool for_blocks = waits && (loop.reads_of_blocks || loop.called.reads_of_blocks);
    BasicBlock& back = program_.basic_blocks[latch];
    back.spins |= waits;
    back.changes |= loop.changes;
    back.waits_for_blocks |= for_blocks;
    program_.facts.ordered |= for_blocks;
    program_.facts.waits |=
        for_blocks && (loop.sleeps || (decides(loop, true) && !tries_again(loop)));
    for (const Placed& at : loop.instructions)
      if (waits && at.step.reads && at.step.reads_if_fixed)
        program_.polled.push_back(at.instruction);
    if (waits && loop.read) back.waits_on = operation_of(loop.read->instruction, loop.basic_blocks);
    if (!waits || !loop.clocked) return;
    const Set told = told_by_clocks(loop);
    if (!carries(told, loop))
      program_.clocked_loops.push_back({head, columns_of(loop.basic_blocks.front(), told)});
  }

  // By register, whether the loop makes it of what such instructions write.
  template <class Is>
  Set told_by(const Loop& loop, Is&& is) const {
    Set told(code_.registers(loop.basic_blocks.front()));
    for (bool changed = true; changed;) {
      changed = false;
      for (const Placed& at : loop.instructions) {
        if (is(at) || reads_one(loop, at, told)) changed |= add_written(loop, at, told);
      }
    }
    return told;
  }
  Set told_by_clocks(const Loop& loop) const {
    return told_by(loop, [](const Placed& at) { return at.step.reads_clock; });
  }

  // One of them goes on into the next round, as a count of ticks does: rounds that look the same
  // but for clocks may then differ in what ends the loop.
  static bool carries(const Set& told, const Loop& loop) {
    Set read_first(told.size()), written_first(told.size());
    for (const Placed& at : loop.instructions) {
      for (uint32_t n = at.first; n < at.last; ++n) {
        const auto& [reg, written] = loop.registers[n];
        if (!written && !written_first[size_t(reg)]) read_first[size_t(reg)] = true;
      }
      for (uint32_t n = at.first; n < at.last; ++n) {
        const auto& [reg, written] = loop.registers[n];
        if (written && !read_first[size_t(reg)]) written_first[size_t(reg)] = true;
      }
    }
    for (size_t reg = 0; reg < told.size(); ++reg)
      if (told[reg] && read_first[reg]) return true;
    return false;
  }

  // Where the loop keeps what it makes of clocks.
  std::vector<Columns> columns_of(uint32_t basic_block, const Set& told) const {
    std::vector<Columns> columns;
    for (size_t reg = 0; reg < told.size(); ++reg) {
      if (!told[reg]) continue;
      const std::vector<Columns> more = code_.columns(basic_block, int(reg));
      columns.insert(columns.end(), more.begin(), more.end());
    }
    return columns;
  }

  // The one of the instruction that reads.
  uint32_t operation_of(uint32_t instruction, const std::vector<uint32_t>& loop) const {
    uint32_t first = no_operand;
    for (uint32_t r : loop) {
      for (uint32_t s = basic_blocks_[r].first; s < basic_blocks_[r].last; ++s) {
        const Operation& operation = program_.operations[s];
        if (operation.instruction != instruction) continue;
        if (operation.accesses || tests_barrier(operation)) return s;
        first = std::min(first, s);
      }
    }
    return first;
  }

  Program& program_;
  const LoopCode& code_;
  const std::vector<BasicBlock>& basic_blocks_;
  std::vector<Summary> summary_;
  uint32_t begin_ = 0, end_ = 0;                      // basic blocks of the function at hand
  std::vector<std::vector<uint32_t>> next_, before_;  // of its basic blocks
};

}  // namespace

void mark_waiting_loops(Program& program, const LoopCode& code) {
  WaitingLoops(program, code).mark();
}

}  // namespace headroom::sim
