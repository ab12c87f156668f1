#include "sim/observers/sites.h"

#include <algorithm>

#include "sim/machinery.h"

namespace headroom::sim {
namespace {

void sum(std::vector<uint64_t>& mine, const std::vector<uint64_t>& theirs) {
  for (size_t i = 0; i < mine.size(); ++i) mine[i] += theirs[i];
}

const sass::Instruction* machine_instruction(const Program& program, size_t index) {
  const InstructionAt& at = program.instructions[index];
  return at.code ? &at.code->instructions[at.index] : nullptr;
}

constexpr uint64_t line_bytes = 128;

std::string_view name_of(Use use) {
  return use == Use::load ? "load" : use == Use::store ? "store" : "atomic";
}

AccessExample example_of(const Access& access) {
  const AccessPattern& pattern = access.pattern;
  AccessExample example;
  example.instruction = access.operation.instruction;
  example.shared = access.space == Place::shared;
  example.use = name_of(access.use);
  example.bytes = pattern.bytes;
  example.mask = pattern.mask;
  example.first = example.shared ? access.first : access.first % line_bytes;
  for (int lane = 0; lane < lanes; ++lane)
    if (pattern.mask >> lane & 1) example.offset[lane] = int64_t(pattern.delta[lane]);
  if (!example.shared) {
    example.sectors = pattern.sectors;
  } else if (access.use != Use::atomic) {
    example.wavefronts = pattern.wavefronts;
    example.conflicts = pattern.conflicts;
  }
  example.block = access.warp.block->linear;
  example.warp = access.warp.index;
  return example;
}

bool never(const sass::Instruction& instruction) {  // @!PT
  return instruction.guard.index == sass::true_predicate && instruction.guard.inverted;
}

}  // namespace

void Sites::begin(const Program& program) {
  counts_.assign(program.instructions.size(), {});
  guarded_.assign(program.operations.size(), 0);
  taken_.assign(program.instructions.size(), 0);
  examples_.clear();
  examples_.resize(program.instructions.size());
}

void Sites::merge(const Sites& other) {
  for (size_t i = 0; i < counts_.size(); ++i) add(counts_[i], other.counts_[i]);
  sum(guarded_, other.guarded_);
  sum(taken_, other.taken_);
  for (size_t i = 0; i < examples_.size(); ++i) {
    const AccessExample *mine = examples_[i].get(), *theirs = other.examples_[i].get();
    if (!theirs) continue;
    if (!mine || theirs->cost() > mine->cost() ||
        (theirs->cost() == mine->cost() && theirs->block < mine->block))
      examples_[i] = std::make_unique<AccessExample>(*theirs);
  }
}

// The lanes of one request with addresses of their own; of local memory nothing is to be seen.
void Sites::keep(const Access& access) {
  if (access.lane_bytes || access.rest) return;
  auto& known = examples_[access.operation.instruction];
  const bool shared = access.space == Place::shared;
  const uint32_t cost = !shared                     ? access.pattern.sectors
                        : access.use == Use::atomic ? 0
                                                    : access.pattern.wavefronts;
  if (!known || cost > known->cost()) known = std::make_unique<AccessExample>(example_of(access));
}

void Sites::on(const Guarded& event) {
  guarded_[size_t(&event.operation - event.warp.block->machinery->operations)] += event.lanes();
}

void Sites::on(const Taken& event) { taken_[event.basic_block.instruction] += event.lanes(); }

void Sites::on(const Diverged& event) { counts_[event.basic_block.instruction].divergent += 1; }

void Sites::on(const Reissued& event) {
  InstructionCounts& count = counts_[event.instruction];
  count.executed += event.times;
  count.threads += event.lanes;
  count.threads_on += event.lanes;
}

void Sites::on(const Access& access) {
  InstructionCounts& count = counts_[access.operation.instruction];
  const AccessPattern& pattern = access.pattern;
  if (access.space == Place::global || access.space == Place::shared) keep(access);
  if (access.space == Place::global) {
    count.requests += !access.rest;
    count.sectors += pattern.sectors;
  } else if (access.space == Place::local) {
    count.requests += local_requests(pattern);
    count.sectors += pattern.sectors;
  } else if (access.space == Place::shared) {
    count.shared_requests += 1;
    if (access.use == Use::atomic) return;  // how often they conflict is not known
    count.wavefronts += pattern.wavefronts;
    count.conflicts += pattern.conflicts;
  }
}

void Sites::on(const Copied& copied) {
  if (copied.space == Place::global)
    counts_[copied.operation.instruction].sectors += sectors_of(copied);
}

std::vector<AccessExample> Sites::examples() const {
  std::vector<AccessExample> result;
  for (const auto& example : examples_)
    if (example) result.push_back(*example);
  return result;
}

std::vector<InstructionCounts> Sites::finish(const Program& program, const Mix& mix) const {
  std::vector<InstructionCounts> result = counts_;
  // Of several operations of an instruction some may have narrower conditions of their own.
  std::vector<uint64_t> holding(result.size(), 0);
  std::vector<bool> tells(result.size(), false);
  for (size_t o = 0; o < program.operations.size(); ++o) {
    const Operation& operation = program.operations[o];
    if (operation.guard == no_operand) continue;
    holding[operation.instruction] = std::max(holding[operation.instruction], guarded_[o]);
    tells[operation.instruction] = true;
  }
  for (size_t b = 0; b < program.basic_blocks.size(); ++b) {
    const BasicBlock& basic_block = program.basic_blocks[b];
    const uint32_t last = basic_block.instruction;
    for (uint32_t i = first_instruction(basic_block); i <= last; ++i) {
      const sass::Instruction* instruction = machine_instruction(program, i);
      uint64_t on = mix.lanes_entered[b];
      if (instruction && instruction->guarded) {
        if (never(*instruction))
          on = 0;
        else if (i == last && basic_block.predicate != no_operand &&
                 basic_block.terminator != Terminator::indirect)
          on = taken_[i];
        else if (tells[i])
          on = holding[i];
      }
      result[i].executed += mix.entries[b];
      result[i].threads += mix.lanes_entered[b];
      result[i].threads_on += on;
    }
  }
  return result;
}

}  // namespace headroom::sim
