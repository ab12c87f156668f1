// rung    overlapped
// idea    a kernel is launched while the one before ends, and waits for it on the multiprocessor
// expect  warp_instructions / 1.0 against even_passes: the same work; what shrinks are the gaps between kernels
// next    none: what is left are the comparisons
//
// A pass is two kernels, and each begins when all blocks of the one before have ended and the next ones have been
// brought to the multiprocessors: a microsecond or two, a dozen times. On compute capability 9.0 blocks may come
// before that, and wait themselves.
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
          four_pass<W, ways, true>(whole<T>(to), whole<T>(from), request, width,
                                   [&](const Search& search) {
                                     launch_find_by_warps<T, true>(request, from.keys, search);
                                   });
        });
  });
}

}  // namespace

const merge_sort::Rung merge_sort::overlapped = {"overlapped", sort};
