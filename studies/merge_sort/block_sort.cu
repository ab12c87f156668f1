// rung    block_sort
// idea    a block sorts a tile: threads their own values, then lists of threads, warps, the block
// expect  warp_instructions / 2.1, global_load_sectors / 2.99 against rank_merge
// next    merge_path: the passes that are left still search memory for every record
//
// A thread sorts its values in registers, then lists are merged through shared memory: a thread finds by
// merge path where its share of the two lists begins, and merges an equal share each. Twelve passes of
// the rung before are one.
#include "studies/merge_sort/rank.h"
#include "studies/merge_sort/tile_sort.h"

namespace {

using namespace merge_sort;

template <typename T>
using Tuning = headroom::LaunchBox<headroom::Row<80, 256, T::key_size == 4 ? 17 : 9>>;

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
          rank_pass<T>(to, from, request.n, width);
        });
  });
}

}  // namespace

const merge_sort::Rung merge_sort::block_sort = {"block_sort", sort};
