// Basic blocks begin where a label points to and behind every instruction that may go elsewhere.
#include <algorithm>
#include <optional>
#include <set>

#include "sass/module.h"

namespace headroom::sass {
namespace {

bool is(const Instruction& instruction, std::initializer_list<std::string_view> opcodes) {
  return std::find(opcodes.begin(), opcodes.end(), instruction.opcode) != opcodes.end();
}

bool is_jump(const Instruction& instruction) {
  return is(instruction, {"BRA", "BRX", "BRXU", "JMP", "EXIT", "RET", "BPT"});
}

// It may be passed: under a guard, under a second predicate, or by the lanes that do not part.
bool may_be_passed(const Instruction& jump) {
  if (jump.guarded || jump.has(".DIV") || jump.has(".CONV") || jump.opcode == "BPT") return true;
  return std::any_of(jump.operands.begin(), jump.operands.end(), [](const Operand& operand) {
    return !operand.hidden && (operand.kind == OperandKind::predicate ||
                               operand.kind == OperandKind::uniform_predicate);
  });
}

// Within the section; a call leads to a function, whose blocks begin there too.
std::optional<uint32_t> target_of(const Instruction& instruction, size_t count) {
  for (const Operand& operand : instruction.operands) {
    if (operand.kind != OperandKind::label || operand.value % int64_t(instruction_bytes)) continue;
    const uint64_t index = uint64_t(operand.value) / instruction_bytes;
    if (operand.value >= 0 && index < count) return uint32_t(index);
  }
  return std::nullopt;
}

}  // namespace

std::vector<BasicBlock> find_blocks(const std::vector<Instruction>& instructions,
                                    const IndirectTargets& indirect,
                                    const std::vector<uint64_t>& entries) {
  const size_t count = instructions.size();
  std::set<uint32_t> leaders{0};
  std::map<uint32_t, std::vector<uint32_t>> through_register;
  const auto lead = [&](uint64_t offset) {
    if (offset / instruction_bytes < count) leaders.insert(uint32_t(offset / instruction_bytes));
    return offset / instruction_bytes < count;
  };
  for (const uint64_t offset : entries) lead(offset);
  for (const auto& [jump, targets] : indirect)
    for (const uint64_t offset : targets)
      if (lead(offset))
        through_register[uint32_t(jump / instruction_bytes)].push_back(
            uint32_t(offset / instruction_bytes));
  for (uint32_t i = 0; i < count; ++i) {
    const Instruction& instruction = instructions[i];
    if (const auto target = target_of(instruction, count)) leaders.insert(*target);
    if ((is_jump(instruction) || instruction.opcode == "CALL") && i + 1 < count)
      leaders.insert(i + 1);
  }
  std::vector<BasicBlock> blocks;
  std::vector<uint32_t> block_of(count);
  for (auto leader = leaders.begin(); leader != leaders.end() && *leader < count; ++leader) {
    const auto after = std::next(leader);
    const uint32_t end = after == leaders.end() ? uint32_t(count) : *after;
    for (uint32_t i = *leader; i < end; ++i) block_of[i] = uint32_t(blocks.size());
    blocks.push_back({*leader, end, {}, false});
  }
  for (BasicBlock& block : blocks) {
    const Instruction& last = instructions[block.last - 1];
    if (last.opcode == "BRA") {
      const auto target = target_of(last, count);
      if (target) block.next.push_back(block_of[*target]);
      block.elsewhere = !target;
    }
    if (is(last, {"BRX", "BRXU", "JMP"})) {
      const auto known = through_register.find(block.last - 1);
      block.elsewhere = known == through_register.end();
      if (!block.elsewhere)
        for (const uint32_t target : known->second) block.next.push_back(block_of[target]);
    }
    if (!is_jump(last) || may_be_passed(last)) {
      if (block.last < count) block.next.push_back(block_of[block.last]);
      block.elsewhere |= block.last == count;
    }
    std::sort(block.next.begin(), block.next.end());
    block.next.erase(std::unique(block.next.begin(), block.next.end()), block.next.end());
  }
  return blocks;
}

}  // namespace headroom::sass
