#include "sim/observers/tracer.h"

#include <algorithm>
#include <utility>

#include "sim/decode_sass/pipes.h"
#include "sim/likely/likely_code.h"
#include "sim/observers/sectors.h"

namespace headroom::sim {
namespace {

// A word of all lanes of a warp is a line of 128 bytes; beyond all addresses of global memory.
uint64_t local_sector(const TracedBlock& block, const Warp& warp, uint64_t address) {
  constexpr uint64_t beyond = 1ull << 60;
  const uint64_t stack = block.linear * block.warps.size() + warp.index;
  return beyond + (stack << 24) +
         (address & 0xffffff);  // 4 sectors of 4 bytes a lane: as many as the word's bytes
}

AccessKind kind_of(Place space, Use use) {
  using K = AccessKind;
  switch (space) {
    case Place::shared:
      return use == Use::load    ? K::shared_load
             : use == Use::store ? K::shared_store
                                 : K::shared_atomic;
    case Place::local: return use == Use::load ? K::local_load : K::local_store;
    case Place::texture: return K::texture;
    default:
      return use == Use::load    ? K::global_load
             : use == Use::store ? K::global_store
                                 : K::global_atomic;
  }
}

uint8_t busiest(const AccessPattern& pattern) {
  std::vector<uint64_t> places;
  for (uint32_t left = pattern.mask; left; left &= left - 1)
    places.push_back(pattern.delta[std::countr_zero(left)]);
  std::ranges::sort(places);
  size_t most = 0, run = 0;
  for (size_t i = 0; i < places.size(); ++i) {
    run = i && places[i] == places[i - 1] ? run + 1 : 1;
    most = std::max(most, run);
  }
  return uint8_t(most);
}

uint16_t pipes_in_bits(const sass::Instruction& instruction, int architecture) {
  uint16_t bits = 0;
  for (const Pipe pipe : pipes_of(instruction, architecture)) bits |= uint16_t(1u << int(pipe));
  return bits;
}

void add_code(Trace& trace, const Program& program) {
  trace.sections = program.sections;
  for (const InstructionAt& at : program.instructions) {
    const sass::Instruction& instruction = at.code->instructions[at.index];
    trace.code.push_back({&instruction, pipes_in_bits(instruction, program.code->architecture)});
  }
  for (const BasicBlock& basic_block : program.basic_blocks)
    trace.basic_blocks.push_back(
        basic_block.profile.instructions
            ? TracedBasicBlock{first_instruction(basic_block), basic_block.instruction}
            : TracedBasicBlock{1, 0});
}

// In the order that ptxas would likely give it: what the warps did stands in that order too.
void add_likely_code(Trace& trace, const Program& program) {
  constexpr int as_of = 90;  // the pipes of opcodes
  const LikelyCode likely = likely_code(program);
  trace.likely = true;
  trace.sections = {likely.code};
  trace.basic_blocks = ranges_of(program);
  const std::vector<uint32_t> place = likely_order(likely, trace.basic_blocks);
  trace.code.resize(place.size());
  for (size_t i = 0; i < place.size(); ++i) {
    const sass::Instruction& instruction = likely.code->instructions[i];
    trace.code[place[i]] = {&instruction, pipes_in_bits(instruction, as_of), likely.times[i].all,
                            likely.times[i].on_unit};
  }
  for (TracedBlock& block : trace.blocks)
    for (TracedWarp& warp : block.warps) {
      for (TracedAccess& access : warp.accesses) access.instruction = place[access.instruction];
      std::ranges::stable_sort(warp.accesses, {}, [](const TracedAccess& access) {
        return std::pair(access.entry, access.instruction);
      });
    }
}

}  // namespace

Tracer::Tracer(const Program& program, const TraceSample& sample, size_t warps_of_block)
    : program_(program), sample_(sample), blocks_(sample.count) {
  for (uint64_t i = 0; i < sample.count; ++i) {
    blocks_[i].linear = sample.first + i * sample.step;
    blocks_[i].warps.resize(warps_of_block);
  }
}

TracedWarp& Tracer::warp_of(const Warp& warp) {
  return blocks_[size_t(warp.block->traced)].warps[warp.index];
}

void Tracer::enter(const Entered& event) {
  TracedWarp& warp = warp_of(event.warp);
  const uint32_t instructions = program_.basic_blocks[event.basic_block].profile.instructions;
  warp.executed += instructions;
  ++warp.entries;
  spins_ |= program_.basic_blocks[event.basic_block].spins;
  if (warp.traced >= sample_.instructions || warp.traced + instructions < warp.executed) return;
  warp.entered.push_back({event.basic_block, event.lanes()});
  warp.traced += instructions;
}

TracedAccess* Tracer::begin_access(const Warp& warp, uint32_t instruction, AccessKind kind) {
  TracedWarp& of = warp_of(warp);
  if (of.traced != of.executed) return nullptr;  // behind the end of the trace
  const auto& sectors = blocks_[size_t(warp.block->traced)].sectors;
  return &of.accesses.emplace_back(TracedAccess{.entry = uint32_t(of.entered.size() - 1),
                                                .instruction = instruction,
                                                .kind = kind,
                                                .first_sector = uint32_t(sectors.size())});
}

void Tracer::add(const Access& access) {
  if (access.space == Place::parameter || access.space == Place::constant) return;
  const AccessKind kind = kind_of(access.space, access.use);
  TracedAccess* made = begin_access(access.warp, access.operation.instruction, kind);
  if (!made) return;
  const AccessPattern& pattern = access.pattern;
  TracedBlock& block = blocks_[size_t(access.warp.block->traced)];
  made->bytes = pattern.bytes;
  made->offset = uint8_t(access.first & 31);
  made->lanes = uint8_t(std::popcount(pattern.mask));
  if (access.use == Use::atomic) made->same_address = busiest(pattern);
  if (access.space == Place::shared) {
    made->wavefronts = pattern.wavefronts;
    made->conflicts = pattern.conflicts;
  } else if (access.space == Place::local) {
    made->sectors = pattern.sectors;
    const uint64_t first = local_sector(block, access.warp, access.first);
    for (uint64_t i = 0; i < pattern.sectors; ++i) block.sectors.push_back(first + i);
  } else if (access.space == Place::global) {
    made->sectors = pattern.sectors;
    const uint64_t first = access.first >> 5;
    for (int i = 0; i < pattern.sectors; ++i)
      block.sectors.push_back(first + uint64_t(pattern.sector[pattern.consecutive ? 0 : i]) +
                              uint64_t(pattern.consecutive ? i : 0));
  }
}

// At the end of the basic block that the warp entered last.
void Tracer::add(const Arrived& event) {
  const TracedWarp& of = warp_of(event.warp);
  if (of.entered.empty() || of.traced != of.executed) return;
  const uint32_t at = program_.basic_blocks[of.entered.back().basic_block].instruction;
  if (TracedAccess* made = begin_access(event.warp, at, AccessKind::barrier))
    made->wavefronts = uint16_t(event.barrier);
}

void Tracer::on(const Copied& copied) {
  if (copied.warp.block->traced < 0 || copied.space != Place::global) return;
  TracedAccess* made = begin_access(copied.warp, copied.operation.instruction, AccessKind::bulk);
  if (!made) return;
  made->sectors = uint32_t(sectors_of(copied));
  auto& sectors = blocks_[size_t(copied.warp.block->traced)].sectors;
  for (uint64_t i = 0; i < made->sectors; ++i) sectors.push_back((copied.address >> 5) + i);
}

void Tracer::merge(Tracer& other) {
  longest_warp_ = std::max(longest_warp_, other.longest_warp_);
  spins_ |= other.spins_;
  for (size_t i = 0; i < blocks_.size(); ++i)
    for (size_t w = 0; w < blocks_[i].warps.size(); ++w)
      if (other.blocks_[i].warps[w].executed > blocks_[i].warps[w].executed) {
        std::swap(blocks_[i], other.blocks_[i]);
        break;
      }
}

Trace Tracer::finish(const Program& program) {
  Trace trace;
  trace.blocks = std::move(blocks_);
  trace.longest_warp = longest_warp_;
  trace.spins = spins_;
  if (program.code)
    add_code(trace, program);
  else
    add_likely_code(trace, program);
  return trace;
}

}  // namespace headroom::sim
