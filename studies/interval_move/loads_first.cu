// rung    loads_first
// idea    nothing waits alone: a thread asks for all that it reads before its first store, and a warp searches
// expect  global_load_requests / 1.07 against balanced: no more than before, but VT at a time
// next    heads: each thread walks along the begins, one after the other
//
// The compiler may not move a load over a store that might change what it reads, so the loop of the rung before
// has one element in flight. Here every thread has VT of them: the numbers of their intervals, then the
// elements, then the stores. Where a share begins all lanes of a warp search together: a 32nd with every load,
// instead of a half.
#include "studies/interval_move/share.h"

namespace {

using namespace interval_move;

template <typename Tuning, Kind kind>
__global__ void __launch_bounds__(Tuning::here::NT, Tuning::here::OCC) move_loads_first(Request r) {
  using here = typename Tuning::here;
  constexpr int NT = here::NT, VT = here::VT, NV = NT * VT;
  __shared__ int edges[2];
  __shared__ int begins[NV + 1];   // of the block's intervals, and of the one before
  __shared__ int interval_of[NV];  // of each of the block's elements
  const Share share = share_of_block<NV>(r, edges);
  // begins[i] is of interval share.interval - 1 + i.
  for (int i = threadIdx.x; i <= share.intervals; i += NT) {
    begins[i] = share.interval + i > 0 ? r.begin[share.interval - 1 + i] : 0;
  }
  __syncthreads();

  // This thread's share of the block's: how many begins lie before it, by their places in the block.
  const int before = int(threadIdx.x) * VT;
  int low = 0, high = min(before, share.intervals);
  while (low < high) {
    const int middle = (low + high) / 2;
    if (begins[1 + middle] - share.element + middle < before) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  int at = before - low;
#pragma unroll
  for (int i = 0; i < VT; ++i) {
    if (before + i >= share.elements + share.intervals) break;
    if (low < share.intervals && begins[1 + low] <= share.element + at) {
      ++low;
    } else {
      interval_of[at++] = low;
    }
  }
  __syncthreads();
  Way ways[VT];
  float values[VT];
#pragma unroll
  for (int i = 0; i < VT; ++i) {
    const int place = int(threadIdx.x) + i * NT;
    if (place < share.elements) {
      const int mine = interval_of[place], element = share.element + place;
      ways[i] = way_of<kind>(r, element, share.interval - 1 + mine, element - begins[mine]);
    }
  }
#pragma unroll
  for (int i = 0; i < VT; ++i) {
    if (int(threadIdx.x) + i * NT < share.elements) values[i] = r.from[ways[i].from];
  }
#pragma unroll
  for (int i = 0; i < VT; ++i) {
    if (int(threadIdx.x) + i * NT < share.elements) r.to[ways[i].to] = values[i];
  }
}

using Tuning = ShareTuning<11>;

void launch(const Request& r) {
  for_kind(r.kind, [&](auto kind) {
    const auto kernel = move_loads_first<Tuning, decltype(kind)::value>;
    headroom::launch<Tuning>(kernel, int64_t(r.elements) + r.intervals, nullptr, r);
  });
}

}  // namespace

const interval_move::Rung interval_move::loads_first = {"loads_first", launch};
