// rung    partitioned
// idea    a kernel of its own finds all stretches of a pass: its searches wait side by side
// expect  global_load_requests / 1.07 against merge_path: the searches of a warp share a request
// next    four_way: half of the passes, if four runs are merged at a time
//
// A search is a chain of loads, each of which waits for the one before, while the block's other threads
// have nothing to do. One thread a tile in a small kernel before it has thousands of such chains at a
// time, and a block begins with its loads at once.
#include "studies/merge_sort/tile_merge.h"

namespace {

using namespace merge_sort;

template <typename T>
using Tuning = headroom::LaunchBox<headroom::Row<80, 256, T::key_size == 4 ? 17 : 9>>;

constexpr int search_threads = 64;

template <typename T>
__global__ void __launch_bounds__(search_threads)
    find_splits(int2* splits, const typename T::Key* keys, int n, int width, int tile_size,
                int tiles) {
  const int tile = int(blockIdx.x * search_threads + threadIdx.x);
  if (tile >= tiles) return;
  const Pair pair(tile, tile_size, width, n);
  splits[tile] = {split_of<T>(keys, pair, pair.first),
                  split_of<T>(keys, pair, pair.first + pair.count)};
}

template <typename T, typename Tuning>
__global__ void __launch_bounds__(Tuning::here::NT, Tuning::here::OCC)
    merge_tiles(Records<T> to, Records<T> from, int n, int width, const int2* splits) {
  constexpr int NT = Tuning::here::NT, VT = Tuning::here::VT;
  __shared__ Shared<T, NT, VT> shared;
  const Pair pair(blockIdx.x, NT * VT, width, n);
  const int2 split = splits[blockIdx.x];
  block_merge_tile<T, NT, VT>(to, from, pair, split.x, split.y, shared);
}

void sort(const Request& request) {
  for_kind(request.kind, request.pairs, [&](auto types) {
    using T = decltype(types);
    if (request.n == 0) return;
    const int tile = tile_sort_width<T, Tuning<T>>(), tiles = parts_of(request.n, tile);
    int2* splits = reinterpret_cast<int2*>(request.splits);
    sort_by_passes<T>(
        request, tile, 2,
        [&](Records<T> to) {
          tile_sort<T, Tuning<T>>(to, records<T>(request.keys_from, request.values_from),
                                  request.n);
        },
        [&](Records<T> to, Records<T> from, int width) {
          find_splits<T><<<parts_of(tiles, search_threads), search_threads>>>(
              splits, from.keys, request.n, width, tile, tiles);
          const auto kernel = merge_tiles<T, Tuning<T>>;
          headroom::launch<Tuning<T>>(kernel, request.n, nullptr, to, from, request.n, width,
                                      splits);
        });
  });
}

}  // namespace

const merge_sort::Rung merge_sort::partitioned = {"partitioned", sort};
