#include "model/pipeline/atomics.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "sass/instruction.h"

namespace headroom {
namespace {

// Cycles of a slice of L2 for a sector that others change too, and for each other lane at an address of it; and of a
// float's own sum, which takes longer than its slice. 512 bytes lie in one slice: 32 lines side by side take integers
// as fast as eight apart would, and no faster (results/h200/model_probe.json).
constexpr double sector_turn = 1.3, again_integer = 1.46, again_float = 1.98, float_sum = 3.5;
// … for a sector of doubles: 48 384 requests of 32 neighbours each, by results/h200/model_unseen_4.json.
constexpr double double_turn = 2.3;
constexpr int line_shift = 2, slice_shift = 4;  // from sectors

bool is_integer(const sass::Instruction& instruction) {
  return std::ranges::none_of(instruction.modifiers, [](std::string_view modifier) {
    return modifier.starts_with(".F") || modifier.starts_with(".BF");
  });
}

// Lines or slices, and what the busiest one takes. One that one traced block alone changes is taken for its own.
class Places {
 public:
  void add(uint64_t number, double cycles, const TracedBlock& block) {
    Place& place = places_[number];
    place.cycles += cycles;
    place.shared |= place.block && place.block != &block;
    place.block = &block;
    double& most = place.shared ? shared_ : own_;
    most = std::max(most, place.cycles);
  }
  // times: requests of the launch for each that was added; alone: of one block, which nothing is compared with.
  double busiest(double times, bool alone) const {
    return std::max(own_ * (alone ? times : 1), shared_ * times);
  }

 private:
  struct Place {
    double cycles = 0;
    const TracedBlock* block = nullptr;
    bool shared = false;
  };
  std::unordered_map<uint64_t, Place> places_;
  double own_ = 0, shared_ = 0;
};

// Of one block nobody can say whether the others go to the same places: then those that were traced apart are asked as well.
std::vector<const TracedBlock*> several(const Trace& trace) {
  std::vector<const TracedBlock*> blocks;
  for (const TracedBlock& block : trace.blocks) blocks.push_back(&block);
  if (blocks.size() == 1)
    for (const TracedBlock& block : trace.others)
      if (block.linear != blocks.front()->linear) blocks.push_back(&block);
  return blocks;
}

}  // namespace

double cycles_of_atomics(const Trace& trace, double requests, const Retries* but) {
  Places lines, slices;
  double traced = 0;
  std::vector<uint64_t> sectors;
  const std::vector<const TracedBlock*> blocks = several(trace);
  for (const TracedBlock* const each : blocks)
    for (const TracedWarp& warp : each->warps)
      for (const TracedAccess& access : warp.accesses) {
        const TracedBlock& block = *each;
        if (access.kind != AccessKind::global_atomic) continue;
        traced += 1;
        if (but && access.instruction == but->swap && access.sectors == 1 &&
            block.sectors[access.first_sector] == but->sector)
          continue;
        const bool integer = is_integer(*trace.code[access.instruction].instruction);
        const auto first = block.sectors.begin() + access.first_sector;
        sectors.assign(first, first + access.sectors);
        std::ranges::sort(sectors);
        // Lanes at different addresses of a sector go together.
        const double again = double(access.passes) / double(access.sectors) - 1,
                     turn = !integer && access.bytes == 8 ? double_turn : sector_turn,
                     cycles = turn + (integer ? again_integer : again_float) * again;
        for (size_t i = 0; i < sectors.size(); ++i) {
          slices.add(sectors[i] >> slice_shift, cycles, block);
          if (!integer && (i == 0 || sectors[i] >> line_shift != sectors[i - 1] >> line_shift))
            lines.add(sectors[i] >> line_shift, float_sum * access.same_address, block);
        }
      }
  if (traced == 0) return 0;
  const bool alone = blocks.size() == 1;
  return std::max(lines.busiest(requests / traced, alone),
                  slices.busiest(requests / traced, alone));
}

std::unordered_set<uint64_t> same_stores(const Trace& trace) {
  constexpr size_t least = 2;  // blocks
  struct Stored {
    size_t blocks = 0;
    const TracedBlock* last = nullptr;
  };
  std::unordered_map<uint64_t, Stored> sectors;
  size_t blocks = 0;  // that store at all
  for (const TracedBlock* const block : several(trace)) {
    bool stores = false;
    for (const TracedWarp& warp : block->warps)
      for (const TracedAccess& access : warp.accesses) {
        if (access.kind != AccessKind::global_store) continue;
        stores = true;
        for (uint32_t i = 0; i < access.sectors; ++i) {
          Stored& stored = sectors[block->sectors[access.first_sector + i]];
          stored.blocks += stored.last != block;
          stored.last = block;
        }
      }
    blocks += stores;
  }
  std::unordered_set<uint64_t> result;
  if (blocks < least) return result;
  for (const auto& [sector, stored] : sectors)
    if (stored.blocks == blocks) result.insert(sector);
  return result;
}

double cycles_of_same_stores(const MemoryUse& use, double requests_of_sm) {
  return use.stores > 0 ? use.same_stores * requests_of_sm / use.stores : 0;
}

}  // namespace headroom
