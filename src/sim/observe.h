// Observers look on while a launch runs; the execution body does not know who looks.
//
// Events are values: a basic block entered by some lanes, an access of a warp, a branch. `Silent`
// ignores them all and compiles to nothing. `Count` makes the Counters of a launch.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "record/counters.h"
#include "sim/access_pattern.h"
#include "sim/engine.h"
#include "sim/program.h"

namespace headroom::sim {

// Which 32-byte sectors of device memory a launch touched: a bit each, over the whole reserved
// range. What is counted, merged and cleared afterwards are the pages of bits that were touched.
class Footprint {
 public:
  explicit Footprint(uint64_t capacity);
  ~Footprint();
  Footprint(const Footprint&) = delete;
  Footprint& operator=(const Footprint&) = delete;
  [[gnu::always_inline]] void add(
      uint64_t sector,
      uint32_t count) {  // `count` ≤ 64 sectors from this one; relative to memory_base
    const uint64_t word = sector >> 6, bit = sector & 63;
    if (word >= words_) return;  // host memory: not DRAM of the device
    const uint64_t ones = count == 64 ? ~0ull : (1ull << count) - 1;
    mark(word, ones << bit);
    if (bit + count > 64 && word + 1 < words_) mark(word + 1, ones >> (64 - bit));
  }
  uint64_t count() const;
  uint64_t count_union(const Footprint&) const;
  void merge(const Footprint&);
  void clear();

 private:
  static constexpr uint64_t page_words = 512;  // a page of bits: 1 MiB of device memory
  [[gnu::always_inline]] void mark(uint64_t word, uint64_t bits) {
    if (!touched_[word / page_words]) [[unlikely]]
      touch(word / page_words);
    bits_[word] |= bits;
  }
  void touch(uint64_t page);
  uint64_t ones(uint64_t page, const uint64_t* others) const;

  uint64_t* bits_ = nullptr;
  uint8_t* touched_ = nullptr;  // by page
  uint64_t words_ = 0, pages_ = 0;
  std::vector<uint64_t> order_;  // pages touched
};

struct Silent {
  static constexpr Observed which = silent;
};

struct Count {
  static constexpr Observed which = observed;
  Count(uint64_t memory_base, uint64_t memory_capacity);

  Counters counters{};
  std::vector<uint64_t> entries, lanes_entered;  // by basic block: times, lanes summed
  uint64_t guarded_float_operations[3] = {};
  uint64_t memory_base, memory_capacity;
  Footprint loaded, stored;

  void guarded(const Operation& operation,
               uint32_t lanes_on) {  // behind a predicate: operations are counted as they happen
    const Class kind = operation.kind == Class::special ? Class::fp32 : operation.kind;
    if (kind <= Class::fp16)
      guarded_float_operations[int(kind)] += uint64_t(operation.float_operations) * lanes_on;
  }
  void begin(const Program&);             // a launch: nothing is counted yet
  void merge(const Count&);               // what another host thread counted of the same launch
  Counters finish(const Program&) const;  // the totals
};

// A Count for a launch, from those of earlier launches if one is free: its pages need not be mapped
// again. It goes back by itself.
struct GiveBack {
  void operator()(Count*) const;
};
using BorrowedCount = std::unique_ptr<Count, GiveBack>;
BorrowedCount borrow_count(const Program&, uint64_t memory_base, uint64_t memory_capacity);

}  // namespace headroom::sim
