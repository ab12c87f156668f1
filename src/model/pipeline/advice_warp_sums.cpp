// Advice on sums over a warp's lanes in a loop: a warp that adds up one row after the other spends five shuffles on each, one
// behind the other. Where fewer lanes share a row, four rows at a time take three; a step of each sum stays for them.
//
//   SHFL.BFLY PT, R5, R4, 0x10, 0x1f; FADD R5, R4, R5; SHFL.BFLY PT, R6, R5, 0x8, 0x1f; FADD R6, R5, R6; …
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "model/pipeline/asking.h"
#include "model/pipeline/registers.h"

namespace headroom {
namespace {

using sass::Instruction;
using sass::Operand;

constexpr size_t least_steps = 4;  // of a sum over a warp: fewer are what the advice asks for

struct Step {
  uint32_t shuffle, adds;  // instructions
};
using Steps = std::vector<Step>;  // of one sum, one after the other

const Operand* first_register(const Instruction& instruction, bool written) {
  const auto found = std::ranges::find_if(instruction.operands, [&](const Operand& each) {
    return each.written == written && each.kind == sass::OperandKind::reg;
  });
  return found == instruction.operands.end() ? nullptr : &*found;
}
const Operand* written_by(const Instruction& each) { return first_register(each, true); }
const Operand* read_by(const Instruction& each) { return first_register(each, false); }

// What a lane has and what another one has become one number. Under a guard it is a step of a scan, whose lanes differ.
std::optional<uint32_t> adds_what(uint32_t shuffle, const Trace& trace, uint32_t last) {
  const Instruction& from = *trace.code[shuffle].instruction;
  const Operand *others = written_by(from), *own = read_by(from);
  if (!others || !own) return std::nullopt;
  for (uint32_t i = shuffle + 1; i <= last; ++i) {
    const Instruction& each = *trace.code[i].instruction;
    if (reads(each, others->index)) {
      if (each.guarded || !reads(each, own->index) || !written_by(each)) return std::nullopt;
      return i;
    }
    const Operand* written = written_by(each);
    if (written && (written->index == others->index || written->index == own->index))
      return std::nullopt;
  }
  return std::nullopt;
}

std::vector<Steps> sums_in(const TracedBasicBlock& block, const Trace& trace) {
  std::vector<Steps> sums;
  std::map<uint16_t, Steps> by_register;  // that holds the sum so far
  const auto end = [&](uint16_t number) {
    const auto found = by_register.find(number);
    if (found == by_register.end()) return;
    if (found->second.size() >= least_steps) sums.push_back(std::move(found->second));
    by_register.erase(found);
  };
  for (uint32_t i = block.first; i <= block.last && block.first <= block.last; ++i) {
    const Instruction& instruction = *trace.code[i].instruction;
    const Operand* written = written_by(instruction);
    // Another value in its place.
    if (const auto found = written ? by_register.find(written->index) : by_register.end();
        found != by_register.end() && found->second.back().adds < i)
      end(written->index);
    if (instruction.opcode != "SHFL" || instruction.guarded) continue;
    const auto adds = adds_what(i, trace, block.last);
    if (!adds) continue;
    Steps steps;
    if (const auto before = by_register.find(read_by(instruction)->index);
        before != by_register.end() && before->second.back().adds < i) {
      steps = std::move(before->second);
      by_register.erase(before);
    }
    steps.push_back({i, *adds});
    const uint16_t to = written_by(*trace.code[*adds].instruction)->index;
    end(to);
    by_register[to] = std::move(steps);
  }
  while (!by_register.empty()) end(by_register.begin()->first);
  return sums;
}

}  // namespace

void Asking::warp_sums() {
  const Trace& trace = task_.trace;
  std::vector<bool> left_out(trace.code.size());
  std::optional<uint32_t> worst;
  size_t steps_of_worst = 0;
  for (const TracedBasicBlock& block : trace.basic_blocks)
    for (const Steps& steps : sums_in(block, trace)) {
      const uint32_t at = steps.front().shuffle;
      if (std::ranges::none_of(evidence_.loops.all, [&](const Loop& loop) { return loop.has(at); }))
        continue;
      for (auto step = steps.begin(); step + 1 != steps.end(); ++step)
        left_out[step->shuffle] = left_out[step->adds] = true;
      const auto& executed = evidence_.executed.by_instruction;
      if (!worst || executed[at] > executed[*worst]) {
        worst = at;
        steps_of_worst = steps.size();
      }
    }
  if (!worst) return;
  ask({.id = "warp_sums",
       .question = {.left_out = left_out},
       .what = fmt::format("in each round a warp adds up its lanes by {} shuffles, one after the "
                           "other (gain: without {} of them)",
                           steps_of_worst, steps_of_worst - 1),
       .next = "let fewer lanes share a sum: eight that load 16 bytes each add up four rows at a "
               "time by three shuffles; or let a lane add for itself, and the warp behind the loop",
       .instruction = worst});
}

}  // namespace headroom
