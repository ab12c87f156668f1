// What a thread knows of other threads: up to which time of theirs all they did comes before what it
// does next. Sorted, shared between the threads that learnt the same, never changed.
//
//   block 3: {all of it: 17}    block 5: {warp 2: 4}, {warp 3, lane 0: 9}
//
// Times are a block's: it counts barriers, fences and releases of its threads. What is known of a
// block is shared as well: where every thread of a grid takes its turn at one atomic, each adds
// itself to what its own block did, and the rest stays.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

namespace headroom::sim::check {

struct Whom {  // a block, one of its warps, or one lane
  static uint64_t block(uint64_t linear) { return linear << 11; }
  static uint64_t warp(uint64_t linear, uint32_t warp) { return linear << 11 | (1 + warp); }
  static uint64_t lane(uint64_t linear, uint32_t warp, uint32_t lane) {
    return linear << 11 | (64 + warp * 32 + lane);
  }
  static uint64_t block_of(uint64_t whom) { return whom >> 11; }
};

struct Entry {
  uint64_t whom;
  uint32_t time;
};

struct OfBlock {
  uint64_t block;
  std::shared_ptr<const std::vector<Entry>> entries;  // by whom
};

using Known = std::vector<OfBlock>;             // by block
using KnownPtr = std::shared_ptr<const Known>;  // null: nothing

// The later of both times, of each; one of the two itself where that has it all.
KnownPtr join(const KnownPtr&, const KnownPtr&);
KnownPtr join(const KnownPtr&, std::vector<Entry> unsorted);
// All that the lane did at `time` of its block comes before.
bool knows(const KnownPtr&, uint64_t block, uint32_t warp, uint32_t lane, uint32_t time);

}  // namespace headroom::sim::check
