// rung    whole_records
// idea    a key and its value travel side by side: what moves the one moves the other
// expect  warp_instructions / 1.28, shared_store_instructions / 2.06, barriers / 1.22 against split_by_warp, local_load_requests = 0
// next    even_passes: the last pass may find two runs only, and merges them as four
//
// The rungs before note where each key came from and fetch its value from there: twice the reads of shared
// memory, and a place a record in registers. Here shared memory holds records of twice the size. Memory
// holds keys and values in arrays of their own, as ever: loads and stores join and part them.
#include "studies/merge_sort/four_passes.h"
#include "studies/merge_sort/whole.h"

namespace {

using namespace merge_sort;

void sort(const Request& request) {
  for_kind(request.kind, request.pairs, [&](auto types) {
    using T = decltype(types);
    using W = Whole<T>;
    if (request.n == 0) return;
    sort_by_passes<T>(
        request, tile_sort_width<W, SortTuning<W>>(), 4,
        [&](Records<T> to) {
          const Records<T> from = records<T>(request.keys_from, request.values_from);
          tile_sort<W, SortTuning<W>>(whole<T>(to), whole<T>(from), request.n);
        },
        [&](Records<T> to, Records<T> from, int width) {
          four_pass<W, 4>(whole<T>(to), whole<T>(from), request, width, [&](const Search& search) {
            launch_find_by_warps<T>(request, from.keys, search);
          });
        });
  });
}

}  // namespace

const merge_sort::Rung merge_sort::whole_records = {"whole_records", sort};
