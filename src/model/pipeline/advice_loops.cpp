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

Asking::LoopsOwn Asking::own_of(const std::vector<Loop>& innermost) const {
  const Trace& trace = task_.trace;
  const std::vector<Way>& ways = evidence_.loops.ways;
  LoopsOwn own;
  own.left_out.resize(trace.code.size());
  const auto& executed = evidence_.executed.by_instruction;
  const auto leave_out_branch = [&](const Loop& loop, uint32_t at) {
    const Instruction& branch = *trace.code[at].instruction;
    own.left_out[at] = true;
    if (!branch.guarded) return;
    for (uint32_t i = at; i-- > loop.first;)
      if (writes(*trace.code[i].instruction, branch.guard)) {
        own.left_out[i] = model_.code[i].unit == Unit::alu || model_.code[i].unit == Unit::uniform;
        break;
      }
  };
  // A quotient's or a root's own test is not the program's.
  const auto is_of_call = [&](uint32_t at) {
    return std::ranges::any_of(evidence_.calls,
                               [&](const Call& call) { return call.around.has(at); });
  };
  for (const Loop& loop : innermost) {
    leave_out_branch(loop, loop.last);
    bool meets = false;  // rounds that wait for the block do not mix
    for (uint32_t i = loop.first; i <= loop.last; ++i)
      meets |= model_.code[i].action == Action::barrier;
    for (size_t b = 0; !meets && b < ways.size(); ++b) {
      const uint32_t last = trace.basic_blocks[b].last;
      if (!loop.has(last) || last == loop.last || ways[b].times == 0) continue;
      const double straight = ways[b].straight_on / ways[b].times;
      const Instruction& branch = *trace.code[last].instruction;
      if (!is_branch(branch) || !branch.guarded || straight < nearly_always || is_of_call(last))
        continue;
      leave_out_branch(loop, last);
      own.tests = true;
    }
    for (uint32_t i = loop.first; i <= loop.last; ++i) {
      const Instruction& instruction = *trace.code[i].instruction;
      if (steps(instruction) || instruction.opcode == "BSSY" || instruction.opcode == "BSYNC")
        own.left_out[i] = true;
      own.executed += own.left_out[i] ? executed[i] : 0;
      own.of += executed[i];
    }
    if (!own.worst || executed[loop.last] > executed[*own.worst]) own.worst = loop.last;
  }
  return own;
}

void Asking::loops() {
  if (task_.trace.likely || task_.trace.spins) return;
  const LoopsOwn own = own_of(evidence_.loops.innermost());
  if (!own.worst) return;
  mixes_rounds_ = own.tests;
  ask({.id = "loop",
       .question = {.relief = {.latency = own.tests ? 2.0 : 1.0}, .left_out = own.left_out},
       .what =
           fmt::format("{:.0f} % of the instructions of the innermost loops are their counters, "
                       "branches{}",
                       100 * own.executed / own.of,
                       own.tests ? " and tests that nearly always go the same way" : ""),
       .next = own.tests
                   ? "take the test out of the loop (studies/nbody/no_test.cu), and unroll it "
                     "(#pragma unroll 8): rounds are mixed then"
                   : "unroll it: #pragma unroll 8 (studies/nbody/unroll_8.cu)",
       .instruction = own.worst});
}

// Innermost loops that index an array of the thread by their counter: unrolled, constants index it.
std::vector<Loop> Asking::loops_over_arrays() const {
  std::vector<Loop> found;
  for (const Loop& loop : evidence_.loops.innermost()) {
    const auto stepped = [&](const Operand& array) {
      for (uint32_t i = loop.first; i <= loop.last; ++i) {
        const Instruction& instruction = *task_.trace.code[i].instruction;
        if (steps(instruction) && std::ranges::any_of(instruction.operands, [&](const Operand& to) {
              return to.written && to.kind == OperandKind::reg && to.index == array.base;
            }))
          return true;
      }
      return false;
    };
    for (uint32_t i = loop.first; i <= loop.last; ++i)
      if (model_.code[i].local &&
          std::ranges::any_of(task_.trace.code[i].instruction->operands,
                              [&](const Operand& operand) {
                                return operand.kind == OperandKind::memory && stepped(operand);
                              })) {
        found.push_back(loop);
        break;
      }
  }
  return found;
}

}  // namespace headroom
