// Passes through memory: each merges runs of some width to longer ones, from one array to another, so that
// the last one writes where the result belongs.
//
//   sort_by_passes<T>(request, width, 2, begin, pass);
//
// `begin(to)` makes runs of `width`, `pass(to, from, width)` merges 2 of them at a time (or 4, …).
//
//   sort_by_even_passes<T>(request, width, begin, pass);
//
// merges two at first if it must, then four at a time: `pass(to, from, width, ways)`.
#pragma once
#include <type_traits>

#include "studies/merge_sort/kinds.h"

namespace merge_sort {

inline int parts_of(int64_t n, int64_t part) { return int((n + part - 1) / part); }

// From one array to the other and back; after `passes` of them the result is where it belongs.
template <typename T>
class Arrays {
 public:
  Arrays(const Request& r, int passes)
      : result_(records<T>(r.keys, r.values)),
        room_(records<T>(r.room_keys, r.room_values)),
        passes_(passes) {}
  Records<T> from() const { return passes_ % 2 == 0 ? result_ : room_; }
  Records<T> to() const { return passes_ % 2 == 0 ? room_ : result_; }
  void next() { --passes_; }

 private:
  Records<T> result_, room_;
  int passes_;  // that are left
};

template <typename T, typename Begin, typename Pass>
void sort_by_passes(const Request& r, int64_t width, int ways, const Begin& begin,
                    const Pass& pass) {
  int passes = 0;
  for (int64_t w = width; w < r.n; w *= ways) ++passes;
  Arrays<T> arrays(r, passes);
  begin(arrays.from());
  for (; width < r.n; width *= ways, arrays.next()) {
    pass(arrays.to(), arrays.from(), int(width));
  }
}

template <typename T, typename Begin, typename Pass>
void sort_by_even_passes(const Request& r, int64_t width, const Begin& begin, const Pass& pass) {
  int doublings = 0;
  for (int64_t w = width; w < r.n; w *= 2) ++doublings;
  Arrays<T> arrays(r, (doublings + 1) / 2);
  begin(arrays.from());
  if (doublings % 2 == 1) {
    pass(arrays.to(), arrays.from(), int(width), std::integral_constant<int, 2>());
    width *= 2;
    arrays.next();
  }
  for (; width < r.n; width *= 4, arrays.next()) {
    pass(arrays.to(), arrays.from(), int(width), std::integral_constant<int, 4>());
  }
}

}  // namespace merge_sort
