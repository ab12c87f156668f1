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

// Barriers and arrivals have other numbers there.
bool touches_memory(const TracedAccess& access) {
  return access.kind != AccessKind::barrier && access.kind != AccessKind::arrival &&
         access.kind != AccessKind::phase && access.kind != AccessKind::grid;
}

// Of a block that is the only one its warps stand for others: which of its sectors several of them touch.
std::vector<bool> common_among_warps(const TracedBlock& block) {
  std::unordered_map<uint64_t, size_t> whose;
  const auto each_sector = [&](auto&& body) {
    for (size_t w = 0; w < block.warps.size(); ++w)
      for (const TracedAccess& access : block.warps[w].accesses)
        if (access.kind != AccessKind::constant_load && touches_memory(access))
          for (uint32_t i = 0; i < access.sectors; ++i) body(w, access.first_sector + i);
  };
  each_sector([&](size_t warp, uint32_t at) {
    const auto [found, is_new] = whose.emplace(block.sectors[at], warp);
    if (!is_new && found->second != warp) found->second = several;
  });
  std::vector<bool> result(block.sectors.size());
  each_sector([&](size_t, uint32_t at) { result[at] = whose.at(block.sectors[at]) == several; });
  return result;
}

}  // namespace

PlayedAgain::PlayedAgain(const Trace& trace) : trace_(trace) {
  if (trace.blocks.size() == 1) {
    const TracedBlock& only = trace.blocks.front();
    stays_ = {constants_of(only)};
    const std::vector<bool> common = common_among_warps(only);
    for (size_t i = 0; i < common.size(); ++i) stays_[0][i] = stays_[0][i] || common[i];
    return;
  }
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
  std::vector<uint64_t> result = trace_.blocks[block].sectors;
  for (size_t i = 0; i < result.size(); ++i)
    if (!stays_[block][i]) result[i] += turn << bits_of_sectors;
  return result;
}

}  // namespace headroom
