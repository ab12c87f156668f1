#include "model/pipeline/queue.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_set>
#include <utility>

#include "model/pipeline/decides.h"
#include "model/pipeline/unequal.h"

namespace headroom {
namespace {

// Warps that ask an atomic more than once at one place, and go on as it says: ATOMG R5, …; compare-and-swap draws nothing, and who is
// given a place to put a result in is not given work. Of a warp whose trace ends before it comes round, the others of its block
// have asked there too. Who asks at a place of its own each time climbs a tree, or counts.
bool draws(const TracedBlock& block, const Trace& trace, const LoopDecisions& loops) {
  struct Asked {
    size_t times = 0, again = 0;
  };
  std::map<uint32_t, Asked> all;  // by the instruction
  std::set<std::pair<uint32_t, uint64_t>> by_cut;
  for (const TracedWarp& warp : block.warps) {
    std::set<std::pair<uint32_t, uint64_t>> alone;
    auto& places = warp.traced < warp.executed ? by_cut : alone;
    for (const TracedAccess& access : warp.accesses) {
      if (access.kind != AccessKind::global_atomic) continue;
      const sass::Instruction& instruction = *trace.code[access.instruction].instruction;
      if (!instruction.opcode.starts_with("ATOM") || instruction.has(".CAS")) continue;
      Asked& asked = all[access.instruction];
      asked.times += 1;
      asked.again +=
          access.sectors == 1 &&
          !places.insert({access.instruction, block.sectors[access.first_sector]}).second;
    }
  }
  return std::ranges::any_of(all, [&](const auto& each) {
    const auto& [instruction, asked] = each;
    return asked.again > 0 && 3 * asked.again >= asked.times && loops.decides(instruction);
  });
}

// Goes round a loop by what it loads from where other blocks store: they had not come there on the emulator, and are there at once on a GPU.
bool finds(const TracedBlock& block, const Trace& all, const LoopDecisions& loops) {
  std::unordered_set<uint64_t> stored;
  for (const auto* blocks : {&all.blocks, &all.others})
    for (const TracedBlock& other : *blocks) {
      if (other.linear == block.linear) continue;
      for (const TracedWarp& warp : other.warps)
        for (const TracedAccess& access : warp.accesses)
          if (access.kind == AccessKind::global_store)
            stored.insert(other.sectors.begin() + access.first_sector,
                          other.sectors.begin() + access.first_sector + access.sectors);
    }
  std::set<uint32_t> loads;
  for (const TracedWarp& warp : block.warps)
    for (const TracedAccess& access : warp.accesses) {
      if (access.kind != AccessKind::global_load) continue;
      const auto first = block.sectors.begin() + access.first_sector;
      if (std::any_of(first, first + access.sectors,
                      [&](uint64_t sector) { return stored.contains(sector); }))
        loads.insert(access.instruction);
    }
  return std::ranges::any_of(loads,
                             [&](uint32_t instruction) { return loops.decides(instruction); });
}

// Of all that its warp does, the first `instructions`.
void cut(TracedWarp& warp, const Trace& trace, double instructions) {
  if (double(warp.executed) <= instructions) return;
  warp.drop_parts();
  warp.executed = uint64_t(instructions);
  uint64_t sum = 0;
  size_t kept = 0;
  while (kept < warp.entered.size() && sum < warp.executed) {
    const TracedBasicBlock& range = trace.basic_blocks[warp.entered[kept++].basic_block];
    sum += range.first <= range.last ? range.last - range.first + 1 : 0;
  }
  warp.entered.resize(kept);
  warp.traced = std::min(warp.traced, sum);
  warp.executed = std::max(warp.executed, warp.traced);
  while (!warp.accesses.empty() && warp.accesses.back().entry >= kept) warp.accesses.pop_back();
}

}  // namespace

std::optional<Trace> shared_out(const Trace& trace, double mean) {
  if (trace.together) return std::nullopt;
  constexpr double more = 2, little = 0.5;  // than a mean block; of it
  const bool in_sample = !trace.blocks.empty() && trace.blocks.front().linear == 0;
  const bool in_others = !trace.others.empty() && trace.others.front().linear == 0;
  const TracedBlock* first = in_sample   ? &trace.blocks.front()
                             : in_others ? &trace.others.front()
                                         : nullptr;
  const size_t begin = in_sample ? 1 : 0;
  if (!first || trace.blocks.size() == begin) return std::nullopt;
  const double block = mean * double(first->warps.size());
  // The last to come finds nothing; on the emulator blocks that were traced may have had their share.
  const double last = trace.work.empty() ? double(executed_of(trace.blocks.back()))
                                         : double(trace.work.back().instructions);
  if (double(executed_of(*first)) < more * block || last > little * block) return std::nullopt;
  Trace made = trace.of({*first});
  const LoopDecisions loops(made);
  made.drawn = draws(*first, made, loops);
  made.found = !made.drawn && finds(*first, trace, loops);
  if (!made.drawn && !made.found) return std::nullopt;
  made.meets_grid = trace.meets_grid;
  for (TracedWarp& warp : made.blocks[0].warps) cut(warp, made, mean);
  return made;
}

}  // namespace headroom
