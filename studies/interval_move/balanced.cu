// rung    balanced
// idea    load-balancing search: a block has an equal share of elements and intervals together
// expect  warp_instructions / 2.64, global_load_requests / 5.02 against search_each
// next    loads_first: a load waits for the store before it, and a search for each of its loads
//
// Elements and begins of intervals are merged, each begin before its first element. A block takes NT x VT of
// them, wherever that cuts them: interval b stands at begin[b] + b, so one search says where a share
// begins. The begins come to shared memory; there each thread walks along VT of the merged ones and notes
// each element's interval. Then all move the block's elements side by side. Many empty intervals, or one
// that is longer than a block, are shares like others.
#include <headroom/launch_box.cuh>

#include "studies/interval_move/interval_move.h"

namespace {

using namespace interval_move;

#ifdef TUNED_NT  // scripts/measure/tune.py
using Tuning = headroom::LaunchBox<headroom::Row<80, TUNED_NT, TUNED_VT, TUNED_OCC>>;
#else
// The source's 128 x 7, and what four bytes a value want where a thread's registers are many.
using Tuning = headroom::LaunchBox<headroom::Row<20, 128, 7>, headroom::Row<80, 256, 11>>;
#endif

// How many begins are among the first `merged`, searched between `low` and `high`.
__device__ int begins_before(const int* begin, int merged, int low, int high) {
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (begin[middle] + middle < merged) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

template <typename Tuning, Kind kind>
__global__ void __launch_bounds__(Tuning::here::NT, Tuning::here::OCC) move_balanced(Request r) {
  using here = typename Tuning::here;
  constexpr int NT = here::NT, VT = here::VT, NV = NT * VT;
  __shared__ int edges[2];
  __shared__ int begins[NV + 1];   // of the block's intervals, and of the one before
  __shared__ int interval_of[NV];  // of each of the block's elements
  const int first = int(blockIdx.x) * NV, last = min(first + NV, r.elements + r.intervals);
  if (threadIdx.x % 32 == 0 && threadIdx.x < 64) {
    const int merged = threadIdx.x == 0 ? first : last;
    edges[threadIdx.x / 32] =
        begins_before(r.begin, merged, max(0, merged - r.elements), min(merged, r.intervals));
  }
  __syncthreads();
  const int b_first = edges[0], b_last = edges[1], element = first - b_first;
  const int elements = last - b_last - element, intervals = b_last - b_first;
  // begins[i] is of interval b_first - 1 + i.
  for (int i = threadIdx.x; i <= intervals; i += NT) {
    begins[i] = b_first + i > 0 ? r.begin[b_first - 1 + i] : 0;
  }
  __syncthreads();

  // This thread's share of the block's: how many begins lie before it, by their places in the block.
  const int before = int(threadIdx.x) * VT;
  int low = 0, high = min(before, intervals);
  while (low < high) {
    const int middle = (low + high) / 2;
    if (begins[1 + middle] - element + middle < before) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  int at = before - low;
#pragma unroll
  for (int i = 0; i < VT; ++i) {
    if (before + i >= elements + intervals) break;
    if (low < intervals && begins[1 + low] <= element + at) {
      ++low;
    } else {
      interval_of[at++] = low;
    }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < elements; i += NT) {
    const int mine = interval_of[i];
    move_element<kind>(r, element + i, b_first - 1 + mine, element + i - begins[mine]);
  }
}

void launch(const Request& r) {
  for_kind(r.kind, [&](auto kind) {
    const auto kernel = move_balanced<Tuning, decltype(kind)::value>;
    headroom::launch<Tuning>(kernel, int64_t(r.elements) + r.intervals, nullptr, r);
  });
}

}  // namespace

const interval_move::Rung interval_move::balanced = {"balanced", launch};
