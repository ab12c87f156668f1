// rung    even_passes
// idea    two runs are merged as two: one pass merges pairs where the passes by four would end with one of two
// expect  shared_store_instructions / 1.05, global_store_sectors / 1.04 against whole_records
// next    overlapped: between two kernels nothing happens
//
// Tiles are 2^k runs or a few less. Where k is odd, the last pass of the rungs before finds two runs and merges
// them by the kernel for four, whose first half then does nothing but move records. Here the first pass of an
// odd number merges pairs.
#include "studies/merge_sort/four_passes.h"
#include "studies/merge_sort/whole.h"

namespace {

using namespace merge_sort;

void sort(const Request& request) {
  for_kind(request.kind, request.pairs, [&](auto types) {
    using T = decltype(types);
    using W = Whole<T>;
    if (request.n == 0) return;
    sort_by_even_passes<T>(
        request, tile_sort_width<W, SortTuning<W>>(),
        [&](Records<T> to) {
          const Records<T> from = records<T>(request.keys_from, request.values_from);
          tile_sort<W, SortTuning<W>>(whole<T>(to), whole<T>(from), request.n);
        },
        [&](Records<T> to, Records<T> from, int width, auto ways) {
          four_pass<W, ways>(
              whole<T>(to), whole<T>(from), request, width,
              [&](const Search& search) { launch_find_by_warps<T>(request, from.keys, search); });
        });
  });
}

}  // namespace

const merge_sort::Rung merge_sort::even_passes = {"even_passes", sort};
