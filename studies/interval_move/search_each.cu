// rung    search_each
// idea    a thread an element: it searches the interval that it belongs to
// expect  global_store_requests / 1.95 against warp_each: every lane has an element
// next    balanced: one search for many elements, and the rest in shared memory
//
// All threads have the same work, but each searches log2(intervals) begins before it moves four bytes.
// Neighbours search the same way, so most of these reads hit the L1.
#include "studies/interval_move/interval_move.h"

namespace {

using namespace interval_move;

constexpr int threads = 256;

template <Kind kind>
__global__ void __launch_bounds__(threads) move_by_search(Request r) {
  const int element = int(blockIdx.x * threads + threadIdx.x);
  if (element >= r.elements) return;
  // The last interval that begins here or before: behind empty ones that begin at the same place.
  int low = 0, high = r.intervals;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (r.begin[middle] <= element) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  move_element<kind>(r, element, low - 1, element - r.begin[low - 1]);
}

void launch(const Request& r) {
  if (r.elements == 0) return;
  for_kind(r.kind, [&](auto kind) {
    move_by_search<decltype(kind)::value><<<(r.elements - 1) / threads + 1, threads>>>(r);
  });
}

}  // namespace

const interval_move::Rung interval_move::search_each = {"search_each", launch};
