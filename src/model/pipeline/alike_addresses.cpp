#include "model/pipeline/alike_addresses.h"

#include <algorithm>

#include "model/pipeline/registers.h"

namespace headroom {
namespace {

using sass::Instruction;
using sass::Operand;
using sass::OperandKind;

// What differs from thread to thread, or from block to block, or may.
bool tells_apart(const Instruction& instruction) {
  if (is_any(instruction.opcode, {"LDG", "LD", "LDS", "LDL", "LDSM", "ATOM", "ATOMG", "ATOMS",
                                  "TEX", "TLD", "SHFL", "VOTE", "MATCH", "SULD", "ALD"}))
    return true;
  return std::ranges::any_of(instruction.operands, [](const Operand& operand) {
    return operand.kind == OperandKind::special && operand.text != "SRZ";
  });
}

// Registers and predicates with a value that is not the same for all.
class Apart {
 public:
  bool has_address(const Instruction& instruction) const {
    return std::ranges::any_of(instruction.operands, [&](const Operand& operand) {
      return operand.kind == OperandKind::memory && has_address(operand);
    });
  }
  void pass(const Instruction& instruction) {
    const bool apart = tells_apart(instruction) || reads(instruction) ||
                       (instruction.guarded && all_.contains(name_of(instruction.guard)));
    const auto put = [&](const Register& name) {
      if (apart)
        all_.insert(name);
      else if (!instruction.guarded)
        all_.erase(name);
    };
    each_written(instruction, put);
    for (const Operand& operand : instruction.operands)
      if (operand.written && operand.kind != OperandKind::reg &&
          operand.kind != OperandKind::uniform)
        put(name_of(operand));
  }

 private:
  bool has_address(const Operand& operand) const {
    bool found = false;
    each_of_address(operand, [&](const Register& name) { found |= all_.contains(name); });
    return found;
  }
  bool reads(const Instruction& instruction) const {
    return std::ranges::any_of(instruction.operands, [&](const Operand& operand) {
      return operand.kind == OperandKind::memory || operand.kind == OperandKind::constant
                 ? has_address(operand)
                 : !operand.written && all_.contains(name_of(operand));
    });
  }

  Registers all_;
};

}  // namespace

std::vector<bool> alike_addresses(const Trace& trace) {
  std::vector<bool> alike(trace.code.size(), true);
  Apart apart;
  for (int round = 0; round < 2; ++round)  // what comes before it in a loop, the next time round
    for (size_t i = 0; i < alike.size(); ++i) {
      const Instruction* each = trace.code[i].instruction;
      if (!each) continue;
      if (apart.has_address(*each)) alike[i] = false;
      apart.pass(*each);
    }
  return alike;
}

}  // namespace headroom
