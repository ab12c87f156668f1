// PTX as loops see it that may wait for others.
#include "sim/waiting_loops.h"

#include <algorithm>
#include <string_view>

#include "sim/decode_ptx/waiting_loops.h"
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

bool reads_at_source(const Instruction& i) {
  if (i.opcode != "ld") return false;
  for (const char* at_its_source : {".volatile", ".relaxed", ".acquire", ".mmio", ".cv", ".cg"})
    if (i.has(at_its_source)) return true;
  return false;
}

bool is_plain_load(const Instruction& i) {
  return i.opcode == "ld" && !i.has(".param") && !i.has(".const") && !i.has(".local") &&
         !i.has(".nc");
}

bool changes_memory(const Instruction& i) {
  if (written_operands(i) > 0) return i.opcode == "mbarrier" && !tests_barrier(i);
  if (i.opcode == "st") return !i.has(".param");
  return !is(i.opcode, {"bra", "brx", "call", "ret", "exit", "trap", "membar", "fence", "nanosleep",
                        "prefetch", "prefetchu", "pmevent", "bar", "barrier"});
}

bool is_system_call(const Instruction& i, const BasicBlock& basic_block) {
  return i.opcode == "call" && basic_block.terminator != Terminator::call &&
         basic_block.terminator != Terminator::branch;
}

bool of_block_alone(const Instruction& i) {
  return i.has(".shared") || i.has(".shared::cta") || i.has(".shared::cluster") ||
         i.opcode == "mbarrier" || reads_clock(i);
}

Kept kept(const Instruction& i) {
  if (i.has(".shared") || i.has(".shared::cta")) return Kept::shared;
  if (i.has(".local")) return Kept::local;
  const bool elsewhere =
      i.has(".global") || i.has(".param") || i.has(".const") || i.has(".shared::cluster");
  return elsewhere ? Kept::nowhere : Kept::generic;
}

class PtxLoops : public LoopCode {
 public:
  explicit PtxLoops(const Program& program) : program_(program) {
    for (size_t f = 0; f < program.functions.size(); ++f) {
      const bool last = f + 1 == program.functions.size();
      functions.push_back({program.functions[f].entry, last ? uint32_t(program.basic_blocks.size())
                                                            : program.functions[f + 1].entry});
    }
  }

  const std::vector<BasicBlock>& basic_blocks() const override { return program_.basic_blocks; }

  LoopStep step(uint32_t instruction, const BasicBlock& basic_block) const override {
    const Instruction& i = at(instruction);
    LoopStep step;
    step.reads_clock = reads_clock(i);
    step.reads = i.opcode == "atom" || tests_barrier(i) || step.reads_clock || reads_at_source(i);
    step.swaps = i.opcode == "atom" && i.has(".cas");
    step.reads_if_fenced = step.reads || is_plain_load(i);
    step.reads_alone = step.reads_if_fenced && of_block_alone(i);
    step.loads = i.opcode == "ld";
    step.stores = i.opcode == "st";
    step.takes_result = step.loads && i.has(".param");
    step.fences = is(i.opcode, {"membar", "fence", "nanosleep"});
    step.sleeps = i.opcode == "nanosleep";
    step.changes = changes_memory(i) || is_system_call(i, basic_block);
    step.branches = is(i.opcode, {"bra", "brx"});
    step.ends = is(i.opcode, {"ret", "exit"});
    if (step.loads || step.stores) step.kept = kept(i);
    return step;
  }

  void add_registers(uint32_t instruction, std::vector<LoopRegister>& registers) const override {
    const Instruction& i = at(instruction);
    auto visit = [&](auto&& self, const Operand& operand, bool written) -> void {
      if (operand.kind == Operand::Kind::address) written = false;
      if (operand.reg >= 0) registers.push_back({operand.reg, written});
      for (const Operand& item : operand.items) self(self, item, written);
    };
    const int outs = written_operands(i);
    for (size_t n = 0; n < i.operands.size(); ++n) visit(visit, i.operands[n], int(n) < outs);
    if (i.guard.reg >= 0) registers.push_back({i.guard.reg, false});
  }

  size_t registers(uint32_t basic_block) const override {
    return source_of(basic_block)->registers.size();
  }

  std::vector<Columns> columns(uint32_t basic_block, int reg) const override {
    std::vector<Columns> columns;
    for (const DecodedFunction& function : program_.functions)
      if (function.source == source_of(basic_block))
        columns.push_back(function.registers[size_t(reg)]);
    return columns;
  }

 private:
  const Instruction& at(uint32_t instruction) const {
    const InstructionAt place = program_.instructions[instruction];
    return place.function->body[place.index];
  }
  const ptx::Function* source_of(uint32_t basic_block) const {
    return program_.instructions[program_.basic_blocks[basic_block].instruction].function;
  }

  const Program& program_;
};

}  // namespace

void mark_waiting_loops(Program& program) { mark_waiting_loops(program, PtxLoops(program)); }

}  // namespace headroom::sim
