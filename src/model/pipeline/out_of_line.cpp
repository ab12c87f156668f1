#include "model/pipeline/out_of_line.h"

#include <algorithm>

namespace headroom {
namespace {

// Where a label of an instruction leads, and the function of the compiler that begins there.
struct Target {
  uint32_t at = 0;
  std::optional<uint32_t> instructions;  // of the function
};

std::optional<Target> target_of(const Trace& trace, uint32_t at) {
  const sass::Instruction* const from = trace.code[at].instruction;
  const auto label =
      std::ranges::find(from->operands, sass::OperandKind::label, &sass::Operand::kind);
  if (label == from->operands.end() || label->value < 0) return std::nullopt;
  const auto offset = uint64_t(label->value), place = offset / sass::instruction_bytes;
  for (const auto& section : trace.sections) {
    const auto& all = section->instructions;
    if (from < all.data() || from >= all.data() + all.size() || place >= all.size()) continue;
    Target target{uint32_t(at - uint64_t(from - all.data()) + place), std::nullopt};
    for (const sass::Symbol& symbol : section->symbols)
      if (symbol.offset == offset && symbol.bytes > 0)
        target.instructions = uint32_t(symbol.bytes / sass::instruction_bytes);
    return target;
  }
  return std::nullopt;
}

std::string_view opcode(const Trace& trace, uint32_t at) {
  const sass::Instruction* const instruction = trace.code[at].instruction;
  return instruction ? std::string_view(instruction->opcode) : std::string_view();
}

Stretch function_at(const Trace& trace, const Target& begin) {
  const auto end = uint32_t(trace.code.size()) - 1;
  if (begin.instructions) return {begin.at, std::min(end, begin.at + *begin.instructions - 1)};
  uint32_t last = begin.at;
  while (last < end && opcode(trace, last) != "RET") ++last;
  return {begin.at, last};
}

}  // namespace

std::optional<uint32_t> goes_to(const Trace& trace, uint32_t instruction) {
  const auto target = target_of(trace, instruction);
  return target ? std::optional(target->at) : std::nullopt;
}

std::optional<Stretch> branch_around(const Trace& trace, uint32_t instruction) {
  constexpr uint32_t furthest = 64;  // instructions between them
  for (uint32_t at = instruction + 1; at-- > 0 && instruction - at < furthest;) {
    if (opcode(trace, at) != "BSSY") continue;
    const auto meet = target_of(trace, at);
    if (meet && meet->at > instruction) return Stretch{at, meet->at - 1};
  }
  return std::nullopt;
}

std::vector<Call> calls_of(const Trace& trace) {
  std::vector<Call> calls;
  for (uint32_t at = 0; at < trace.code.size(); ++at) {
    if (opcode(trace, at) != "CALL") continue;
    if (const auto target = target_of(trace, at))
      calls.push_back(
          {at, function_at(trace, *target), branch_around(trace, at).value_or(Stretch{at, at})});
  }
  return calls;
}

}  // namespace headroom
