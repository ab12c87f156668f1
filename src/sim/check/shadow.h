// Who touched each word last: two writes and two reads, 8 bytes each, in pages that appear when they are
// touched. A page has a column for each of the four, once a word of it needs one: words that are only
// written, or only read, cost 8 bytes. What another launch left is stale; its column is taken for another.
//
//   Shadow::Word word = shadow.word(0x10'0000'0040);
//   Cell cell = word.load();   cell.write = record of block 3, warp 0, lane 5 …   word.store(cell, 0);
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "sim/check/role.h"

namespace headroom::sim::check {

// | 63 … 32 | 31 … 27 | 26 … 22 | 21 … 18 | 17 16 | 15 … 0      |
// | epoch   | warp    | lane    | bytes   | scope | instruction |
struct Record {
  uint64_t bits = 0;  // epoch 0: nobody
  static Record of(uint32_t epoch, uint32_t warp, uint32_t lane, uint32_t bytes, Scope scope,
                   uint32_t instruction) {
    return {uint64_t(epoch) << 32 | uint64_t(warp) << 27 | uint64_t(lane) << 22 |
            uint64_t(bytes) << 18 | uint64_t(scope) << 16 |
            (instruction < unknown ? instruction : unknown)};
  }
  static constexpr uint32_t unknown = 0xffff;  // kernels of more instructions than that
  uint32_t epoch() const { return uint32_t(bits >> 32); }
  uint32_t warp() const { return uint32_t(bits >> 27) & 31; }
  uint32_t lane() const { return uint32_t(bits >> 22) & 31; }
  uint32_t bytes() const { return uint32_t(bits >> 18) & 15; }
  Scope scope() const { return Scope(bits >> 16 & 3); }
  uint32_t instruction() const { return uint32_t(bits) & unknown; }
};

struct Cell {
  Record write, strong_write;  // one does not hide the other
  Record read, other_read;     // since the last plain write
};

class Shadow {
  static constexpr uint32_t words_of_page = 1024;
  using Column = std::array<Record, words_of_page>;
  static constexpr Column nothing{};
  struct Page;

 public:
  using Bytes = std::array<Cell, 4>;
  class Word {
   public:
    Word(Page& page, uint32_t index) : page_(page), index_(index) {}
    Cell load() const {
      const auto& seen = page_.seen;
      return {(*seen[0])[index_], (*seen[1])[index_], (*seen[2])[index_], (*seen[3])[index_]};
    }
    // Records of epochs before first_of_use tell nobody anything any more.
    void store(const Cell& cell, uint32_t first_of_use) {
      put(0, cell.write, first_of_use);
      put(1, cell.strong_write, first_of_use);
      put(2, cell.read, first_of_use);
      put(3, cell.other_read, first_of_use);
    }
    Bytes* bytes() const {  // null: the word has not been split
      if (page_.bytes.empty()) return nullptr;
      const auto found = page_.bytes.find(index_);
      return found == page_.bytes.end() ? nullptr : &found->second;
    }
    Bytes& split();  // each byte gets what the word has

   private:
    void put(size_t column, Record record, uint32_t first_of_use) {
      if ((*page_.seen[column])[index_].bits == record.bits) return;
      if (!page_.own[column]) [[unlikely]]
        page_.add(column, first_of_use);
      (*page_.own[column])[index_] = record;
    }
    Page& page_;
    uint32_t index_;
  };

  // Of the word, which is 4 bytes from a multiple of 4 on; of one of its bytes, once threads have
  // written different ones.
  Word word(uint64_t address) { return {page_of(address >> page_shift), index_of(address)}; }
  void clear();
  void forget(uint64_t begin, uint64_t end);  // whole words of it

  // Calls body(word, cell) for the words of [begin, end) that are in pages that somebody touched, and
  // for each byte of those that are split.
  template <class Body>
  void each(uint64_t begin, uint64_t end, Body&& body);

 private:
  static constexpr int page_shift = 12;
  static constexpr uint64_t page_mask = (uint64_t(1) << page_shift) - 1;
  struct Page {
    void add(size_t column, uint32_t first_of_use);
    void drop(size_t column);
    std::array<const Column*, 4> seen{&nothing, &nothing, &nothing, &nothing};
    std::array<std::unique_ptr<Column>, 4> own;  // null: nothing is seen
    std::unordered_map<uint32_t, Bytes> bytes;   // by word
  };
  struct Slot {
    uint64_t page = ~0ull;
    Page* at = nullptr;
  };
  static uint32_t index_of(uint64_t address) { return uint32_t((address & page_mask) >> 2); }
  Page& page_of(uint64_t page) {
    Slot& slot = recent_[page % recent_.size()];
    if (slot.page != page) [[unlikely]]
      slot = {page, &make(page)};
    return *slot.at;
  }
  Page& make(uint64_t page);
  template <class Body>
  void each_page(uint64_t begin, uint64_t end, Body&& body);  // that there is
  std::unordered_map<uint64_t, std::unique_ptr<Page>> pages_;
  std::array<Slot, 256> recent_{};
};

template <class Body>
void Shadow::each_page(uint64_t begin, uint64_t end, Body&& body) {
  if (begin >= end) return;
  const uint64_t first = begin >> page_shift, last = (end - 1) >> page_shift;
  if (last - first < pages_.size()) {
    for (uint64_t page = first; page <= last; ++page)
      if (const auto found = pages_.find(page); found != pages_.end()) body(page, *found->second);
  } else {
    for (auto& [page, at] : pages_)
      if (page >= first && page <= last) body(page, *at);
  }
}

template <class Body>
void Shadow::each(uint64_t begin, uint64_t end, Body&& body) {
  each_page(begin, end, [&](uint64_t number, Page& page) {
    const uint64_t origin = number << page_shift;
    const uint64_t from = std::max(begin, origin) & ~uint64_t(3),
                   to = std::min(end, origin + page_mask + 1);
    for (uint64_t word = from; word < to; word += 4) {
      const auto split = page.bytes.find(index_of(word));
      if (split == page.bytes.end())
        body(word, Word(page, index_of(word)).load());
      else
        for (const Cell& cell : split->second) body(word, cell);
    }
  });
}

}  // namespace headroom::sim::check
