// rung    four_way
// idea    four runs are merged at a time: half of the passes, the bytes and the launches
// expect  global_load_sectors / 2.06, global_store_sectors / 1.88, barriers / 1.43 against partitioned
// next    none: what is left are the comparisons
//
// A tile of the result needs a stretch of each of four runs. In shared memory they are merged as before, two
// and two, then both: what memory saw after the first of two passes never leaves the multiprocessor.
// Where a diagonal cuts four runs a search over all of them says. The tiles that are sorted first are
// larger, which saves passes, too; those of the merges are not.
#include "studies/merge_sort/four_way.h"
#include "studies/merge_sort/tuned.h"

namespace {

using namespace merge_sort;

constexpr int search_threads = 64;

// How the merged records of a group are cut into tiles: all of one size, but for the last.
struct Cut {
  int tile, tiles;  // records of a tile, tiles of a group
  Cut(int64_t n, int64_t width, int most) {
    const int64_t group = 4 * width < n ? 4 * width : n;
    tiles = parts_of(group, most);
    tile = parts_of(group, tiles);
  }
};

template <typename T>
__global__ void __launch_bounds__(search_threads)
    find_splits(int4* splits, const typename T::Key* keys, int n, int width, Cut cut, int all) {
  const int tile = int(blockIdx.x * search_threads + threadIdx.x);
  if (tile >= all) return;
  const Four four(tile / cut.tiles, width, n);
  const int64_t diagonal = int64_t(tile % cut.tiles) * cut.tile;
  splits[tile] =
      diagonal < four.all() ? four_way_split<T>(keys, four, int(diagonal)) : four.lengths();
}

template <typename T, typename Tuning>
__global__ void __launch_bounds__(Tuning::here::NT, Tuning::here::OCC)
    merge_tiles(Records<T> to, Records<T> from, int n, int width, Cut cut, const int4* splits) {
  constexpr int NT = Tuning::here::NT, VT = Tuning::here::VT;
  extern __shared__ __align__(8) char memory[];
  const int group = int(blockIdx.x) / cut.tiles, tile = int(blockIdx.x) % cut.tiles;
  const Four four(group, width, n);
  const int64_t first = int64_t(tile) * cut.tile;
  if (first >= four.all()) return;
  const int4 next = tile + 1 < cut.tiles ? splits[blockIdx.x + 1] : four.lengths();
  block_merge_four<T, NT, VT>(to, from, four, int(first), splits[blockIdx.x], next,
                              *reinterpret_cast<Shared<T, NT, VT>*>(memory));
}

template <typename T>
void pass(Records<T> to, Records<T> from, const Request& request, int width) {
  using Tuning = MergeTuning<T>;
  const auto kernel = merge_tiles<T, Tuning>;
  headroom::at_row<Tuning>(kernel, [&](auto row) {
    using Row = decltype(row);
    constexpr int bytes = sizeof(Shared<T, Row::NT, Row::VT>);
    const Cut cut(request.n, width, (Row::NT - 1) * Row::VT);
    const int all = parts_of(request.n, int64_t(4) * width) * cut.tiles;
    find_splits<T><<<parts_of(all, search_threads), search_threads>>>(request.splits, from.keys,
                                                                      request.n, width, cut, all);
    study::allow_shared(kernel, bytes);
    kernel<<<all, Row::NT, bytes>>>(to, from, request.n, width, cut, request.splits);
  });
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
        [&](Records<T> to, Records<T> from, int width) { pass<T>(to, from, request, width); });
  });
}

}  // namespace

const merge_sort::Rung merge_sort::four_way = {"four_way", sort};
