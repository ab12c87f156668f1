#include "model/pipeline/again.h"

#include <algorithm>
#include <unordered_map>

namespace headroom {
namespace {

constexpr size_t several = ~size_t(0);

// Which of its sectors are of constants: all blocks have the same ones, in a space of addresses of their own.
std::vector<bool> constants_of(const TracedBlock& block) {
  std::vector<bool> result(block.sectors.size());
  for (const TracedWarp& warp : block.warps)
    for (const TracedAccess& access : warp.accesses)
      if (access.kind == AccessKind::constant_load)
        std::fill_n(result.begin() + access.first_sector, access.sectors, true);
  return result;
}

}  // namespace

PlayedAgain::PlayedAgain(const Trace& trace) : trace_(trace) {
  std::unordered_map<uint64_t, size_t> whose;
  for (size_t b = 0; b < trace.blocks.size(); ++b) {
    const std::vector<bool>& constants = stays_.emplace_back(constants_of(trace.blocks[b]));
    for (size_t i = 0; i < constants.size(); ++i) {
      if (constants[i]) continue;
      const auto [found, is_new] = whose.emplace(trace.blocks[b].sectors[i], b);
      if (!is_new && found->second != b) found->second = several;
    }
  }
  for (size_t b = 0; b < trace.blocks.size(); ++b)
    for (size_t i = 0; i < stays_[b].size(); ++i)
      if (!stays_[b][i]) stays_[b][i] = whose.at(trace.blocks[b].sectors[i]) == several;
}

std::vector<uint64_t> PlayedAgain::sectors(size_t block, uint64_t turn) const {
  constexpr int beyond =
      61;  // addresses of 64 bits are 59 of sectors, and local memory lies behind them
  std::vector<uint64_t> result = trace_.blocks[block].sectors;
  for (size_t i = 0; i < result.size(); ++i)
    if (!stays_[block][i]) result[i] += turn << beyond;
  return result;
}

}  // namespace headroom
