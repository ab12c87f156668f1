// Advice on loops: what a round spends on its own counter, comparison and branch, and on tests that nearly always go the
// same way. Unrolled, several rounds share the former; without a test between them the compiler mixes their instructions,
// so that one does not wait for the other.
//
//   @!P0 BRA 0x600    falls through 8160 of 8192 times      a test
//   IADD3 R10, R10, 0x1, RZ; ISETP.NE P0, R10, RZ; @P0 BRA 0x470        the loop's own
#include <fmt/format.h>

#include <algorithm>

#include "model/pipeline/asking.h"

namespace headroom {
namespace {

using sass::Instruction;
using sass::Operand;
using sass::OperandKind;

constexpr double nearly_always = 0.95;

bool is_branch(const Instruction& instruction) { return instruction.opcode == "BRA"; }

bool is_register(const Operand& operand) {
  return operand.kind == OperandKind::reg || operand.kind == OperandKind::uniform;
}
bool is_zero(const Operand& operand) {
  return operand.index ==
         (operand.kind == OperandKind::reg ? sass::zero_register : sass::zero_uniform);
}

// UIADD3 UR12, UR12, 0x4, URZ: unrolled, the step is part of an address.
bool steps(const Instruction& instruction) {
  if (instruction.opcode != "IADD3" && instruction.opcode != "UIADD3" &&
      instruction.opcode != "VIADD")
    return false;
  const auto result = std::ranges::find_if(instruction.operands, [](const Operand& operand) {
    return operand.written && is_register(operand);
  });
  if (result == instruction.operands.end()) return false;
  bool reads_itself = false;
  for (const Operand& operand : instruction.operands) {
    if (operand.written || !is_register(operand) || is_zero(operand)) continue;
    if (operand.kind != result->kind || operand.index != result->index) return false;
    reads_itself = true;
  }
  return reads_itself;
}

bool writes(const Instruction& instruction, const Operand& predicate) {
  return std::ranges::any_of(instruction.operands, [&](const Operand& operand) {
    return operand.written && operand.kind == predicate.kind && operand.index == predicate.index;
  });
}

}  // namespace

void Asking::loops() {
  const Trace& trace = task_.trace;
  if (trace.likely || trace.spins) return;
  const std::vector<Way>& ways = evidence_.loops.ways;
  const std::vector<Loop> innermost = evidence_.loops.innermost();
  std::vector<bool> left_out(trace.code.size());
  double own = 0, all = 0;
  bool tests = false;
  std::optional<uint32_t> worst;
  const auto& executed = evidence_.executed.by_instruction;
  const auto leave_out_branch = [&](const Loop& loop, uint32_t at) {
    const Instruction& branch = *trace.code[at].instruction;
    left_out[at] = true;
    if (!branch.guarded) return;
    for (uint32_t i = at; i-- > loop.first;)
      if (writes(*trace.code[i].instruction, branch.guard)) {
        left_out[i] = model_.code[i].unit == Unit::alu || model_.code[i].unit == Unit::uniform;
        break;
      }
  };
  for (const Loop& loop : innermost) {
    leave_out_branch(loop, loop.last);
    for (size_t b = 0; b < ways.size(); ++b) {
      const uint32_t last = trace.basic_blocks[b].last;
      if (!loop.has(last) || last == loop.last || ways[b].times == 0) continue;
      const double straight = ways[b].straight_on / ways[b].times;
      const Instruction& branch = *trace.code[last].instruction;
      if (!is_branch(branch) || !branch.guarded || straight < nearly_always) continue;
      leave_out_branch(loop, last);
      tests = true;
    }
    for (uint32_t i = loop.first; i <= loop.last; ++i) {
      const Instruction& instruction = *trace.code[i].instruction;
      if (steps(instruction) || instruction.opcode == "BSSY" || instruction.opcode == "BSYNC")
        left_out[i] = true;
      own += left_out[i] ? executed[i] : 0;
      all += executed[i];
    }
    if (!worst || executed[loop.last] > executed[*worst]) worst = loop.last;
  }
  if (!worst) return;
  mixes_rounds_ = tests;
  ask({.id = "loop",
       .question = {.relief = {.latency = tests ? 2.0 : 1.0}, .left_out = left_out},
       .what = fmt::format(
           "{:.0f} % of the instructions of the innermost loops are their counters, "
           "branches{}",
           100 * own / all, tests ? " and tests that nearly always go the same way" : ""),
       .next = tests ? "take the test out of the loop (studies/nbody/no_test.cu), and unroll it "
                       "(#pragma unroll 8): rounds are mixed then"
                     : "unroll it: #pragma unroll 8 (studies/nbody/unroll_8.cu)",
       .instruction = worst});
}

}  // namespace headroom
