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
      : sets_(std::max<uint64_t>(1, lines / ways)), lines_(sets_ * ways) {}

  void clear() { cleared_ = clock_; }

  // The sector's place, in a line that was made free for it if it had none.
  Sector& at(uint64_t sector) {
    const uint64_t tag = sector >> 2;
    Line* const set = &lines_[hash(tag) % sets_ * ways];
    Line* oldest = set;
    for (Line* line = set; line != set + ways; ++line) {
      if (line->tag == tag) {
        if (line->used <= cleared_) line->sectors = {};
        line->used = ++clock_;
        return line->sectors[sector & 3];
      }
      if (line->used < oldest->used) oldest = line;
    }
    *oldest = {tag, ++clock_, {}};
    return oldest->sectors[sector & 3];
  }

 private:
  static constexpr uint64_t ways = 16;
  struct Line {
    uint64_t tag = ~0ull, used = 0;
    std::array<Sector, 4> sectors{};
  };
  static uint64_t hash(uint64_t tag) { return tag * 0x9e3779b97f4a7c15ull >> 32; }

  uint64_t sets_, clock_ = 0, cleared_ = 0;
  std::vector<Line> lines_;
};

}  // namespace headroom
