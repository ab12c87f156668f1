// rung    rank_merge
// idea    one thread a record: it searches its rank in the other run of its pair
// expect  the most loads: each of the log2(n) passes searches log2(width) records for every one
// next    block_sort: what fits into shared memory needs no pass through memory
//
// The plainest merge: all threads are independent, and the width of a run doubles with every pass. Reads
// of a search go anywhere in the other run, and so do the writes of its result, but for neighbours.
#include "studies/merge_sort/rank.h"

namespace {

using namespace merge_sort;

void sort(const Request& request) {
  for_kind(request.kind, request.pairs, [&](auto types) {
    using T = decltype(types);
    const Records<T> input = records<T>(request.keys_from, request.values_from);
    // The first pass merges the input itself: runs of one record.
    bool first = true;
    if (request.n == 0) return;
    sort_by_passes<T>(
        request, 1, 2,
        [&](Records<T> to) {
          if (request.n == 1) rank_pass<T>(to, input, 1, 1);
        },
        [&](Records<T> to, Records<T> from, int width) {
          rank_pass<T>(to, first ? input : from, request.n, width);
          first = false;
        });
  });
}

}  // namespace

const merge_sort::Rung merge_sort::rank_merge = {"rank_merge", sort};
