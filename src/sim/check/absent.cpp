#include "sim/check/absent.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>

#include "sim/finding_of.h"
#include "sim/machinery.h"

namespace headroom::sim::check {
namespace {

constexpr uint32_t nowhere = ~0u;

}  // namespace

void Absent::begin(const Program& program) {
  program_ = &program;
  blocks_.clear();
  told_.clear();
  findings_.clear();
}

uint64_t Absent::place_of(uint32_t instruction) const {
  const InstructionAt& at = program_->instructions[instruction];
  if (!at.function) return instruction;
  const ptx::SourceLine& line = at.function->body[at.index].source;
  return line.line ? uint64_t(line.file + 1) << 32 | uint32_t(line.line) : instruction;
}

void Absent::arrived(const Warp& warp, uint32_t barrier) {
  if (barrier >= named_barriers) return;
  OfBlock& block = blocks_[warp.block];
  if (block.linear != warp.block->linear)
    block = {warp.block->linear, {}, std::vector<uint32_t>(named_barriers, nowhere)};
  const BasicBlock& ends =
      program_->basic_blocks[warp.groups[warp.current].basic_block - 1];  // it is behind it already
  block.at[barrier] = ends.threads == no_operand ? ends.instruction : nowhere;
  if (ends.threads != no_operand) return;
  const uint64_t place = place_of(ends.instruction);
  auto visited = std::ranges::find(block.barriers, place, &Visited::place);
  if (visited == block.barriers.end())
    visited =
        block.barriers.insert(visited, {place, std::vector<uint32_t>(warp.block->warps.size())});
  visited->lanes[warp.index] |= warp.mask;
}

void Absent::released(const BlockState& state, uint32_t barrier) {
  const auto block = blocks_.find(&state);
  if (barrier >= named_barriers || block == blocks_.end()) return;
  const uint32_t instruction = block->second.at[barrier];
  if (instruction == nowhere) return;
  const auto visited =
      std::ranges::find(block->second.barriers, place_of(instruction), &Visited::place);
  uint32_t ended = 0, first = nowhere;
  const Warp* here = nullptr;
  for (uint32_t w = 0; w < state.warps.size(); ++w) {
    const uint32_t gone = visited->lanes[w] & ~state.warps[w].live;
    if (gone && first == nowhere) first = w * lanes + uint32_t(std::countr_zero(gone));
    ended += uint32_t(std::popcount(gone));
    if (!here && state.warps[w].live) here = &state.warps[w];
  }
  if (!ended || !here) return;
  if (const auto known = told_.find(instruction); known != told_.end()) {
    ++findings_[known->second].times;
    return;
  }
  told_[instruction] = findings_.size();
  const Finding absent = finding_of(Fault{"", "", 0, std::nullopt, instruction, int(first % lanes)},
                                    *program_, state.warps[first / lanes]);
  findings_.push_back(finding_of(
      Fault{
          "barrier_ended",
          fmt::format("a barrier of the whole block that {} of its threads no longer {} to: {} at "
                      "it before, and {} ended; the first is thread ({})",
                      ended, ended == 1 ? "comes" : "come", ended == 1 ? "it was" : "they were",
                      ended == 1 ? "has" : "have", fmt::join(absent.thread, ",")),
          0, std::nullopt, instruction, std::countr_zero(here->live)},
      *program_, *here));
}

std::vector<Finding> Absent::finish() {
  std::vector<Finding> all = std::move(findings_);
  begin(*program_);
  return all;
}

}  // namespace headroom::sim::check
