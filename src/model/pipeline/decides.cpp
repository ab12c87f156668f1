#include "model/pipeline/decides.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "model/pipeline/loops.h"
#include "model/pipeline/out_of_line.h"

namespace headroom {
namespace {

using sass::Operand, sass::OperandKind;

// What has the value, or comes of it. All of shared memory is one place.
class Followed {
 public:
  // What is written, or is not, as the value says, has it where both ways meet: P0 of
  //   PLOP3 P0 = true;  @P1 BRA .L2;  …;  PLOP3 P0 = false;  .L2: @P0 BRA .L1
  void part_until(uint32_t instruction) { parted_.push_back({instruction, {}}); }
  void come_to(uint32_t instruction) {
    for (const Parted& each : parted_)
      if (each.until == instruction) places_.insert(each.written.begin(), each.written.end());
    std::erase_if(parted_, [&](const Parted& each) { return each.until == instruction; });
  }
  // In the order of the code: a register that gets another value has it no longer.
  void pass(const sass::Instruction& instruction, bool gives_it) {
    const bool has = gives_it || reads(instruction);
    if (instruction.opcode == "STS" && has) in_shared_ = true;
    for (const Operand& operand : instruction.operands) {
      if (!operand.written) continue;
      put({operand.kind, operand.index}, has, instruction.guarded);
      if (is_wide(instruction))
        put({operand.kind, uint16_t(operand.index + 1)}, has, instruction.guarded);
    }
  }
  bool guards(const sass::Instruction& instruction) const {
    if (instruction.guarded && has(instruction.guard)) return true;
    return instruction.opcode == "BRA" &&
           std::ranges::any_of(instruction.operands, [&](const Operand& operand) {
             return operand.kind == OperandKind::predicate && has(operand);
           });
  }

 private:
  using Place = std::pair<OperandKind, uint16_t>;

  static bool is_wide(const sass::Instruction& instruction) {
    return std::ranges::any_of(instruction.modifiers, [](std::string_view modifier) {
      return modifier == ".64" || modifier == ".U64" || modifier == ".S64" || modifier == ".WIDE";
    });
  }
  // RZ, PT and their uniform likes take what is written and stay what they are.
  static bool is_fixed(const Place& place) {
    switch (place.first) {
      case OperandKind::reg: return place.second == sass::zero_register;
      case OperandKind::uniform: return place.second == sass::zero_uniform;
      case OperandKind::predicate:
      case OperandKind::uniform_predicate: return place.second == sass::true_predicate;
      default: return false;
    }
  }
  bool has(const Operand& operand) const { return places_.contains({operand.kind, operand.index}); }
  bool reads(const sass::Instruction& instruction) const {
    if (guards(instruction) || (in_shared_ && instruction.opcode == "LDS")) return true;
    return std::ranges::any_of(instruction.operands, [&](const Operand& operand) {
      return !operand.written && operand.kind != OperandKind::memory && has(operand);
    });
  }
  void put(Place place, bool has, bool is_guarded) {
    if (is_fixed(place)) return;
    for (Parted& each : parted_) each.written.insert(place);
    if (has)
      places_.insert(place);
    else if (!is_guarded)
      places_.erase(place);
  }

  struct Parted {
    uint32_t until;
    std::set<Place> written;
  };
  std::set<Place> places_;
  std::vector<Parted> parted_;
  bool in_shared_ = false;
};

// Branches and exits out of a loop of the code that an instruction lies in, and its branch back, whether or not a warp came round
// before its trace ended. What lies behind the end of the kernel is no loop, though it branches back.
std::set<uint32_t> ends_around(const Trace& trace, uint32_t instruction) {
  std::set<uint32_t> ends;
  for (uint32_t last = instruction; last < trace.code.size(); ++last) {
    const sass::Instruction* const end = trace.code[last].instruction;
    if (!end) continue;
    if (!end->guarded && (end->opcode == "EXIT" || end->opcode == "RET")) break;
    if (end->opcode != "BRA") continue;
    const auto first = goes_to(trace, last);
    if (!first || *first > instruction) continue;
    const Loop loop{*first, last};
    ends.insert(last);
    for (uint32_t i = loop.first; i < last; ++i) {
      const sass::Instruction* each = trace.code[i].instruction;
      if (!each) continue;
      if (each->opcode == "EXIT") ends.insert(i);
      if (each->opcode != "BRA") continue;
      if (const auto to = goes_to(trace, i); to && !loop.has(*to)) ends.insert(i);
    }
  }
  return ends;
}

}  // namespace

LoopDecisions::LoopDecisions(const Trace& trace)
    : trace_(trace), ends_(ends_of_loops(trace, Loops(trace))) {}

bool LoopDecisions::decides(uint32_t instruction) const {
  std::set<uint32_t> ends = ends_around(trace_, instruction);
  ends.insert(ends_.begin(), ends_.end());
  Followed followed;
  for (int round = 0; round < 2; ++round)  // what comes before it in the loop, the next time round
    for (uint32_t i = 0; i < trace_.code.size(); ++i) {
      const sass::Instruction* each = trace_.code[i].instruction;
      if (!each) continue;
      followed.come_to(i);
      const bool guards = followed.guards(*each);
      if (guards && ends.contains(i)) return true;
      followed.pass(*each, i == instruction);
      if (!guards || each->opcode != "BRA") continue;
      const auto to = goes_to(trace_, i);
      if (to && *to > i) followed.part_until(*to);
    }
  return false;
}

}  // namespace headroom
