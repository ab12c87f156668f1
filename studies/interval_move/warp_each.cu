// rung    warp_each
// idea    a warp an interval: its lanes take the elements in turn
// expect  no search: one warp has one interval, however short; the lanes of short ones lie idle
// next    search_each: an equal share for every thread, whatever the lengths
//
// Neighbouring lanes move neighbouring elements, and no thread searches. But the work of a warp is the length
// of its interval: of short ones most lanes have nothing to do, and a long one is alone at the end.
#include "studies/interval_move/interval_move.h"

namespace {

using namespace interval_move;

constexpr int threads = 256;

template <Kind kind>
__global__ void __launch_bounds__(threads) move_by_warps(Request r) {
  const int interval = int((blockIdx.x * threads + threadIdx.x) / 32), lane = threadIdx.x % 32;
  if (interval >= r.intervals) return;
  const int begin = r.begin[interval];
  const int end = interval + 1 < r.intervals ? r.begin[interval + 1] : r.elements;
  for (int element = begin + lane; element < end; element += 32) {
    move_element<kind>(r, element, interval, element - begin);
  }
}

void launch(const Request& r) {
  if (r.intervals == 0) return;
  for_kind(r.kind, [&](auto kind) {
    move_by_warps<decltype(kind)::value><<<(r.intervals - 1) / (threads / 32) + 1, threads>>>(r);
  });
}

}  // namespace

const interval_move::Rung interval_move::warp_each = {"warp_each", launch};
