#include "sim/observers/tracer.h"

#include <algorithm>
#include <utility>

#include "sim/decode_sass/pipes.h"
#include "sim/likely/likely_code.h"
#include "sim/mbarrier_operations.h"
#include "sim/observers/later.h"
#include "sim/observers/sectors.h"

namespace headroom::sim {
namespace {

// A word of all lanes of a warp is a line of 128 bytes, beyond all addresses of global memory: 4 sectors, as many as
// the word has bytes, of eight lanes each. Lanes that index an array by different numbers touch different lines.
void add_local_sectors(TracedBlock& block, const Warp& warp, uint64_t first,
                       const AccessPattern& pattern) {
  const uint64_t stack = local_sectors + ((block.linear * block.warps.size() + warp.index) << 24);
  const auto begin = ptrdiff_t(block.sectors.size());
  for (uint32_t left = pattern.mask; left; left &= left - 1) {
    const int lane = std::countr_zero(left);
    const uint64_t word = (first + pattern.delta[lane]) & 0xfffffc;
    for (uint64_t i = 0; i < std::max<uint64_t>(1, pattern.bytes / 4); ++i)
      block.sectors.push_back(stack + word + 4 * i + uint64_t(lane) / 8);
  }
  std::sort(block.sectors.begin() + begin, block.sectors.end());
  block.sectors.erase(std::unique(block.sectors.begin() + begin, block.sectors.end()),
                      block.sectors.end());
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
    case Place::parameter:
    case Place::constant: return K::constant_load;
    default:
      return use == Use::load    ? K::global_load
             : use == Use::store ? K::global_store
                                 : K::global_atomic;
  }
}

// Constants are addressed by 32 bits.
void add_addresses(TracedBlock& block, TracedAccess& made, const Access& access) {
  std::vector<uint32_t> places;
  for (uint32_t left = access.pattern.mask; left; left &= left - 1)
    places.push_back(uint32_t(access.first + access.pattern.delta[std::countr_zero(left)]));
  std::ranges::sort(places);
  uint64_t last = ~0ull;
  for (size_t i = 0; i < places.size(); ++i) {
    if (i > 0 && places[i] == places[i - 1]) continue;
    ++made.wavefronts;
    if (places[i] >> 5 != last) block.sectors.push_back(last = places[i] >> 5);
  }
  made.sectors = uint32_t(block.sectors.size()) - made.first_sector;
}

void add_lanes_of_atomic(TracedAccess& made, const Access& access) {
  std::vector<uint64_t> places;
  for (uint32_t left = access.pattern.mask; left; left &= left - 1)
    places.push_back(access.first + access.pattern.delta[std::countr_zero(left)]);
  std::ranges::sort(places);
  uint16_t run = 0, of_sector = 0;  // the most at an address
  for (size_t i = 0; i < places.size(); ++i) {
    if (i && places[i] >> 5 != places[i - 1] >> 5) {
      made.passes = uint16_t(made.passes + of_sector);
      of_sector = 0;
    }
    run = i && places[i] == places[i - 1] ? uint16_t(run + 1) : uint16_t(1);
    of_sector = std::max(of_sector, run);
    made.same_address = std::max(made.same_address, uint8_t(run));
  }
  made.passes = uint16_t(made.passes + of_sector);
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

// The player knows when a phase of an mbarrier ends, and when all blocks of a cooperative launch have come.
bool waits_apart(const Program& program, const BasicBlock& basic_block, bool meets_grid) {
  if (!basic_block.spins) return false;
  if (basic_block.waits_for_blocks && meets_grid) return true;
  return basic_block.waits_on != no_operand &&
         tests_barrier(program.operations[basic_block.waits_on]);
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
  const auto reorder = [&](TracedBlock& block) {
    for (TracedWarp& warp : block.warps) {
      for (TracedAccess& access : warp.accesses) access.instruction = place[access.instruction];
      std::ranges::stable_sort(warp.accesses, {}, [](const TracedAccess& access) {
        return std::pair(access.entry, access.instruction);
      });
    }
  };
  for (TracedBlock& block : trace.blocks) reorder(block);
  for (TracedBlock& block : trace.others) reorder(block);
}

constexpr size_t most_unlike = 1 << 19;  // neighbours that each host thread keeps: 16 MiB

// By their places in the grid, joined where neighbours are alike.
std::vector<AlikeBlocks> in_order(std::vector<AlikeBlocks> work) {
  std::ranges::sort(work, {}, &AlikeBlocks::first);
  std::vector<AlikeBlocks> joined;
  for (const AlikeBlocks& blocks : work) {
    if (!joined.empty() && joined.back().is_before(blocks))
      joined.back().count += blocks.count;
    else
      joined.push_back(blocks);
  }
  return joined;
}

}  // namespace

Tracer::Tracer(const Program& program, const TraceSample& sample, size_t warps_of_block)
    : program_(program), sample_(sample), blocks_(sample.count + sample.others) {
  for (uint64_t i = 0; i < sample.count; ++i) blocks_[i].linear = sample.first + i * sample.step;
  for (uint64_t i = 0; i < sample.others; ++i)
    blocks_[sample.count + i].linear = i * sample.others_step;
  for (TracedBlock& block : blocks_) block.warps.resize(warps_of_block);
  for (const BasicBlock& basic_block : program.basic_blocks)
    waits_apart_.push_back(waits_apart(program, basic_block, sample.meets_grid));
  meet_.resize(blocks_.size());
  left_out_ = std::ranges::find(waits_apart_, true) != waits_apart_.end();
  for (size_t i = 0; i < blocks_.size(); ++i) {
    const bool shallow = i >= sample.count && (i - sample.count) % sample.deep != 0;
    stretches_.emplace_back(warps_of_block,
                            shallow ? sample.others_instructions : sample.instructions);
    if (left_out_ || !program.code) stretches_.back().end_parts();
  }
}

TracedWarp& Tracer::warp_of(const Warp& warp) {
  return blocks_[size_t(warp.block->traced)].warps[warp.index];
}

void Tracer::enter(const Entered& event) {
  TracedWarp& warp = warp_of(event.warp);
  const uint32_t instructions = program_.basic_blocks[event.basic_block].profile.instructions;
  const bool apart = waits_apart_[event.basic_block];
  if (apart) leave_out_round(warp, event.basic_block);
  const uint64_t before = warp.executed;
  warp.executed += instructions;
  spins_ |= program_.basic_blocks[event.basic_block].spins && !apart;
  const Stretches::Goes goes =
      stretches_[size_t(event.warp.block->traced)].enter(event.warp.index, before);
  if (goes == Stretches::Goes::out) return;
  if (goes == Stretches::Goes::in) warp.parts.push_back({uint32_t(warp.entered.size()), before});
  warp.entered.push_back({event.basic_block, event.lanes()});
  warp.traced += instructions;
  if (!warp.parts.empty()) warp.parts.back().traced += instructions;
  const BasicBlock& basic_block = program_.basic_blocks[event.basic_block];
  if (apart && basic_block.waits_for_blocks)
    begin_access(event.warp, basic_block.instruction, AccessKind::grid);
}

// A warp that comes to the end of a waiting loop again: what it did since it was there before is not traced,
// if it is that loop's alone.
void Tracer::leave_out_round(TracedWarp& warp, uint32_t basic_block) {
  constexpr size_t most = 8;                 // basic blocks of a loop that only waits
  if (warp.traced != warp.executed) return;  // nor are parts of such a warp traced
  const uint32_t head = program_.basic_blocks[basic_block].target;
  auto& entered = warp.entered;
  for (size_t i = entered.size(); i > 0 && entered.size() - i < most; --i) {
    const uint32_t at = entered[i - 1].basic_block;
    if (at < head || at > basic_block) return;
    if (at != basic_block) continue;
    for (size_t left = i - 1; left < entered.size(); ++left) {
      const uint32_t instructions =
          program_.basic_blocks[entered[left].basic_block].profile.instructions;
      warp.traced -= instructions;
      warp.executed -= instructions;
      warp.waited += instructions;
    }
    entered.resize(i - 1);
    while (!warp.accesses.empty() && warp.accesses.back().entry >= entered.size())
      warp.accesses.pop_back();
    return;
  }
}

TracedAccess* Tracer::begin_access(const Warp& warp, uint32_t instruction, AccessKind kind) {
  TracedWarp& of = warp_of(warp);
  if (!is_open(warp)) return nullptr;
  const auto& sectors = blocks_[size_t(warp.block->traced)].sectors;
  return &of.accesses.emplace_back(TracedAccess{.entry = uint32_t(of.entered.size() - 1),
                                                .instruction = instruction,
                                                .kind = kind,
                                                .first_sector = uint32_t(sectors.size())});
}

void Tracer::add(const Access& access) {
  const AccessKind kind = kind_of(access.space, access.use);
  TracedAccess* made = begin_access(access.warp, access.operation.instruction, kind);
  if (!made) return;
  const AccessPattern& pattern = access.pattern;
  TracedBlock& block = blocks_[size_t(access.warp.block->traced)];
  made->bytes = pattern.bytes;
  made->offset = uint8_t(access.first & 31);
  made->lanes = uint8_t(std::popcount(pattern.mask));
  if (access.use == Use::atomic) add_lanes_of_atomic(*made, access);
  if (access.space == Place::shared) {
    made->wavefronts = pattern.wavefronts;
    made->conflicts = pattern.conflicts;
  } else if (kind == AccessKind::constant_load) {
    add_addresses(block, *made, access);
  } else if (access.space == Place::local) {
    add_local_sectors(block, access.warp, access.first, pattern);
    made->sectors = uint32_t(block.sectors.size()) - made->first_sector;
  } else if (access.space == Place::global) {
    made->sectors = pattern.sectors;
    if (access.use == Use::load) made->wavefronts = uint16_t(wavefronts_in_l1(pattern));
    const uint64_t first = access.first >> 5;
    for (int i = 0; i < pattern.sectors; ++i)
      block.sectors.push_back(first + uint64_t(pattern.sector[pattern.consecutive ? 0 : i]) +
                              uint64_t(pattern.consecutive ? i : 0));
  }
}

// At the end of the basic block that the warp entered last.
void Tracer::add(const Arrived& event) {
  const TracedWarp& of = warp_of(event.warp);
  end_parts(*event.warp.block);
  if (of.entered.empty() || !is_open(event.warp)) return;
  const uint32_t at = program_.basic_blocks[of.entered.back().basic_block].instruction;
  if (TracedAccess* made = begin_access(event.warp, at, AccessKind::barrier))
    made->wavefronts = uint16_t(event.barrier);
}

void Tracer::on(const Copied& copied) {
  if (copied.warp.block->traced < 0 || copied.space != Place::global) return;
  TracedAccess* made =
      begin_access(copied.warp, copied.operation.instruction,
                   copied.use == Use::load ? AccessKind::bulk : AccessKind::bulk_store);
  if (!made) return;
  made->sectors = uint32_t(sectors_of(copied));
  auto& sectors = blocks_[size_t(copied.warp.block->traced)].sectors;
  for (uint64_t i = 0; i < made->sectors; ++i) sectors.push_back((copied.address >> 5) + i);
}

// Phases are counted for traced blocks' barriers whoever ends them; arrivals of other blocks of a cluster are
// not traced.
void Tracer::on(const Synchronised& event) {
  const BlockState* block = event.warp.block;
  if (event.what == Synchronised::begins) {
    mbarriers_.erase(event.barrier);
    if (block->traced < 0) return;
    auto& arrivals = blocks_[size_t(block->traced)].arrivals;
    mbarriers_[event.barrier] = {block, uint32_t(arrivals.size()), 0};
    end_parts(*block);  // what waits by them has no place in a gap
    arrivals.emplace_back();
    return;
  }
  const auto found = mbarriers_.find(event.barrier);
  if (found == mbarriers_.end()) return;
  Mbarrier& barrier = found->second;
  const bool waits = event.what == Synchronised::waits;
  const uint32_t phase = barrier.phase - (waits && event.is_over);
  if (!waits) barrier.phase += event.is_over;
  if (barrier.block != block) return;
  if (waits && event.is_over && barrier.phase == 0) return;  // for what was before the first one
  const uint32_t instruction = event.operation.instruction;
  const AccessKind kind = waits ? AccessKind::phase : AccessKind::arrival;
  TracedWarp& warp = warp_of(event.warp);
  if (is_open(event.warp) && !warp.accesses.empty()) {  // lanes side by side
    TracedAccess& last = warp.accesses.back();
    if (last.kind == kind && last.entry + 1 == warp.entered.size() &&
        last.instruction == instruction && last.first_sector == barrier.number &&
        last.sectors == phase)
      return;
  }
  TracedAccess* made = begin_access(event.warp, instruction, kind);
  if (!made) return;
  made->first_sector = barrier.number;
  made->sectors = phase;
  if (waits) return;
  auto& phases = blocks_[size_t(block->traced)].arrivals[barrier.number];
  if (phases.size() <= phase) phases.resize(phase + 1);
  ++phases[phase];
}

void Tracer::note_end(const BlockState& block) {
  AlikeBlocks its{.first = block.linear};
  for (const Warp& warp : block.warps) {
    its.instructions += warp.instructions;
    its.longest_warp = std::max(its.longest_warp, warp.instructions);
  }
  longest_warp_ = std::max(longest_warp_, its.longest_warp);
  if (!work_.empty() && work_.back().is_before(its))
    ++work_.back().count;
  else if (work_.size() < most_unlike)
    work_.push_back(its);
  else
    too_unlike_ = true;
}

// Warps of a block that meet: parts of some of them, which came first, tell nothing of all.
void Tracer::end_parts(const BlockState& block) {
  stretches_[size_t(block.traced)].end_parts();
  meet_[size_t(block.traced)] = true;
}

void Tracer::merge(Tracer& other) {
  for (size_t i = 0; i < meet_.size(); ++i) meet_[i] = meet_[i] || other.meet_[i];
  longest_warp_ = std::max(longest_warp_, other.longest_warp_);
  too_unlike_ |= other.too_unlike_;
  work_.insert(work_.end(), other.work_.begin(), other.work_.end());
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
  const auto drop = [&](auto&& of) {
    for (size_t i = 0; i < blocks_.size(); ++i)
      if (of(i))
        for (TracedWarp& warp : blocks_[i].warps) warp.drop_parts();
  };
  drop([&](size_t i) { return meet_[i]; });
  if (!is_another_later(blocks_)) drop([](size_t) { return true; });
  trace.blocks = std::move(blocks_);
  const auto others = trace.blocks.begin() + std::ptrdiff_t(sample_.count);
  for (auto block = others; block != trace.blocks.end(); ++block)
    if (place_in(sample_, block->linear) >= int(sample_.count))
      trace.others.push_back(std::move(*block));
  trace.blocks.erase(others, trace.blocks.end());
  // Where rounds are left out, those of warps that are not traced are not known.
  trace.longest_warp = left_out_ ? 0 : longest_warp_;
  if (!left_out_ && !too_unlike_) trace.work = in_order(std::move(work_));
  trace.meets_grid = sample_.meets_grid;
  trace.spins = spins_;
  if (program.code)
    add_code(trace, program);
  else
    add_likely_code(trace, program);
  return trace;
}

}  // namespace headroom::sim
