// Advice on sums and scans of a block in shared memory that take a barrier for each halving: shuffles do five of the steps within
// a warp, and one step through shared memory joins the warps.
//
//   BAR; @!P1 LDS R4, [R0]; @!P1 LDS R7, [R0+0x200]; @!P1 FADD R7, R4, R7; @!P1 STS [R0], R7; BAR; … eight times, or in a loop
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "model/pipeline/asking.h"

namespace headroom {
namespace {

constexpr uint32_t longest_step = 24;  // instructions
constexpr double least_steps = 4;
constexpr double stay = 2;  // steps, for the shuffles and for the one through shared memory

bool is_barrier(const sass::Instruction& instruction) { return instruction.opcode == "BAR"; }

// Two values, or one and the thread's own, become one that is stored.
bool is_step(const Trace& trace, uint32_t first, uint32_t last) {
  int loads = 0, stores = 0;
  for (uint32_t i = first; i <= last; ++i) {
    const std::string_view opcode = trace.code[i].instruction->opcode;
    loads += opcode == "LDS";
    stores += opcode == "STS";
    if (opcode == "LDG" || opcode == "STG" || opcode == "LD" || opcode == "ST") return false;
  }
  return stores == 1 && (loads == 1 || loads == 2);
}

// The furthest of what it loads from: halves, or doubles, from step to step.
int64_t distance_of(const Trace& trace, uint32_t first, uint32_t last) {
  int64_t furthest = 0;
  for (uint32_t i = first; i <= last; ++i)
    if (trace.code[i].instruction->opcode == "LDS")
      for (const sass::Operand& operand : trace.code[i].instruction->operands)
        if (operand.kind == sass::OperandKind::memory) furthest = std::max(furthest, operand.value);
  return furthest;
}

bool shifts(const sass::Instruction& instruction) {
  const std::string_view opcode = instruction.opcode;
  return opcode == "SHF" || opcode == "USHF" || opcode == "SHL" || opcode == "USHL" ||
         opcode == "LEA" || ((opcode == "IMAD" || opcode == "UIMAD") && instruction.has(".SHL"));
}

}  // namespace

void Asking::block_trees() {
  const Trace& trace = task_.trace;
  const auto& executed = evidence_.executed.by_instruction;
  std::vector<bool> left_out(trace.code.size());
  std::optional<uint32_t> worst;
  double steps_of_worst = 0, share = 1;  // of the gain
  const auto found = [&](uint32_t at, double steps) {
    if (worst && executed[at] <= executed[*worst]) return;
    worst = at;
    steps_of_worst = steps;
  };
  // One step after the other.
  std::vector<uint32_t> barriers;
  for (uint32_t i = 0; i < trace.code.size(); ++i)
    if (executed[i] > 0 && is_barrier(*trace.code[i].instruction)) barriers.push_back(i);
  for (size_t from = 0; from + 1 < barriers.size();) {
    size_t to = from;
    int64_t before = -1;
    while (to + 1 < barriers.size() && barriers[to + 1] - barriers[to] <= longest_step &&
           is_step(trace, barriers[to], barriers[to + 1])) {
      const int64_t distance = distance_of(trace, barriers[to], barriers[to + 1]);
      if (distance == before) break;  // as a stencil's
      before = distance;
      ++to;
    }
    const auto steps = double(to - from);
    if (steps >= least_steps) {
      const uint32_t last = barriers[to - size_t(stay)];
      std::fill(left_out.begin() + barriers[from] + 1, left_out.begin() + last + 1, true);
      found(barriers[from] + 1, steps);
    }
    from = std::max(to, from + 1);
  }
  // A loop with one step, or with a barrier before its store, too; it shifts how far apart they are, and so has few rounds.
  const double most_rounds = 1 + std::log2(double(task_.record.shape.block.count()));
  for (const Loop& loop : evidence_.loops.innermost()) {
    if (loop.last - loop.first > 2 * longest_step || !is_step(trace, loop.first, loop.last))
      continue;
    const auto code = std::span(trace.code).subspan(loop.first, loop.last - loop.first + 1);
    const auto waits = std::ranges::count_if(
        code, [](const TracedInstruction& each) { return is_barrier(*each.instruction); });
    const bool has_shift = std::ranges::any_of(
        code, [](const TracedInstruction& each) { return shifts(*each.instruction); });
    double rounds = 0;
    for (size_t b = 0; b < trace.basic_blocks.size(); ++b)
      if (trace.basic_blocks[b].last == loop.last && evidence_.loops.ways[b].straight_on > 0)
        rounds = evidence_.loops.ways[b].times / evidence_.loops.ways[b].straight_on;
    if (waits < 1 || waits > 2 || !has_shift || rounds < least_steps || rounds > most_rounds)
      continue;
    std::fill(left_out.begin() + loop.first, left_out.begin() + loop.last + 1, true);
    share = std::min(share, 1 - stay / rounds);
    found(loop.first, rounds);
  }
  if (!worst) return;
  tell({.id = "block_trees",
        .what = fmt::format("a sum or a scan of the block in shared memory takes {:.0f} steps, "
                            "each behind a barrier",
                            steps_of_worst),
        .next = "by shuffles within a warp (__shfl_down_sync, for a scan __shfl_up_sync), then a "
                "value a warp through shared memory; or give each sum a warp in place of a block",
        .instruction = worst},
       share * gain_of({.left_out = left_out}));
}

}  // namespace headroom
