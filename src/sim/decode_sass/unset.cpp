// What a warp's frame has to begin with: registers that may be read before they are written hold zeros, whatever
// warp had the memory before. Which they are the control-flow graph says.
//
//   LDG.E R2, …;  IADD3 R4, R3, R2, RZ     R3, of R0 … R4
//
// Reads are rather too many and writes rather too few, so that what is cleared is too much if anything. Code with an
// opcode that is not in the lists, or that calls what is compiled apart, has all of its registers cleared.
#include <algorithm>
#include <bitset>

#include "sim/decode_sass/decoder.h"
#include "sim/decode_sass/registers.h"
#include "sim/register_allocation.h"

namespace headroom::sim {
namespace {

using Registers = std::bitset<predicates_from>;  // R0 …, then uniform ones; predicates take no room

// Opcodes whose result is written whole, in as many registers as their modifiers say (below).
constexpr std::string_view writers[] = {
    "MOV",    "IMAD",   "IADD3", "LOP3",  "SHF",   "LEA",   "SEL",  "PRMT", "IABS",  "IMNMX",
    "VIMNMX", "VIADD",  "POPC",  "FLO",   "BREV",  "SGXT",  "BMSK", "FADD", "FMUL",  "FFMA",
    "FMNMX",  "FSEL",   "MUFU",  "S2R",   "CS2R",  "S2UR",  "R2UR", "UMOV", "UIMAD", "USHF",
    "ULEA",   "UIADD3", "ULOP3", "USEL",  "UPRMT", "LDG",   "LDS",  "LDL",  "LD",    "LDC",
    "ULDC",   "DADD",   "DMUL",  "DFMA",  "I2F",   "I2FP",  "F2I",  "F2F",  "FRND",  "P2R",
    "SHFL",   "VOTE",   "UFLO",  "UPOPC", "UBREV", "USGXT", "UBMSK"};
// Opcodes that write none, or predicates, or what is not counted on to be whole.
constexpr std::string_view others[] = {
    "NOP",    "ATOM",     "ATOMG",  "ATOMS",     "ISETP",  "UISETP",    "FSETP",  "DSETP", "PLOP3",
    "UPLOP3", "R2P",      "FCHK",   "BRA",       "EXIT",   "BAR",       "BSSY",   "BSYNC", "BREAK",
    "YIELD",  "WARPSYNC", "STG",    "STS",       "STL",    "ST",        "RED",    "REDG",  "MEMBAR",
    "CCTL",   "ERRBAR",   "DEPBAR", "LDGDEPBAR", "LDGSTS", "NANOSLEEP", "BRX",    "CALL",  "RET",
    "HADD2",  "HMUL2",    "HFMA2",  "HMNMX2",    "VHMNMX", "HSET2",     "HSETP2", "F2FP",  "VOTEU",
    "MATCH",  "REDUX",    "IDP",    "I2I",       "FSET",   "BPT"};

bool is_in(std::span<const std::string_view> list, std::string_view opcode) {
  return std::ranges::find(list, opcode) != list.end();
}

int most_read(const sass::Instruction& instruction) {
  const std::string_view opcode = instruction.opcode;
  if (opcode.starts_with("RED")) return 4;
  const bool vector = opcode.starts_with("ATOM");  // .F32x4, .BF16x8 and others
  const bool pair = opcode.starts_with("D") || opcode == "BRX" || opcode == "RET" ||
                    opcode == "CALL" || (opcode.ends_with("IMAD") && instruction.has(".HI"));
  int count = vector ? 4 : pair ? 2 : 1;
  for (const std::string_view modifier : instruction.modifiers) {
    if (modifier.find("128") != modifier.npos) count = 4;
    if (modifier.find("64") != modifier.npos || modifier == ".WIDE") count = std::max(count, 2);
  }
  return instruction.has(".CAS") ? 2 * count : count;
}

int least_written(const sass::Instruction& instruction) {
  const std::string_view opcode = instruction.opcode;
  if (opcode == "DADD" || opcode == "DMUL" || opcode == "DFMA" || instruction.has(".WIDE"))
    return 2;
  if (opcode == "CS2R") return instruction.has(".32") ? 1 : 2;
  if (!opcode.starts_with("LD") && opcode != "ULDC") return 1;
  return instruction.has(".128") ? 4 : instruction.has(".64") ? 2 : 1;
}

void add(Registers& to, const sass::Operand& operand, int count) {
  const bool uniform = operand.kind == sass::OperandKind::uniform;
  const int zero = uniform ? sass::zero_uniform : sass::zero_register;
  for (int n = operand.index; n < operand.index + count && n < zero; ++n)
    to.set(size_t(uniform ? uniforms_from + n : n));
}

void add_address(Registers& to, const sass::Operand& operand) {
  const auto two = [&](sass::OperandKind kind, int index) {
    sass::Operand part;
    part.kind = kind;
    part.index = decltype(part.index)(index);
    add(to, part, 2);
  };
  two(sass::OperandKind::reg, operand.base);
  two(sass::OperandKind::uniform, operand.uniform);
  two(sass::OperandKind::uniform, operand.descriptor);
}

struct Uses {
  Registers read, written;  // before they are written; whatever was there
};

// Barriers of convergence that an instruction names: of B0 … the number behind the last.
uint32_t barriers_named(const Program& program) {
  int last = -1;
  for (const InstructionAt& at : program.instructions)
    for (const sass::Operand& operand : at.code->instructions[at.index].operands)
      if (operand.kind == sass::OperandKind::barrier) last = std::max(last, int(operand.index));
  return uint32_t(last + 1);
}

// False: it does what is not known here.
bool follow(const sass::Instruction& instruction, Uses& uses) {
  const bool writes = is_in(writers, instruction.opcode);
  if (!writes && !is_in(others, instruction.opcode)) return false;
  const bool guarded = instruction.guarded && (instruction.guard.index != sass::true_predicate ||
                                               instruction.guard.inverted);
  Registers read, written;
  for (const sass::Operand& operand : instruction.operands) {
    const bool is_register =
        operand.kind == sass::OperandKind::reg || operand.kind == sass::OperandKind::uniform;
    if (operand.kind == sass::OperandKind::memory || operand.kind == sass::OperandKind::constant)
      add_address(read, operand);
    else if (is_register && !operand.written)
      add(read, operand, most_read(instruction));
    else if (is_register && writes && !guarded)
      add(written, operand, least_written(instruction));
  }
  uses.read |= read & ~uses.written;
  uses.written |= written;
  return true;
}

}  // namespace

// Registers alive where the kernel begins, by the basic blocks that follow one another.
std::vector<Columns> MachineDecoder::unset_registers() const {
  const uint32_t row = warp_register_bytes(4);
  const std::vector<Columns> all{{0, 1, (barriers_at + 16 * row) / uint32_t(lanes)}};
  if (program.sections.size() != 1) return all;
  const std::vector<BasicBlock>& basic_blocks = program.basic_blocks;
  std::vector<Uses> uses(basic_blocks.size());
  uint32_t next = 0;
  for (size_t b = 0; b < basic_blocks.size(); ++b) {
    const BasicBlock& here = basic_blocks[b];
    if (here.terminator == Terminator::call) return all;
    for (; next <= here.instruction && next < program.instructions.size(); ++next) {
      const InstructionAt& at = program.instructions[next];
      if (!at.code || !follow(at.code->instructions[at.index], uses[b])) return all;
    }
  }

  std::vector<Registers> alive(basic_blocks.size());
  Registers anywhere;  // where a register tells where to
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t b = basic_blocks.size(); b-- > 0;) {
      const BasicBlock& here = basic_blocks[b];
      Registers behind;
      const auto goes = [&](uint32_t to) {
        if (to < basic_blocks.size()) behind |= alive[to];
      };
      if (here.terminator == Terminator::indirect || here.terminator == Terminator::indexed)
        behind |= anywhere;
      goes(here.next);
      if (here.terminator == Terminator::jump || here.terminator == Terminator::branch)
        goes(here.target);
      const Registers now = uses[b].read | (behind & ~uses[b].written);
      changed |= now != alive[b];
      alive[b] = now;
      anywhere |= now;
    }
  }

  // Predicates are few, and so are the barriers of convergence.
  std::vector<Columns> unset{
      {predicates_at, 1,
       (barriers_at + barriers_named(program) * row - predicates_at) / uint32_t(lanes)}};
  const Registers& first = alive[program.functions[0].entry];
  for (int n = 0; n < predicates_from; ++n) {
    if (!first.test(size_t(n))) continue;
    const uint32_t at =
        n < uniforms_from ? uint32_t(n) * row : uniforms_at + uint32_t(n - uniforms_from) * row;
    if (unset.back().bytes == 4 && unset.back().at + bytes_of(unset.back()) == at)
      ++unset.back().count;
    else
      unset.push_back({at, 4, 1});
  }
  return unset;
}

}  // namespace headroom::sim
