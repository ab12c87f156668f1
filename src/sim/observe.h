// Observers look on while a launch runs; the execution body does not know who looks.
//
// Events are values: a basic block entered by some lanes, an access of a warp, a branch. `Silent`
// ignores them all and compiles to nothing. `Count` makes the Counters of a launch.
//
// An access has a place and a shape: the shape is where the lanes' addresses lie relative to the
// first one's. What a profiler counts of an access (sectors, wavefronts, conflicts) depends on the
// shape alone, and an instruction mostly keeps its shape: each site remembers its last one, and
// comparing is all that is left to do.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "record/counters.h"
#include "sim/engine.h"
#include "sim/program.h"

namespace headroom::sim {

struct Shape {
  alignas(64) uint64_t delta[lanes];  // address minus the first active lane's; 0 for inactive lanes
  uint32_t delta32[lanes];            // the same, for addresses in 32-bit registers
  uint32_t index[lanes];              // window: each lane's first 4-byte word, from the lowest
  uint32_t words = 0;                 // window: how many there are
  int64_t low = 0, high = 0;          // the least and the greatest of them
  uint32_t mask = 0;
  uint32_t phase = ~0u;  // first address modulo 32, or less where it does not matter
  uint8_t bytes = 0;
  Place place = Place::global;  // that it was analysed for
  uint8_t lie = 0;              // Places::Shape
  bool consecutive = false;     // the sectors follow each other
  uint16_t sectors = 0, wavefronts = 0, conflicts = 0;
  int64_t sector[lanes];  // distinct sectors relative to the first lane's, in order if consecutive
};

// Fills in what follows from delta, mask, phase and bytes. Rules: facts below each function in
// shapes.cpp.
void analyse_global(Shape&);
void analyse_shared(Shape&);
void analyse_local(Shape&);
// ldmatrix and stmatrix serve a matrix at a time, 8 rows of 16 bytes: its wavefronts, 1 at best.
uint32_t row_wavefronts(const uint64_t* address);

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
