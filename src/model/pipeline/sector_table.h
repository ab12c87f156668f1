// What is known of sectors and lines of memory, by their numbers; and which sectors were seen.
//
//   SectorSet seen;
//   seen.add(0x700)   ->  true: it is new      seen.add(0x700)   ->  false      seen.contains(0x701)   ->  false
//   SectorTable<double> free;
//   free[0x1c0] = 17                           free[0x1c1]       ->  0
//
// Places by hash, in one piece of memory: a launch that is played asks for millions, and a node for each took longer than all
// else about them. Sectors that lie side by side have a bit each of one place.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace headroom {

template <class Value>
class SectorTable {
 public:
  // What it refers to moves when the table grows, with the next call.
  Value& operator[](uint64_t number) {
    if (2 * (count_ + 1) > places_.size()) grow();
    Place& place = places_[find(number)];
    if (place.key == nobody) {
      place.key = number + 1;
      ++count_;
    }
    return place.value;
  }
  Value get(uint64_t number) const { return count_ ? places_[find(number)].value : Value{}; }

 private:
  static constexpr uint64_t nobody = 0;
  struct Place {
    uint64_t key = nobody;  // the number + 1
    Value value{};
  };

  // Its place, or the empty one that it would have.
  size_t find(uint64_t number) const {
    const size_t mask = places_.size() - 1;
    size_t at = size_t(number * 0x9e3779b97f4a7c15ull >> (64 - std::countr_zero(places_.size())));
    while (places_[at].key != nobody && places_[at].key != number + 1) at = (at + 1) & mask;
    return at;
  }
  void grow() {
    std::vector<Place> before(places_.empty() ? 64 : 2 * places_.size());
    before.swap(places_);
    for (Place& place : before)
      if (place.key != nobody) places_[find(place.key - 1)] = std::move(place);
  }

  std::vector<Place> places_;  // a power of two
  size_t count_ = 0;
};

class SectorSet {
 public:
  bool add(uint64_t sector) {  // whether it is new
    uint64_t& bits = sixty_four_[sector / 64];
    const uint64_t before = bits;
    bits |= bit(sector);
    return bits != before;
  }
  bool contains(uint64_t sector) const { return sixty_four_.get(sector / 64) & bit(sector); }

 private:
  static uint64_t bit(uint64_t sector) { return uint64_t(1) << sector % 64; }
  SectorTable<uint64_t> sixty_four_;
};

}  // namespace headroom
