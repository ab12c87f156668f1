#include "model/pipeline/alike_addresses.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

namespace headroom {
namespace {

using sass::Instruction;
using sass::Operand;
using sass::OperandKind;

using Register = std::pair<OperandKind, uint16_t>;

// What differs from thread to thread, or from block to block, or may.
bool tells_apart(const Instruction& instruction) {
  constexpr std::string_view opcodes[] = {"LDG",  "LD",    "LDS",   "LDL",  "LDSM",
                                          "ATOM", "ATOMG", "ATOMS", "TEX",  "TLD",
                                          "SHFL", "VOTE",  "MATCH", "SULD", "ALD"};
  if (std::ranges::find(opcodes, instruction.opcode) != std::end(opcodes)) return true;
  return std::ranges::any_of(instruction.operands, [](const Operand& operand) {
    return operand.kind == OperandKind::special && operand.text != "SRZ";
  });
}

int registers_of(const Instruction& instruction, const Operand& result) {
  if (result.kind != OperandKind::reg && result.kind != OperandKind::uniform) return 1;
  if (instruction.has(".128")) return 4;
  return instruction.has(".64") || instruction.has(".WIDE") ? 2 : 1;
}

class Told {
 public:
  bool is_apart(const Instruction& instruction) const {
    return std::ranges::any_of(instruction.operands,
                               [&](const Operand& operand) { return reads_apart(operand); });
  }
  bool has_address_apart(const Instruction& instruction) const {
    return std::ranges::any_of(instruction.operands, [&](const Operand& operand) {
      return operand.kind == OperandKind::memory && reads_apart(operand);
    });
  }
  void pass(const Instruction& instruction) {
    const bool apart = tells_apart(instruction) || is_apart(instruction) ||
                       (instruction.guarded && apart_.contains(name(instruction.guard)));
    for (const Operand& operand : instruction.operands) {
      if (!operand.written) continue;
      for (int more = 0; more < registers_of(instruction, operand); ++more) {
        const Register one = {operand.kind, uint16_t(operand.index + more)};
        if (apart)
          apart_.insert(one);
        else if (!instruction.guarded)
          apart_.erase(one);
      }
    }
  }

 private:
  static Register name(const Operand& operand) { return {operand.kind, operand.index}; }
  bool reads_apart(const Operand& operand) const {
    if (operand.kind == OperandKind::memory || operand.kind == OperandKind::constant)
      return apart_.contains({OperandKind::reg, operand.base}) ||
             (operand.wide && apart_.contains({OperandKind::reg, uint16_t(operand.base + 1)})) ||
             apart_.contains({OperandKind::uniform, operand.uniform});
    return !operand.written && apart_.contains(name(operand));
  }

  std::set<Register> apart_;
};

}  // namespace

std::vector<bool> alike_addresses(const Trace& trace) {
  std::vector<bool> alike(trace.code.size(), true);
  Told told;
  for (int round = 0; round < 2; ++round)  // what comes before it in a loop, the next time round
    for (size_t i = 0; i < alike.size(); ++i) {
      const Instruction* each = trace.code[i].instruction;
      if (!each) continue;
      if (told.has_address_apart(*each)) alike[i] = false;
      told.pass(*each);
    }
  return alike;
}

}  // namespace headroom
