// Where a diagonal of the merged records cuts four runs, found by a warp: eight probes of each run at a time.
//
//   const int4 split = warp_split<T>(keys, four, diagonal);     // all lanes of a warp; all get the answer
//
// A probe's rank among all records lies between two numbers that the probes of the other runs tell. So with
// every load each run's stretch becomes about a quarter, and a search of four runs of a million is nine
// loads long, where one that halves one stretch with every load is eighty.
#pragma once
#include "studies/merge_sort/four_way.h"

namespace merge_sort {

// The place of probe 0 to 7 in a stretch: an eighth of the way or so; all of eight records and fewer.
__device__ inline int probe_at(int probe, int length) {
  constexpr unsigned ninth = 477218589;  // 2^32 / 9, rounded up
  return int(__umulhi(unsigned(length), unsigned(probe + 1) * ninth));
}

template <typename U>
__device__ U of_lane(const U& mine, int lane) {
  return __shfl_sync(~0u, mine, lane);
}

template <typename T>
__device__ int4 warp_split(const typename T::Key* keys, const Four& four, int diagonal) {
  const int run = threadIdx.x % 32 / 8, mine = threadIdx.x % 8;
  int begin = four.begin[0], low = 0, high = four.length(0);
#pragma unroll
  for (int r = 1; r < 4; ++r) {
    if (run == r) begin = four.begin[r], high = four.length(r);
  }
  while (__any_sync(~0u, low < high)) {
    const int probe = low + probe_at(mine, high - low);
    typename T::Key key{};
    if (low < high) key = keys[begin + probe];
    // How many records come before this one, at least and at most.
    int least = probe, most = probe;
#pragma unroll
    for (int turn = 1; turn < 4; ++turn) {
      const int other = (run + turn) % 4, first = other * 8;
      int before = 0;  // of the other run's probes
#pragma unroll
      for (const int step : {4, 2, 1, 1}) {
        const auto theirs = of_lane(key, first + before + step - 1);
        // Of equal records that of the earlier run comes first.
        const bool is_before = other < run ? !T::less(key, theirs) : T::less(theirs, key);
        if (is_before) before += step;
      }
      const int their_low = of_lane(low, first), their_high = of_lane(high, first);
      const int last = of_lane(probe, first + max(before - 1, 0));
      const int next = of_lane(probe, first + min(before, 7));
      least += before > 0 ? min(last + 1, their_high) : their_low;
      most += before < 8 ? next : their_high;
    }
    const unsigned of_run = 255u << run * 8;
    const int inside = __popc(__ballot_sync(~0u, most < diagonal) & of_run);
    const int outside = __popc(__ballot_sync(~0u, least >= diagonal) & of_run);
    const int last_inside = of_lane(probe, run * 8 + max(inside - 1, 0));
    const int first_outside = of_lane(probe, run * 8 + min(8 - outside, 7));
    if (low < high) {
      if (inside > 0) low = last_inside + 1;
      if (outside > 0) high = first_outside;
    }
  }
  return {of_lane(low, 0), of_lane(low, 8), of_lane(low, 16), of_lane(low, 24)};
}

}  // namespace merge_sort
