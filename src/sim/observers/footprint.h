// Which 32-byte sectors of device memory a launch touched: a bit each, over the whole reserved
// range. What is counted, merged and cleared afterwards are the pages of bits that were touched.
//
//   Footprint stored(memory.addresses());
//   stored.add(sector, 4);   // 128 bytes from sector · 32 on, as device memory counts
//   stored.count() == 4
#pragma once
#include <bit>
#include <cstdint>
#include <vector>

#include "record/page_count.h"
#include "sim/touched.h"

namespace headroom::sim {

class Footprint {
 public:
  explicit Footprint(uint64_t capacity);
  ~Footprint();
  Footprint(const Footprint&) = delete;
  Footprint& operator=(const Footprint&) = delete;
  // `count` ≤ 64 sectors from this one; relative to memory_base. False: not of device memory.
  [[gnu::always_inline]] bool add(uint64_t sector, uint32_t count) {
    const uint64_t word = sector >> 6, bit = sector & 63;
    if (word >= words_) [[unlikely]] {  // host memory: not DRAM of the device
      outside_ += count;
      return false;
    }
    const uint64_t ones = count == 64 ? ~0ull : (1ull << count) - 1;
    mark(word, ones << bit);
    if (bit + count > 64 && word + 1 < words_) mark(word + 1, ones >> (64 - bit));
    return true;
  }
  // So many single ones, each that far from this one; neighbours in one word are marked at once.
  [[gnu::always_inline]] bool add_each(uint64_t sector, const int64_t* from_there, int n) {
    const uint64_t before = outside_;
    uint64_t word = (sector + uint64_t(from_there[0])) >> 6, bits = 0;
    for (int i = 0; i < n; ++i) {
      const uint64_t one = sector + uint64_t(from_there[i]);
      if (one >> 6 != word) {
        mark_if_inside(word, bits);
        word = one >> 6;
        bits = 0;
      }
      bits |= 1ull << (one & 63);
    }
    mark_if_inside(word, bits);
    return outside_ == before;
  }
  // For code that marks without add(): pages that were touched, nothing outside.
  struct Marks {
    uint64_t* bits = nullptr;
    const uint8_t* touched = nullptr;  // by page of 2^15 sectors
    uint64_t words = 0;
  };
  Marks marks() const { return {bits_, touched_, words_}; }
  uint64_t count() const;
  uint64_t outside() const { return outside_; }  // added and not of device memory, each time
  uint64_t count_union(const Footprint&) const;
  std::vector<PageCount> pages() const;
  SectorPages sectors() const;
  void merge(const Footprint&);
  void clear();

 private:
  static constexpr uint64_t page_words = SectorPages::words;
  [[gnu::always_inline]] void mark(uint64_t word, uint64_t bits) {
    if (!touched_[word / page_words]) [[unlikely]]
      touch(word / page_words);
    bits_[word] |= bits;
  }
  [[gnu::always_inline]] void mark_if_inside(uint64_t word, uint64_t bits) {
    if (word < words_) [[likely]]
      mark(word, bits);
    else
      outside_ += uint64_t(std::popcount(bits));
  }
  void touch(uint64_t page);
  uint64_t ones(uint64_t page, const uint64_t* others) const;

  uint64_t* bits_ = nullptr;
  uint8_t* touched_ = nullptr;  // by page
  uint64_t words_ = 0, pages_ = 0, outside_ = 0;
  std::vector<uint64_t> order_;  // pages touched
};

}  // namespace headroom::sim
