// A block's equal share of the merged elements and begins of intervals, and the tunings of the rungs that take such shares.
//
//   const Share share = share_of_block<NV>(r, edges);        // `edges` in shared memory; all threads of the block
//   share.interval, share.intervals      those that begin in it
//   share.element, share.elements
#pragma once
#include <headroom/launch_box.cuh>

#include "studies/interval_move/interval_move.h"

namespace interval_move {

#ifdef TUNED_NT  // scripts/measure/tune.py
template <int values>
using ShareTuning = headroom::LaunchBox<headroom::Row<80, TUNED_NT, TUNED_VT, TUNED_OCC>>;
#else
template <int values>
using ShareTuning = headroom::LaunchBox<headroom::Row<80, 256, values>>;
#endif

struct Share {
  int interval, intervals, element, elements;
};

// How many begins are among the first `merged`, searched between `low` and `high` by all lanes of a warp:
// what is left is a 32nd with every load.
__device__ inline int begins_before_by_warp(const int* begin, int merged, int low, int high) {
  const int lane = int(threadIdx.x % 32);
  while (low < high) {
    const int step = (high - low - 1) / 32 + 1;
    const int probe = low + (lane + 1) * step - 1;
    const bool before = probe < high && begin[probe] + probe < merged;
    low += __popc(__ballot_sync(~0u, before)) * step;
    high = min(high, low + step - 1);
  }
  return low;
}

template <int NV>
__device__ Share share_of_block(const Request& r, int (&edges)[2]) {
  const int first = int(blockIdx.x) * NV, last = min(first + NV, r.elements + r.intervals);
  if (threadIdx.x < 64) {
    const int merged = threadIdx.x < 32 ? first : last;
    const int found = begins_before_by_warp(r.begin, merged, max(0, merged - r.elements),
                                            min(merged, r.intervals));
    if (threadIdx.x % 32 == 0) edges[threadIdx.x / 32] = found;
  }
  __syncthreads();
  const int element = first - edges[0];
  return {edges[0], edges[1] - edges[0], element, last - edges[1] - element};
}

}  // namespace interval_move
