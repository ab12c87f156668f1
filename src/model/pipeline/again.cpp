#include "model/pipeline/again.h"

#include <unordered_map>

namespace headroom {
namespace {

constexpr size_t several = ~size_t(0);

}  // namespace

PlayedAgain::PlayedAgain(const Trace& trace) : trace_(trace), stays_(trace.blocks.size()) {
  std::unordered_map<uint64_t, size_t> whose;
  for (size_t b = 0; b < trace.blocks.size(); ++b)
    for (const uint64_t sector : trace.blocks[b].sectors) {
      const auto [found, is_new] = whose.emplace(sector, b);
      if (!is_new && found->second != b) found->second = several;
    }
  for (size_t b = 0; b < trace.blocks.size(); ++b)
    for (const uint64_t sector : trace.blocks[b].sectors)
      stays_[b].push_back(whose.at(sector) == several);
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
