// Who touched each word last: two writes and two reads, in pages that appear when they are touched. A
// page has a column for each of the four, once a word of it needs one, and 4 bytes a word in each: the
// thread, and which of the page's entries has the rest, that few instructions and moments share. Words
// that are only written, or only read, cost 4 bytes. What another launch left is stale; its column is
// taken for another.
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

  static constexpr int thread_shift = 22, thread_bits = 10;
  uint32_t thread() const { return uint32_t(bits >> thread_shift) & ((1u << thread_bits) - 1); }
  uint64_t rest() const { return bits & ~(((uint64_t(1) << thread_bits) - 1) << thread_shift); }
};

// The bytes that an access [begin, end) has of the word at this address, a bit each.
inline uint32_t bytes_in(uint64_t word, uint64_t begin, uint64_t end) {
  const uint64_t from = begin > word ? begin - word : 0, to = std::min<uint64_t>(end - word, 4);
  return uint32_t((1u << to) - (1u << from));
}

struct Cell {
  Record write, strong_write;  // one does not hide the other
  Record read, other_read;     // since the last plain write
};

class Shadow {
  static constexpr uint32_t words_of_page = 1024;
  using Column = std::array<uint32_t, words_of_page>;  // entry of the page << 10 | thread
  static constexpr Column nothing{};

 public:
  static constexpr int page_shift = 12;
  static constexpr uint64_t page_mask = (uint64_t(1) << page_shift) - 1;
  using Bytes = std::array<Cell, 4>;
  struct Page {
    void add(size_t column, uint32_t first_of_use);
    void drop(size_t column);
    Record at(size_t column, uint32_t index) const {
      const uint32_t held = (*seen[column])[index];
      return {entries[held >> Record::thread_bits] |
              uint64_t(held & ((1u << Record::thread_bits) - 1)) << Record::thread_shift};
    }
    uint32_t entry_of(uint64_t rest) { return entries[latest] == rest ? latest : find_entry(rest); }
    uint32_t find_entry(uint64_t rest);
    void drop_entries();  // that no column has any more
    // Of a column to write to.
    uint32_t* open(size_t column, uint32_t first_of_use) {
      if (!own[column]) [[unlikely]]
        add(column, first_of_use);
      return own[column]->data();
    }
    // What most accesses need, first: accesses far apart wait for each line of it.
    std::array<const Column*, 4> seen{&nothing, &nothing, &nothing, &nothing};
    std::vector<uint64_t> entries{0};  // of records, without their threads
    uint32_t latest = 0;
    uint32_t splits = 0;                         // of its words
    std::array<std::unique_ptr<Column>, 4> own;  // null: nothing is seen
    std::unordered_map<uint32_t, Bytes> bytes;   // by word
    uint32_t most_entries = 256;
  };
  class Word {
   public:
    Word(Page& page, uint32_t index) : page_(page), index_(index) {}
    Cell load() const {
      return {page_.at(0, index_), page_.at(1, index_), page_.at(2, index_), page_.at(3, index_)};
    }
    // Records of epochs before first_of_use tell nobody anything any more.
    void store(const Cell& cell, uint32_t first_of_use) {
      put(0, cell.write, first_of_use);
      put(1, cell.strong_write, first_of_use);
      put(2, cell.read, first_of_use);
      put(3, cell.other_read, first_of_use);
    }
    Bytes* bytes() const {  // null: the word has not been split
      if (!page_.splits) return nullptr;
      const auto found = page_.bytes.find(index_);
      return found == page_.bytes.end() ? nullptr : &found->second;
    }
    Bytes& split();  // each byte gets what the word has

   private:
    void put(size_t column, Record record, uint32_t first_of_use) {
      if (page_.at(column, index_).bits == record.bits) return;
      page_.open(column, first_of_use)[index_] =
          page_.entry_of(record.rest()) << Record::thread_bits | record.thread();
    }
    Page& page_;
    uint32_t index_;
  };

  // Of the word, which is 4 bytes from a multiple of 4 on; of one of its bytes, once threads have
  // written different ones.
  Word word(uint64_t address) { return {page_of(address >> page_shift), index_of(address)}; }
  Page& page(uint64_t address) { return page_of(address >> page_shift); }
  static uint64_t number_of(uint64_t address) { return address >> page_shift; }  // of its page
  static uint32_t index_of(uint64_t address) { return uint32_t((address & page_mask) >> 2); }
  // Brings the words near, all at once: accesses far apart would wait for each line in turn.
  void fetch(const uint64_t* addresses, size_t count);
  void clear();
  uint64_t bytes() const;                     // that it takes itself
  void forget(uint64_t begin, uint64_t end);  // whole words of it

  // Calls body(word, cell) for the words of [begin, end) that are in pages that somebody touched since
  // that epoch, and for each byte of those that are split.
  template <class Body>
  void each(uint64_t begin, uint64_t end, Body&& body, uint32_t since = 0) const;

 private:
  static constexpr int chunk_shift = 9;
  using Chunk = std::array<std::unique_ptr<Page>, size_t(1) << chunk_shift>;
  struct Slot {
    uint64_t page = ~0ull;
    Page* at = nullptr;
  };
  struct ChunkSlot {
    uint64_t chunk = ~0ull;
    Chunk* at = nullptr;
  };
  Page& page_of(uint64_t page) {
    Slot& slot = recent_[page % recent_.size()];
    if (slot.page != page) [[unlikely]]
      slot = {page, &make(page)};
    return *slot.at;
  }
  Page& make(uint64_t page);
  template <class Body>
  void each_page(uint64_t begin, uint64_t end, Body&& body) const;  // that there is
  static std::unique_ptr<Page>& slot_of(Chunk& chunk, uint64_t page) {
    return chunk[page & (chunk.size() - 1)];
  }
  std::unordered_map<uint64_t, std::unique_ptr<Chunk>> chunks_;
  std::array<Slot, 256> recent_{};
  std::array<ChunkSlot, 512> recent_chunks_{};
};

template <class Body>
void Shadow::each_page(uint64_t begin, uint64_t end, Body&& body) const {
  if (begin >= end) return;
  const uint64_t first = begin >> page_shift, last = (end - 1) >> page_shift;
  const auto visit = [&](uint64_t number, Chunk& chunk) {
    const uint64_t begins = number << chunk_shift;
    for (uint64_t n = 0; n < chunk.size(); ++n)
      if (chunk[n] && begins + n >= first && begins + n <= last) body(begins + n, *chunk[n]);
  };
  if ((last >> chunk_shift) - (first >> chunk_shift) < chunks_.size()) {
    for (uint64_t number = first >> chunk_shift; number <= last >> chunk_shift; ++number)
      if (const auto found = chunks_.find(number); found != chunks_.end())
        visit(number, *found->second);
  } else {
    for (auto& [number, chunk] : chunks_) visit(number, *chunk);
  }
}

template <class Body>
void Shadow::each(uint64_t begin, uint64_t end, Body&& body, uint32_t since) const {
  each_page(begin, end, [&](uint64_t number, Page& page) {
    if (since && std::ranges::none_of(page.entries,
                                      [&](uint64_t rest) { return Record{rest}.epoch() >= since; }))
      return;
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
