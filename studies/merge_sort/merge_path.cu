// rung    merge_path
// idea    a block merges a tile of the result: merge path says which stretches of both runs it needs
// expect  global_load_requests / 5.56, global_load_sectors / 3.19 against block_sort
// next    partitioned: at the begin of a tile the block waits for two searches
//
// The merged records of a tile are a diagonal's stretch of the merge path, and two searches, at its begin and
// its end, find the stretches of the two runs. These are read once, side by side, and merged through
// shared memory as in the block's own sort.
#include "studies/merge_sort/tile_merge.h"

namespace {

using namespace merge_sort;

template <typename T>
using Tuning = headroom::LaunchBox<headroom::Row<80, 256, T::key_size == 4 ? 17 : 9>>;

template <typename T, typename Tuning>
__global__ void __launch_bounds__(Tuning::here::NT, Tuning::here::OCC)
    merge_tiles(Records<T> to, Records<T> from, int n, int width) {
  constexpr int NT = Tuning::here::NT, VT = Tuning::here::VT;
  __shared__ Shared<T, NT, VT> shared;
  __shared__ int splits[2];
  const Pair pair(blockIdx.x, NT * VT, width, n);
  // Two warps search at a time.
  if (threadIdx.x % 32 == 0 && threadIdx.x < 64) {
    const int second = threadIdx.x / 32;
    splits[second] = split_of<T>(from.keys, pair, pair.first + second * pair.count);
  }
  __syncthreads();
  block_merge_tile<T, NT, VT>(to, from, pair, splits[0], splits[1], shared);
}

void sort(const Request& request) {
  for_kind(request.kind, request.pairs, [&](auto types) {
    using T = decltype(types);
    if (request.n == 0) return;
    sort_by_passes<T>(
        request, tile_sort_width<T, Tuning<T>>(), 2,
        [&](Records<T> to) {
          tile_sort<T, Tuning<T>>(to, records<T>(request.keys_from, request.values_from),
                                  request.n);
        },
        [&](Records<T> to, Records<T> from, int width) {
          const auto kernel = merge_tiles<T, Tuning<T>>;
          headroom::launch<Tuning<T>>(kernel, request.n, nullptr, to, from, request.n, width);
        });
  });
}

}  // namespace

const merge_sort::Rung merge_sort::merge_path = {"merge_path", sort};
