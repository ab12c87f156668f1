// The L1 cache of an SM: lines of four sectors, least recently used out first.
//
//   Cache cache(1792);                  // lines
//   Cache::Sector& sector = cache.at(address / 32);
//   if (!sector.here) …                 // a miss: fetch it
//   sector = {true, when it comes};
//
// Sets of 16 lines by a hash of the address: how NVIDIA chooses them is not documented. A model.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace headroom {

class Cache {
 public:
  struct Sector {
    bool here = false;
    double ready = 0;  // when it comes, or came
  };

  explicit Cache(uint64_t lines)
      : sets_(std::max<uint64_t>(1, lines / ways)),
        tags_(sets_),
        used_(sets_),
        lines_(sets_ * ways) {
    for (auto& set : tags_) set.fill(no_tag);
  }

  void clear() { cleared_ = clock_; }

  // The sector's place, in a line that was made free for it if it had none.
  Sector& at(uint64_t sector) {
    const uint64_t tag = sector >> 2, set = hash(tag) % sets_;
    const auto& tags = tags_[set];
    auto& used = used_[set];
    const auto begin = tags.begin();
    const size_t found = size_t(std::find(begin, tags.end(), tag) - begin),
                 way = found < ways ? found : size_t(std::ranges::min_element(used) - used.begin());
    Line& line = lines_[set * ways + way];
    if (found == ways || used[way] <= cleared_) line = {};
    tags_[set][way] = tag;
    used[way] = ++clock_;
    return line[sector & 3];
  }

 private:
  static constexpr uint64_t ways = 16, no_tag = ~0ull;
  using Line = std::array<Sector, 4>;
  static uint64_t hash(uint64_t tag) { return tag * 0x9e3779b97f4a7c15ull >> 32; }

  uint64_t sets_, clock_ = 0, cleared_ = 0;
  // Apart from the lines: who looks for one looks at these alone.
  std::vector<std::array<uint64_t, ways>> tags_, used_;
  std::vector<Line> lines_;
};

}  // namespace headroom
