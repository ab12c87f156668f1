// Passes through memory: each merges runs of some width to longer ones, from one array to another, so that
// the last one writes where the result belongs.
//
//   sort_by_passes<T>(request, width, 2, begin, pass);
//
// `begin(to)` makes runs of `width`, `pass(to, from, width)` merges 2 of them at a time (or 4, …).
#pragma once
#include "studies/merge_sort/kinds.h"

namespace merge_sort {

inline int parts_of(int64_t n, int64_t part) { return int((n + part - 1) / part); }

template <typename T, typename Begin, typename Pass>
void sort_by_passes(const Request& r, int64_t width, int ways, const Begin& begin,
                    const Pass& pass) {
  const Records<T> result = records<T>(r.keys, r.values);
  const Records<T> room = records<T>(r.room_keys, r.room_values);
  int passes = 0;
  for (int64_t w = width; w < r.n; w *= ways) ++passes;
  const auto target = [&] { return passes % 2 == 0 ? result : room; };
  Records<T> from = target();
  begin(from);
  for (; width < r.n; width *= ways) {
    --passes;
    const Records<T> to = target();
    pass(to, from, int(width));
    from = to;
  }
}

}  // namespace merge_sort
