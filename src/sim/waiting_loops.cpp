// A loop waits for others if what it reads of memory that others write decides whether it goes on.
//
//   waits      SPIN: ld.acquire.gpu.u32 %r1, [%rd1]; setp.eq.u32 %p1, %r1, 0; @%p1 bra SPIN;
//   does not   LOOP: atom.global.add.u32 %r1, [%rd1], 1; …; setp.lt.u32 %p1, %i, %n; @%p1 bra LOOP;
//
// That is followed through the registers of the loop, whatever the order of its instructions, and
// through its branches: what is written on one side of one that depends on such a read depends on
// it too; so does what is read of shared or local memory to which such a read was written. Where the
// loop has a fence or sleeps, plain loads are taken for reads of what others write.
#include "sim/waiting_loops.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "sim/engine.h"
#include "sim/register_allocation.h"

namespace headroom::sim {
namespace {

using ptx::Instruction;
using ptx::Operand;

bool is(std::string_view opcode, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), opcode) != names.end();
}

bool tests_barrier(const Instruction& i) {
  return i.opcode == "mbarrier" && (i.has(".test_wait") || i.has(".try_wait"));
}

bool reads_clock(const Instruction& i) {
  return std::any_of(i.operands.begin(), i.operands.end(), [](const Operand& operand) {
    return operand.kind == Operand::Kind::special &&
           (operand.name.starts_with("%clock") || operand.name.starts_with("%globaltimer"));
  });
}

bool ordered_read(const Instruction& i, bool fenced) {
  if (i.opcode == "atom" || tests_barrier(i) || reads_clock(i)) return true;
  if (i.opcode != "ld") return false;
  for (const char* at_its_source : {".volatile", ".relaxed", ".acquire", ".mmio", ".cv", ".cg"})
    if (i.has(at_its_source)) return true;
  return fenced && !i.has(".param") && !i.has(".const") && !i.has(".local") && !i.has(".nc");
}

bool fences(const Instruction& i) { return is(i.opcode, {"membar", "fence", "nanosleep"}); }

// May change what others, or the loop itself, read of memory. Atomics are watched as they happen.
bool changes_memory(const Instruction& i) {
  if (written_operands(i) > 0) return i.opcode == "mbarrier" && !tests_barrier(i);
  if (i.opcode == "st") return !i.has(".param");
  return !is(i.opcode, {"bra", "brx", "call", "ret", "exit", "trap", "membar", "fence", "nanosleep",
                        "prefetch", "prefetchu", "pmevent", "bar", "barrier"});
}

// Seen by no other block, or only by those of its cluster, which one host thread runs.
bool of_block_alone(const Instruction& i) {
  return i.has(".shared") || i.has(".shared::cta") || i.has(".shared::cluster") ||
         i.opcode == "mbarrier" || reads_clock(i);
}

// What a thread keeps where the compiler gave it no register, or reads for its block.
enum class Kept : uint8_t { nowhere, shared, local, generic };
Kept kept(const Instruction& i) {
  if (i.has(".shared") || i.has(".shared::cta")) return Kept::shared;
  if (i.has(".local")) return Kept::local;
  const bool elsewhere =
      i.has(".global") || i.has(".param") || i.has(".const") || i.has(".shared::cluster");
  return elsewhere ? Kept::nowhere : Kept::generic;
}

// Calls f(register, written) for every register of an instruction.
template <class F>
void each_register_of(const Instruction& i, F&& f) {
  auto visit = [&](auto&& self, const Operand& operand, bool written) -> void {
    if (operand.kind == Operand::Kind::address) written = false;
    if (operand.reg >= 0) f(operand.reg, written);
    for (const Operand& item : operand.items) self(self, item, written);
  };
  const int outs = written_operands(i);
  for (size_t n = 0; n < i.operands.size(); ++n) visit(visit, i.operands[n], int(n) < outs);
  if (i.guard.reg >= 0) f(i.guard.reg, false);
}

struct Summary {  // of a function and those it calls
  bool reads = false, reads_global = false, changes = false;
};

class WaitingLoops {
 public:
  explicit WaitingLoops(Program& program) : program_(program), basic_blocks_(program.basic_blocks) {
    summarise();
  }

  void mark() {
    for (uint32_t f = 0; f < program_.functions.size(); ++f) {
      if (!summary_[f].reads) continue;
      begin_ = program_.functions[f].entry;
      end_ = end_of(f);
      find_edges();
      for (uint32_t r = begin_; r < end_; ++r) {
        for (uint32_t to : next_[r - begin_]) {
          if (to <= r) mark_loop(r, to);
        }
      }
    }
  }

 private:
  uint32_t end_of(uint32_t f) const {
    return f + 1 < program_.functions.size() ? program_.functions[f + 1].entry
                                             : uint32_t(basic_blocks_.size());
  }

  template <class F>
  void each_instruction(uint32_t basic_block, F&& f) const {
    const uint32_t last = basic_blocks_[basic_block].instruction;
    const uint32_t first =
        basic_block == 0 ? 0 : std::min(last, basic_blocks_[basic_block - 1].instruction + 1);
    for (uint32_t n = first; n <= last && n < program_.instructions.size(); ++n) {
      const InstructionAt at = program_.instructions[n];
      f(at.function->body[at.index]);
    }
  }

  void summarise() {
    summary_.resize(program_.functions.size());
    for (uint32_t f = 0; f < summary_.size(); ++f) {
      for (uint32_t r = program_.functions[f].entry; r < end_of(f); ++r) {
        each_instruction(r, [&](const Instruction& i) {
          // A plain load may be made an ordered one by a fence outside the function.
          const bool reads = ordered_read(i, true);
          summary_[f].reads |= reads;
          summary_[f].reads_global |= reads && !of_block_alone(i);
          summary_[f].changes |= changes_memory(i) || is_system_call(i, r);
        });
      }
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (uint32_t f = 0; f < summary_.size(); ++f) {
        Summary sum = summary_[f];
        for (uint32_t r = program_.functions[f].entry; r < end_of(f); ++r) {
          for (const CallSite& site : basic_blocks_[r].callees) {
            const Summary& callee = summary_[site.function];
            sum.reads |= callee.reads;
            sum.reads_global |= callee.reads_global;
            sum.changes |= callee.changes;
          }
        }
        changed |= sum.reads != summary_[f].reads || sum.changes != summary_[f].changes ||
                   sum.reads_global != summary_[f].reads_global;
        summary_[f] = sum;
      }
    }
  }

  bool is_system_call(const Instruction& i, uint32_t basic_block) const {
    return i.opcode == "call" && basic_blocks_[basic_block].terminator != Terminator::call &&
           basic_blocks_[basic_block].terminator != Terminator::branch;
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
      std::vector<bool> seen(end_ - begin_);
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
    const std::vector<bool> forward = walk(head, no_operand, next_),
                            backward = walk(latch, head, before_);
    std::vector<uint32_t> basic_blocks;
    if (!forward[latch - begin_]) return basic_blocks;  // only a way up in the text
    for (uint32_t n = 0; n < end_ - begin_; ++n) {
      if (forward[n] && backward[n]) basic_blocks.push_back(begin_ + n);
    }
    return basic_blocks;
  }

  struct Placed {
    const Instruction* instruction;
    uint32_t basic_block;
  };

  // Does a read of what others write decide whether the loop is left?
  bool decides(const std::vector<uint32_t>& loop, const std::vector<Placed>& instructions,
               bool fenced, bool calls_read) const {
    const ptx::Function& function =
        *program_.instructions[basic_blocks_[loop.front()].instruction].function;
    std::vector<bool> told(function.registers.size()), inside(end_ - begin_), side(end_ - begin_);
    bool told_kept[4] = {};
    for (uint32_t r : loop) inside[r - begin_] = true;
    for (bool changed = true; changed;) {
      changed = false;
      for (const auto& [i, basic_block] : instructions) {
        bool tells = ordered_read(*i, fenced) ||
                     (calls_read && i->opcode == "ld" && i->has(".param")) ||
                     (i->opcode == "ld" && told_kept[size_t(kept(*i))]);
        each_register_of(*i,
                         [&](int reg, bool written) { tells |= !written && told[size_t(reg)]; });
        bool& keeps = told_kept[size_t(kept(*i))];
        if (tells && i->opcode == "st" && kept(*i) != Kept::nowhere && !keeps)
          keeps = changed = true;
        if (tells && is(i->opcode, {"ret", "exit"})) return true;
        if (tells && is(i->opcode, {"bra", "brx"})) {
          for (uint32_t to : next_[basic_block - begin_]) {
            if (!inside[to - begin_]) return true;
            changed |= mark_side(to, basic_blocks_[basic_block].reconvergence_point, inside, side);
          }
        }
        if (!tells && !side[basic_block - begin_]) continue;
        each_register_of(*i, [&](int reg, bool written) {
          if (!written || told[size_t(reg)]) return;
          told[size_t(reg)] = changed = true;
        });
      }
    }
    return false;
  }

  // The basic blocks of the loop from here to where the sides of a branch meet.
  bool mark_side(uint32_t from, uint32_t reconvergence_point, const std::vector<bool>& inside,
                 std::vector<bool>& side) const {
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
    const std::vector<uint32_t> loop = body(latch, head);
    bool fenced = false, sleeps = false, changes = false, global = false, clocked = false;
    Summary called;
    std::vector<Placed> instructions;
    const Instruction* read = nullptr;
    for (uint32_t r : loop) {
      each_instruction(r, [&](const Instruction& i) {
        instructions.push_back({&i, r});
        fenced |= fences(i);
        sleeps |= i.opcode == "nanosleep";
        changes |= changes_memory(i) || is_system_call(i, r);
        if (!ordered_read(i, true)) return;
        global |= !of_block_alone(i);
        clocked |= reads_clock(i);
        const auto rank = [](const Instruction& each) {
          return reads_clock(each) ? 0 : ordered_read(each, false) ? 2 : 1;
        };
        if (!read || rank(i) > rank(*read)) read = &i;
      });
      for (const CallSite& site : basic_blocks_[r].callees) {
        called.reads |= summary_[site.function].reads;
        called.reads_global |= summary_[site.function].reads_global;
        changes |= summary_[site.function].changes;
      }
    }
    if (loop.empty()) return;
    const bool waits = sleeps || decides(loop, instructions, fenced, called.reads);
    BasicBlock& back = basic_blocks_[latch];
    back.spins |= waits;
    back.changes |= changes;
    back.waits_for_blocks |= waits && (global || called.reads_global);
    if (waits && clocked) {
      const std::vector<bool> told = told_by_clocks(loop, instructions);
      if (!carries(told, instructions))
        program_.clocked_loops.push_back({head, columns_of(loop, told)});
    }
    if (waits && read) back.waits_on = operation_of(loop, *read);
    program_.facts.ordered |= waits && (global || called.reads_global);
  }

  const ptx::Function* source_of(const std::vector<uint32_t>& loop) const {
    return program_.instructions[basic_blocks_[loop.front()].instruction].function;
  }

  // By register, whether the loop makes it of a clock.
  std::vector<bool> told_by_clocks(const std::vector<uint32_t>& loop,
                                   const std::vector<Placed>& instructions) const {
    std::vector<bool> told(source_of(loop)->registers.size());
    for (bool changed = true; changed;) {
      changed = false;
      for (const Placed& at : instructions) {
        bool tells = reads_clock(*at.instruction);
        each_register_of(*at.instruction,
                         [&](int reg, bool written) { tells |= !written && told[size_t(reg)]; });
        if (!tells) continue;
        each_register_of(*at.instruction, [&](int reg, bool written) {
          if (!written || told[size_t(reg)]) return;
          told[size_t(reg)] = changed = true;
        });
      }
    }
    return told;
  }

  // One of them goes on into the next round, as a count of ticks does: rounds that look the same
  // but for clocks may then differ in what ends the loop.
  static bool carries(const std::vector<bool>& told, const std::vector<Placed>& instructions) {
    std::vector<bool> read_first(told.size()), written_first(told.size());
    for (const Placed& at : instructions) {
      each_register_of(*at.instruction, [&](int reg, bool written) {
        if (!written && !written_first[size_t(reg)]) read_first[size_t(reg)] = true;
      });
      each_register_of(*at.instruction, [&](int reg, bool written) {
        if (written && !read_first[size_t(reg)]) written_first[size_t(reg)] = true;
      });
    }
    for (size_t reg = 0; reg < told.size(); ++reg)
      if (told[reg] && read_first[reg]) return true;
    return false;
  }

  // Where the loop keeps what it makes of clocks.
  std::vector<Columns> columns_of(const std::vector<uint32_t>& loop,
                                  const std::vector<bool>& told) const {
    const ptx::Function* source = source_of(loop);
    std::vector<Columns> columns;
    for (const DecodedFunction& function : program_.functions) {
      for (size_t reg = 0; function.source == source && reg < told.size(); ++reg)
        if (told[reg]) columns.push_back(function.registers[reg]);
    }
    return columns;
  }

  uint32_t operation_of(const std::vector<uint32_t>& loop, const Instruction& read) const {
    for (uint32_t r : loop) {
      for (uint32_t s = basic_blocks_[r].first; s < basic_blocks_[r].last; ++s) {
        const InstructionAt at = program_.instructions[program_.operations[s].instruction];
        if (&at.function->body[at.index] == &read) return s;
      }
    }
    return no_operand;
  }

  Program& program_;
  std::vector<BasicBlock>& basic_blocks_;
  std::vector<Summary> summary_;
  uint32_t begin_ = 0, end_ = 0;                      // basic blocks of the function at hand
  std::vector<std::vector<uint32_t>> next_, before_;  // of its basic blocks
};

}  // namespace

void mark_waiting_loops(Program& program) { WaitingLoops(program).mark(); }

}  // namespace headroom::sim
