// What a thread knows of other threads: up to which time of theirs all they did comes before what it
// does next. Sorted, shared between the threads that learnt the same, never changed.
//
//   {block 3, all of it: 17}, {block 5, warp 2: 4}, {block 5, warp 3, lane 0: 9}
//
// Times are a block's: it counts barriers, fences and releases of its threads.
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
};

struct Entry {
  uint64_t whom;
  uint32_t time;
};

using Known = std::vector<Entry>;               // by whom
using KnownPtr = std::shared_ptr<const Known>;  // null: nothing

// The later of both times, of each.
KnownPtr join(const KnownPtr&, const KnownPtr&);
KnownPtr join(const KnownPtr&, std::vector<Entry> unsorted);
// All that the lane did at `time` of its block comes before.
bool knows(const KnownPtr&, uint64_t block, uint32_t warp, uint32_t lane, uint32_t time);

}  // namespace headroom::sim::check
