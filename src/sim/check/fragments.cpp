#include "sim/check/fragments.h"

#include <algorithm>
#include <bit>

#include "sim/finding_of.h"
#include "sim/machinery.h"
#include "sim/register_allocation.h"

namespace headroom::sim::check {
namespace {

bool is_matrix_product(const InstructionAt& at) {
  return at.function && at.function->body[at.index].opcode == "wgmma";
}

constexpr const char* wait_advice = "put wgmma.wait_group between them";
constexpr const char* fence_advice =
    "put wgmma.fence behind what writes them, and before the first wgmma of a kernel";

}  // namespace

void Fragments::begin(const Program& program) {
  blocks_.clear();
  told_.clear();
  findings_.clear();
  if (program_ == &program) return;
  program_ = &program;
  uses_.clear();
  if (std::ranges::any_of(program.instructions, is_matrix_product))
    uses_.resize(program.instructions.size());
}

Fragments::Uses Fragments::uses_of(const ptx::Instruction& i) const {
  using Kind = ptx::Operand::Kind;
  Uses uses;
  const auto visit = [](const auto& self, const ptx::Operand& operand,
                        std::vector<uint32_t>& into) -> void {
    if ((operand.kind == Kind::reg || operand.kind == Kind::address) && operand.reg >= 0)
      into.push_back(uint32_t(operand.reg));
    for (const ptx::Operand& item : operand.items) self(self, item, into);
  };
  if (i.opcode == "wgmma" && !i.has(".mma_async")) {
    uses.kind = i.has(".fence") ? Uses::fence : i.has(".commit_group") ? Uses::commit : Uses::wait;
    if (uses.kind == Uses::wait) uses.groups_left = uint32_t(i.operands.at(0).bits);
    return uses;
  }
  uses.kind = Uses::other;
  if (i.opcode == "wgmma") {
    uses.kind = Uses::product;
    visit(visit, i.operands.at(0), uses.writes);
    if (i.operands.at(1).kind == Kind::list) visit(visit, i.operands[1], uses.reads);
    return uses;
  }
  const size_t outs = size_t(written_operands(i));
  for (size_t n = 0; n < i.operands.size(); ++n)
    visit(visit, i.operands[n],
          n < outs && i.operands[n].kind != Kind::address ? uses.writes : uses.reads);
  if (i.opcode == "mov" && uses.reads.size() == 1 && uses.writes.size() == 1)
    uses.kind = Uses::copy;
  else if (i.opcode == "mov" && uses.reads.empty())
    uses.kind = Uses::constant;
  return uses;
}

const Fragments::Uses& Fragments::uses(uint32_t instruction) {
  auto& slot = uses_[instruction];
  if (slot) return *slot;
  const InstructionAt& at = program_->instructions[instruction];
  const bool of_kernel = at.function && at.function == program_->functions[0].source;
  slot = std::make_unique<Uses>(of_kernel ? uses_of(at.function->body[at.index]) : Uses{});
  return *slot;
}

Fragments::OfWarp& Fragments::of(const Warp& warp) {
  OfBlock& block = blocks_[warp.block];
  if (block.linear != warp.block->linear) {
    block.linear = warp.block->linear;
    block.warps.assign(warp.block->warps.size(), {});
  }
  OfWarp& mine = block.warps[warp.index];
  if (mine.held.empty()) mine.held.resize(program_->functions[0].source->registers.size());
  return mine;
}

bool Fragments::runs(const Warp& warp, const ptx::Instruction& i) const {
  if (i.guard.reg < 0) return warp.mask != 0;
  const auto* bits = reinterpret_cast<const uint32_t*>(
      warp.base + program_->functions[0].registers[size_t(i.guard.reg)].at);
  return (warp.mask & (i.guard.negated ? ~*bits : *bits)) != 0;
}

void Fragments::step(const Warp& warp, const Operation& operation) {
  const uint32_t instruction = operation.instruction;
  if (instruction == last_) return;
  last_ = instruction;
  const Uses& what = uses(instruction);
  if (what.kind == Uses::nothing) return;
  const InstructionAt& at = program_->instructions[instruction];
  if (!runs(warp, at.function->body[at.index])) return;
  OfWarp& mine = of(warp);
  const auto in_flight = [&](const Held& held) {
    return held.group != no_instruction && held.group >= mine.done;
  };
  switch (what.kind) {
    case Uses::fence: ++mine.fences; return;
    case Uses::commit: ++mine.groups; return;
    case Uses::wait:
      if (mine.groups > what.groups_left)
        mine.done = std::max(mine.done, mine.groups - what.groups_left);
      return;
    case Uses::product:
      if (!mine.fences)
        note(warp, instruction, "a product comes before the first wgmma.fence", fence_advice,
             no_instruction);
      for (const auto* all : {&what.writes, &what.reads})
        for (const uint32_t reg : *all) {
          Held& held = mine.held[reg];
          if (held.written == mine.fences)
            note(warp, instruction,
                 "a product works on registers that were written since the last wgmma.fence",
                 fence_advice, no_instruction);
          if (all == &what.reads && in_flight(held) && held.is_sum)
            note(warp, instruction, "a product reads sums of one that is not waited for",
                 wait_advice, held.product);
          held = {no_instruction, mine.groups, instruction, all == &what.writes};
        }
      return;
    case Uses::copy: {
      const Held from = mine.held[what.reads[0]];
      Held& to = mine.held[what.writes[0]];
      if (in_flight(to) && !(from.group == to.group && from.product == to.product))
        note(warp, instruction, "registers are written while a product works on them", wait_advice,
             to.product);
      to = from;
      return;
    }
    default: break;
  }
  for (const uint32_t reg : what.reads) {
    Held& held = mine.held[reg];
    if (!in_flight(held) || !held.is_sum) continue;
    note(warp, instruction, "registers are read while a product adds to them", wait_advice,
         held.product);
    held.group = no_instruction;
  }
  for (const uint32_t reg : what.writes) {
    Held& held = mine.held[reg];
    if (in_flight(held))
      note(warp, instruction, "registers are written while a product works on them", wait_advice,
           held.product);
    held = {what.kind == Uses::constant ? no_instruction : mine.fences};
  }
}

void Fragments::note(const Warp& warp, uint32_t instruction, const char* what, const char* advice,
                     uint32_t product) {
  const auto [found, is_new] = told_.try_emplace(std::pair(instruction, product), findings_.size());
  if (!is_new) {
    ++findings_[found->second].times;
    return;
  }
  Finding finding = finding_of(Fault{"race_wgmma", std::string("race: ") + what, 0, std::nullopt,
                                     instruction, std::countr_zero(warp.mask)},
                               *program_, warp);
  finding.advice = advice;
  if (product != no_instruction) {
    Finding::Party other;
    other.use = "product";
    describe_place(*program_, product, other.source, other.instruction);
    other.block = finding.block;
    other.thread = finding.thread;
    finding.other = std::move(other);
  }
  findings_.push_back(std::move(finding));
}

std::vector<Finding> Fragments::finish() {
  std::vector<Finding> all = std::move(findings_);
  begin(*program_);
  return all;
}

}  // namespace headroom::sim::check
