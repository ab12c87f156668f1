// Sectors of memory that were seen, a bit each; and tables of what is known of sectors and lines, by their numbers.
//
//   SectorSet seen;
//   seen.add(0x700)   ->  true: it is new      seen.add(0x700)   ->  false      seen.contains(0x701)   ->  false
//
// A launch that is played asks for millions: a node of memory for each took longer than all else about them.
#pragma once
#include <tsl/robin_map.h>

#include <cstddef>
#include <cstdint>

namespace headroom {

struct
    SpreadOut {  // numbers that lie side by side, or as many bytes apart as a row of a matrix has
  size_t operator()(uint64_t number) const {
    number *= 0x9e3779b97f4a7c15ull;
    return size_t(number ^ number >> 32);
  }
};
template <class Value>
using SectorTable = tsl::robin_map<uint64_t, Value, SpreadOut>;

class SectorSet {
 public:
  bool add(uint64_t sector) {  // whether it is new
    uint64_t& bits = sixty_four_[sector / 64];
    const uint64_t before = bits;
    bits |= bit(sector);
    return bits != before;
  }
  bool contains(uint64_t sector) const {
    const auto found = sixty_four_.find(sector / 64);
    return found != sixty_four_.end() && found->second & bit(sector);
  }

 private:
  static uint64_t bit(uint64_t sector) { return uint64_t(1) << sector % 64; }
  SectorTable<uint64_t> sixty_four_;
};

}  // namespace headroom
