// rung    four_way
// idea    four runs are merged at a time: half of the passes, the bytes and the launches
// expect  global_load_sectors / 1.67, global_store_sectors / 1.57, barriers / 1.33 against partitioned
// next    split_by_warp: one thread a tile waits for some eighty loads, one after the other
//
// A tile of the result needs a stretch of each of four runs. In shared memory they are merged as before, two
// and two, then both: what memory saw after the first of two passes never leaves the multiprocessor.
// Where a diagonal cuts four runs a search over all of them says. The tiles that are sorted first are
// larger, which saves passes, too; those of the merges are not.
#include "studies/merge_sort/four_passes.h"

namespace {

using namespace merge_sort;

constexpr int search_threads = 64;

template <typename T>
__global__ void __launch_bounds__(search_threads)
    find_splits(int4* splits, const typename T::Key* keys, Search search) {
  const int tile = int(blockIdx.x * search_threads + threadIdx.x);
  if (tile >= search.all) return;
  const Four four = search.runs(tile);
  const int64_t diagonal = search.diagonal(tile);
  splits[tile] =
      diagonal < four.all() ? four_way_split<T>(keys, four, int(diagonal)) : four.lengths();
}

void sort(const Request& request) {
  for_kind(request.kind, request.pairs, [&](auto types) {
    using T = decltype(types);
    if (request.n == 0) return;
    sort_by_passes<T>(
        request, tile_sort_width<T, SortTuning<T>>(), 4,
        [&](Records<T> to) {
          tile_sort<T, SortTuning<T>>(to, records<T>(request.keys_from, request.values_from),
                                      request.n);
        },
        [&](Records<T> to, Records<T> from, int width) {
          four_pass<T, 4>(to, from, request, width, [&](const Search& search) {
            find_splits<T><<<parts_of(search.all, search_threads), search_threads>>>(
                request.splits, from.keys, search);
          });
        });
  });
}

}  // namespace

const merge_sort::Rung merge_sort::four_way = {"four_way", sort};
