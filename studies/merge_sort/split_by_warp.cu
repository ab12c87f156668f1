// rung    split_by_warp
// idea    a warp finds the splits of a tile: eight probes of each run at a time, and few loads wait for others
// expect  global_load_requests / 1.01 against four_way: as many loads; how many wait for others, no counter tells
// next    whole_records: values are moved by places, which costs more than the keys
//
// The search before halves one run's stretch with every load: of four runs of a million records that are
// eighty loads, each of which waits for the one before, and with few tiles nothing else happens meanwhile.
#include "studies/merge_sort/four_passes.h"

namespace {

using namespace merge_sort;

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
            launch_find_by_warps<T>(request, from.keys, search);
          });
        });
  });
}

}  // namespace

const merge_sort::Rung merge_sort::split_by_warp = {"split_by_warp", sort};
