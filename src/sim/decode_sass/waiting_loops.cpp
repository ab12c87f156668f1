// Machine code as loops see it that may wait for others.
//
//   L: LDG.E.STRONG.SYS R0, desc[UR4][R2.64];  ISETP.NE.AND P0, PT, R0, RZ, PT;  @!P0 BRA L
//
// All of a kernel's section is one function here: what the compiler did not inline stands in it too.
// Registers are told apart by what they hold (webs.h).
#include "sim/waiting_loops.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

#include "sim/decode_sass/decoder.h"
#include "sim/decode_sass/registers.h"
#include "sim/decode_sass/spelling.h"
#include "sim/decode_sass/webs.h"
#include "sim/reconvergence.h"

namespace headroom::sim {
namespace {

// What BAR.RED leaves for B2R.RESULT is in no register: it has a number of its own.
constexpr int barrier_result = 336, all_registers = 337;

enum Is : uint16_t {
  loads = 1,
  stores = 2,
  atomic = 4,
  shared = 8,
  local = 16,
  generic = 32,
  fences = 64,
  changes = 128,  // memory in another way
  branches = 256,
  exits = 512,
};

struct Opcode {
  std::string_view name;
  uint16_t is;
};
constexpr Opcode opcodes[] = {
    {"LDG", loads},
    {"LD", loads | generic},
    {"LDS", loads | shared},
    {"LDSM", loads | shared},
    {"LDL", loads | local},
    {"STG", stores},
    {"ST", stores | generic},
    {"STS", stores | shared},
    {"STSM", stores | shared},
    {"STL", stores | local},
    {"ATOM", atomic},
    {"ATOMG", atomic},
    {"ATOMS", atomic | shared},
    {"MEMBAR", fences},
    {"FENCE", fences},
    {"NANOSLEEP", fences},
    {"RED", changes},
    {"REDG", changes},
    {"REDAS", changes},
    {"STAS", changes},
    {"SUST", changes},
    {"SURED", changes},
    {"LDGSTS", changes},
    {"UBLKCP", changes},
    {"UBLKRED", changes},
    {"UTMALDG", changes},
    {"UTMASTG", changes},
    {"UTMAREDG", changes},
    {"ARRIVES", changes},
    {"BRA", branches},
    {"BRX", branches},
    {"BRXU", branches},
    {"EXIT", exits},
    {"RET", exits},
};

uint16_t meaning_of(std::string_view opcode) {
  for (const Opcode& known : opcodes)
    if (known.name == opcode) return known.is;
  return 0;
}

bool looks_at_clock(const sass::Instruction& instruction) {
  return std::ranges::any_of(instruction.operands, [](const sass::Operand& operand) {
    return operand.kind == sass::OperandKind::special &&
           (operand.text.starts_with("SR_CLOCK") || operand.text.starts_with("SR_GLOBALTIMER"));
  });
}

bool is_read_at_source(const sass::Instruction& instruction) {
  return std::ranges::any_of(instruction.modifiers, [](std::string_view modifier) {
    return modifier.starts_with(".STRONG") || modifier.starts_with(".MMIO");
  });
}

// Registers of an operand; rather too many than too few.
int registers_of(const sass::Instruction& instruction, const sass::Operand& operand) {
  const std::string_view opcode = instruction.opcode;
  if (operand.kind != sass::OperandKind::reg && operand.kind != sass::OperandKind::uniform)
    return 1;
  if (opcode == "SHF" || opcode == "USHF") return 1;  // of two registers that it names
  if (opcode.ends_with("MMA") || opcode.starts_with("T") || opcode == "LDSM") return 4;
  int count = 1;
  for (const std::string_view modifier : instruction.modifiers) {
    if (modifier.find("128") != modifier.npos) count = 4;
    if (modifier.find("64") != modifier.npos || modifier == ".WIDE") count = std::max(count, 2);
  }
  if (opcode.starts_with("D") || (opcode == "CS2R" && !instruction.has(".32"))) count = 2;
  if (meaning_of(opcode) & atomic && instruction.has(".CAS") && !operand.written) count *= 2;
  return count;
}

class MachineLoops : public LoopCode {
 public:
  MachineLoops(const Program& program, const sass::Function& function,
               const std::vector<uint32_t>& block_of)
      : program_(program), function_(function), block_of_(block_of) {
    const uint32_t end = uint32_t(program.basic_blocks.size());
    functions.push_back({0, end});
    flow_.basic_blocks = program.basic_blocks;
    for (BasicBlock& basic_block : flow_.basic_blocks) straighten(basic_block);
    find_reconvergence_points(flow_, 0, end, false);
  }

  const std::vector<BasicBlock>& basic_blocks() const override { return flow_.basic_blocks; }

  LoopStep step(uint32_t n, const BasicBlock&) const override {
    const sass::Instruction& instruction = at(n);
    const uint16_t is = meaning_of(instruction.opcode);
    const bool tests = instruction.opcode == "SYNCS" && instruction.has(".PHASECHK");
    LoopStep step;
    step.reads_clock = looks_at_clock(instruction);
    step.reads =
        is & atomic || tests || step.reads_clock || (is & loads && is_read_at_source(instruction));
    step.reads_if_fenced =
        step.reads || (is & loads && !(is & local) && !instruction.has(".CONSTANT"));
    step.swaps = is & atomic && (instruction.has(".CAS") || instruction.has(".CAST"));
    step.reads_if_fixed = instruction.opcode == "LDS";
    step.meets = instruction.opcode == "BAR";
    step.reads_alone = is & shared || tests || step.reads_clock;
    step.takes_result = instruction.opcode == "CALL";
    step.fences = is & fences || (instruction.opcode == "CCTL" && instruction.has(".IVALL"));
    step.sleeps = instruction.opcode == "NANOSLEEP";
    step.changes = is & (stores | changes) || (instruction.opcode == "SYNCS" && !tests);
    step.loads = is & loads;
    step.stores = is & stores;
    step.branches = is & branches;
    step.ends = is & exits;
    step.kept = is & shared    ? Kept::shared
                : is & local   ? Kept::local
                : is & generic ? Kept::generic
                               : Kept::nowhere;
    return step;
  }

  void add_registers(uint32_t n, std::vector<LoopRegister>& registers) const override {
    const Webs& known = webs();
    const auto& named = named_[n].registers;
    for (size_t r = 0; r < named.size(); ++r)
      registers.push_back({int(known.of(n)[r]), named[r].written});
  }

  size_t registers(uint32_t) const override { return webs().count(); }

  std::vector<Columns> columns(uint32_t, int web) const override {
    return {program_.functions[0].registers[size_t(webs().register_of(uint32_t(web)))]};
  }

 private:
  const sass::Instruction& at(uint32_t n) const {
    const InstructionAt& place = program_.instructions[n];
    return place.code->instructions[place.index];
  }

  // Most programs have no loop that asks for them.
  const Webs& webs() const {
    if (webs_) return *webs_;
    for (uint32_t n = 0; n < program_.instructions.size(); ++n) {
      named_.push_back({{}, at(n).guarded});
      add_named(n, named_.back().registers);
    }
    webs_.emplace(flow_.basic_blocks, named_, size_t(all_registers));
    return *webs_;
  }

  void add_named(uint32_t n, std::vector<LoopRegister>& registers) const {
    const sass::Instruction& instruction = at(n);
    const std::string_view opcode = instruction.opcode;
    if (opcode == "CALL") return add_registers_of_call(n, registers);
    for (const sass::Operand& operand : instruction.operands)
      add_operand(operand, registers_of(instruction, operand), registers);
    if (instruction.guarded) add_operand(instruction.guard, 1, registers);
    if (opcode == "B2R" || (opcode == "BAR" && instruction.has(".RED")))
      registers.push_back({barrier_result, opcode == "BAR"});
    if (opcode == "R2P" || opcode == "P2R" || opcode == "UR2UP" || opcode == "UP2UR") {
      const int from = opcode[0] == 'U' ? uniform_predicates_from : predicates_from;
      for (int p = 0; p < sass::true_predicate; ++p)
        registers.push_back({from + p, opcode == "R2P" || opcode == "UR2UP"});
    }
  }

  // The way behind its end, in terms of PTX.
  void straighten(BasicBlock& basic_block) {
    const sass::Instruction& last = at(basic_block.instruction);
    const bool jumps =
        basic_block.terminator == Terminator::jump || basic_block.terminator == Terminator::branch;
    const bool is_last = basic_block.next >= program_.basic_blocks.size();
    if (last.opcode == "CALL" && is_last) {  // of what does not return
      basic_block.terminator = Terminator::trap;
    } else if (last.opcode == "CALL") {
      basic_block.callees.push_back({callee(jumps ? basic_block.target : 0), {}, {}});
      basic_block.terminator = Terminator::call;
    } else if (basic_block.terminator == Terminator::indirect && last.opcode == "RET") {
      basic_block.terminator = Terminator::ret;
      basic_block.predicate = no_operand;
    } else if (basic_block.terminator == Terminator::indirect) {
      basic_block.terminator = Terminator::indexed;
      basic_block.targets = targets_behind(program_.instructions[basic_block.instruction].index);
    }
  }

  std::vector<uint32_t> targets_behind(uint32_t instruction) const {
    std::vector<uint32_t> targets;
    for (const sass::BasicBlock& each : function_.blocks) {
      if (instruction < each.first || instruction >= each.last) continue;
      for (const uint32_t next : each.next)
        targets.push_back(block_of_[function_.blocks[next].first]);
    }
    return targets;
  }

  // Of the function that begins with this basic block: to its end in the text. 0, where a register
  // tells which: all of the section.
  uint32_t callee(uint32_t entry) {
    for (uint32_t f = 1; f < functions.size(); ++f)
      if (functions[f].begin == entry) return f;
    const uint64_t offset = entry_offset(entry);
    uint32_t end = functions[0].end;
    for (const sass::Symbol& symbol : function_.symbols) {
      const uint64_t behind = (symbol.offset + symbol.bytes) / sass::instruction_bytes;
      if (entry && symbol.offset == offset && behind < block_of_.size() &&
          block_of_[behind] != no_operand)
        end = block_of_[behind];
    }
    functions.push_back({entry, end, true});
    return uint32_t(functions.size() - 1);
  }

  uint64_t entry_offset(uint32_t basic_block) const {
    const uint32_t first =
        basic_block == 0 ? 0 : program_.basic_blocks[basic_block - 1].instruction + 1;
    return program_.instructions[first].index * sass::instruction_bytes;
  }

  // It reads and writes what the function does, but for what that saves and gives back. A function
  // that a register names has the calling convention's: arguments, results and scratch in R0 … R15.
  void add_registers_of_call(uint32_t n, std::vector<LoopRegister>& registers) const {
    const auto call = std::ranges::find_if(flow_.basic_blocks, [&](const BasicBlock& basic_block) {
      return basic_block.instruction == n && !basic_block.callees.empty();
    });
    if (call == flow_.basic_blocks.end()) return;
    const uint32_t callee = call->callees[0].function;
    std::vector<LoopRegister>& all = of_callee_[callee];
    if (all.empty() && functions[callee].begin == 0) {
      for (const bool written : {false, true})
        for (int reg = 0; reg < 16; ++reg) all.push_back({reg, written});
    } else if (all.empty()) {
      all = registers_of_function(functions[callee]);
    }
    registers.insert(registers.end(), all.begin(), all.end());
  }

  std::vector<LoopRegister> registers_of_function(const Function& callee) const {
    std::vector<LoopRegister> all, saved;
    const uint32_t end = flow_.basic_blocks[callee.end - 1].instruction;
    for (uint32_t i = flow_.basic_blocks[callee.begin - 1].instruction + 1; i <= end; ++i) {
      if (at(i).opcode != "CALL") add_named(i, all);
      if (at(i).opcode == "STL") add_named(i, saved);
    }
    std::ranges::sort(all, {}, key);
    const auto same = [](const LoopRegister& a, const LoopRegister& b) { return key(a) == key(b); };
    all.erase(std::unique(all.begin(), all.end(), same), all.end());
    std::erase_if(all, [&](const LoopRegister& each) {
      return each.written && std::ranges::find(saved, each.reg, &LoopRegister::reg) != saved.end();
    });
    return all;
  }
  static int key(const LoopRegister& each) { return each.reg * 2 + each.written; }

  static void add_operand(const sass::Operand& operand, int count,
                          std::vector<LoopRegister>& registers) {
    const auto add = [&](int from, int index, int zero, int number, bool written) {
      for (int i = index; i < index + number && i < zero; ++i)
        registers.push_back({from + i, written});
    };
    const int index = operand.index;
    switch (operand.kind) {
      case sass::OperandKind::reg:
        return add(0, index, sass::zero_register, count, operand.written);
      case sass::OperandKind::uniform:
        return add(uniforms_from, index, sass::zero_uniform, count, operand.written);
      case sass::OperandKind::predicate:
        return add(predicates_from, index, sass::true_predicate, 1, operand.written);
      case sass::OperandKind::uniform_predicate:
        return add(uniform_predicates_from, index, sass::true_predicate, 1, operand.written);
      case sass::OperandKind::memory:
      case sass::OperandKind::constant:
        add(0, operand.base, sass::zero_register, operand.wide ? 2 : 1, false);
        return add(uniforms_from, operand.uniform, sass::zero_uniform, 2, false);
      default: return;
    }
  }

  const Program& program_;
  const sass::Function& function_;
  const std::vector<uint32_t>& block_of_;
  Program flow_;
  mutable std::map<uint32_t, std::vector<LoopRegister>> of_callee_;  // by index
  mutable std::vector<InstructionRegisters> named_;
  mutable std::optional<Webs> webs_;
};

}  // namespace

std::vector<Columns> MachineDecoder::register_columns() const {
  std::vector<Columns> columns(all_registers);
  const uint32_t bytes = uint32_t(lanes) * 4;
  for (uint32_t n = 0; n < uint32_t(uniforms_from); ++n) columns[n] = {n * bytes, 4, 1};
  for (uint32_t n = 0; n < sass::zero_uniform; ++n)
    columns[uniforms_from + n] = {uniforms_at + n * bytes, 4, 1};
  for (uint32_t n = 0; n < 8; ++n) {
    columns[predicates_from + n] = {predicates_at + n * 4, 0, 1};
    columns[uniform_predicates_from + n] = {predicates_at + 32 + n * 4, 0, 1};
  }
  return columns;
}

void MachineDecoder::mark_loops() {
  mark_waiting_loops(program, MachineLoops(program, function, block_of));
}

}  // namespace headroom::sim
