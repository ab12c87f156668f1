// Intervals of elements, as many as there are, of any length: expanded, gathered, scattered, or moved.
//
//   element k of interval i:  k = begin[i] + rank
//   expand     to[k] = from[i]
//   gather     to[k] = from[from_at[i] + rank]
//   scatter    to[to_at[i] + rank] = from[k]
//   move       to[to_at[i] + rank] = from[from_at[i] + rank]
//
//   balanced.launch(request);        // asynchronous, on the default stream
//
// Source: S. Baxter, "Modern GPU", 2013: IntervalMove and load-balancing search.
#pragma once
#include <cstddef>
#include <cstdint>

namespace interval_move {

enum class Kind { expand, gather, scatter, move };

struct Request {
  Kind kind;
  int elements, intervals;
  const int* begin;    // of each interval among the elements: sums of the lengths before it
  const int* from_at;  // where it comes from
  const int* to_at;    // where it goes
  const float* from;
  float* to;
  int* workspace = nullptr;  // as many numbers as the rung asks for
};

struct Rung {
  const char* name;
  void (*launch)(const Request&);
  size_t (*workspace)(int elements, int intervals) = nullptr;
};

extern const Rung warp_each, search_each, balanced, loads_first, heads, edges_first, whole_lines,
    by_region;

// The ladder, from the ground up.
constexpr const Rung* rungs[] = {&warp_each, &search_each, &balanced,    &loads_first,
                                 &heads,     &edges_first, &whole_lines, &by_region};

#ifdef __CUDACC__
// Where an element comes from, and where it goes.
struct Way {
  int from, to;
};

template <Kind kind>
__device__ Way way_of(const Request& r, int element, int interval, int rank) {
  return {kind == Kind::expand    ? interval
          : kind == Kind::scatter ? element
                                  : r.from_at[interval] + rank,
          kind == Kind::expand || kind == Kind::gather ? element : r.to_at[interval] + rank};
}

template <Kind kind>
__device__ void move_element(const Request& r, int element, int interval, int rank) {
  const Way way = way_of<kind>(r, element, interval, rank);
  r.to[way.to] = r.from[way.from];
}
#endif

// Calls `use` with the kind as a type: use(Is<Kind::move>()).
template <Kind kind>
struct Is {
  static constexpr Kind value = kind;
};
template <typename Use>
void for_kind(Kind kind, const Use& use) {
  switch (kind) {
    case Kind::expand: return use(Is<Kind::expand>());
    case Kind::gather: return use(Is<Kind::gather>());
    case Kind::scatter: return use(Is<Kind::scatter>());
    default: return use(Is<Kind::move>());
  }
}

}  // namespace interval_move
