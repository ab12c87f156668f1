// The kernel of the rungs above `heads`: a share's edges were found before, and a block waits at two barriers.
//
//   launch_tiles<Tuning, Start::at_line>(request, AsGiven{}, edges);   // asynchronous, on the default stream
//
// `edges` has room for edges_of(elements, intervals) numbers: of the intervals that begin before each share.
#pragma once
#include <headroom/launch_box.cuh>

#include "studies/interval_move/interval_move.h"

namespace interval_move {

// From where to where among the elements, where it comes from, and where it goes.
struct Interval {
  int begin, end, from, to;
};

// Intervals as the request has them.
struct AsGiven {
  __device__ static int begin(const Request& r, int interval) { return r.begin[interval]; }
  template <Kind kind>
  __device__ static Interval at(const Request& r, int interval) {
    Interval its;
    its.begin = r.begin[interval];
    its.end = interval + 1 < r.intervals ? r.begin[interval + 1] : r.elements;
    if constexpr (kind == Kind::gather || kind == Kind::move) its.from = r.from_at[interval];
    if constexpr (kind == Kind::scatter || kind == Kind::move) its.to = r.to_at[interval];
    return its;
  }
};

// A thread an edge: the first steps of neighbours are the same, so they read the same.
template <typename Intervals>
__global__ void find_edges(Request r, Intervals intervals, int share, int shares, int* edges) {
  const int b = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (b > shares) return;
  const int merged = int(min(int64_t(b) * share, int64_t(r.elements) + r.intervals));
  int low = max(0, merged - r.elements), high = min(merged, r.intervals);
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (intervals.begin(r, middle) + middle < merged) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  edges[b] = low;
}

// What elements need of their interval, kept at the place of its first element in the share.
template <Kind kind, int places>
struct AtHead {
  static constexpr bool has_value = kind == Kind::expand;
  static constexpr bool has_from = kind == Kind::gather || kind == Kind::move;
  static constexpr bool has_to = kind == Kind::scatter || kind == Kind::move;
  float value[has_value ? places : 1];
  int from[has_from ? places : 1], to[has_to ? places : 1];  // less the number of the element
};

// Where the first warp begins: at the share's first element, or at the line of 128 bytes that has it.
enum class Start { anywhere, at_line };

// Of the merged elements and begins. Before the first element of a share may be 31 of its line.
template <typename Row, Start start>
constexpr int share_of = Row::NT* Row::VT - (start == Start::at_line ? 31 : 0);

template <typename Tuning, Kind kind, Start start, typename Intervals>
__global__ void __launch_bounds__(Tuning::here::NT, Tuning::here::OCC)
    move_tile(Request r, Intervals intervals, const int* edges) {
  using here = typename Tuning::here;
  constexpr int NT = here::NT, VT = here::VT, NV = NT * VT, words = NV / 32;
  constexpr int share = share_of<here, start>, batch = 4;  // intervals of a thread in flight
  static_assert(NT % 32 == 0 && VT <= 32);
  using Needed = AtHead<kind, NV>;
  __shared__ Needed needed;
  __shared__ unsigned heads[words];                   // a bit an element
  __shared__ unsigned with_heads[(words + 31) / 32];  // a bit a word
  for (int i = threadIdx.x; i < words; i += NT) heads[i] = 0;
  if (threadIdx.x < (words + 31) / 32) with_heads[threadIdx.x] = 0;
  const int first = int(blockIdx.x) * share, last = min(first + share, r.elements + r.intervals);
  const int before = edges[blockIdx.x], all = edges[blockIdx.x + 1];  // intervals
  const int element = first - before, end = last - all, elements = end - element;
  const int skip = start == Start::at_line ? element % 32 : 0, origin = element - skip;
  __syncthreads();

  // The intervals that begin here, and the one before, which may reach into the share.
  for (int at = before - 1 + int(threadIdx.x); at < all; at += batch * NT) {
    Interval its[batch];
    float value[batch];
#pragma unroll
    for (int i = 0; i < batch; ++i) {
      const int interval = at + i * NT;
      its[i].begin = its[i].end = end;
      if (interval < 0 || interval >= all) continue;
      its[i] = intervals.template at<kind>(r, interval);
      if constexpr (Needed::has_value) value[i] = r.from[interval];
    }
#pragma unroll
    for (int i = 0; i < batch; ++i) {
      if (max(its[i].begin, element) >= min(its[i].end, end)) continue;
      const int head = its[i].begin <= element ? 0 : its[i].begin - origin;
      if constexpr (Needed::has_value) needed.value[head] = value[i];
      if constexpr (Needed::has_from) needed.from[head] = its[i].from - its[i].begin;
      if constexpr (Needed::has_to) needed.to[head] = its[i].to - its[i].begin;
      if (!atomicOr(&heads[head / 32], 1u << (head % 32))) {
        atomicOr(&with_heads[head / 1024], 1u << (head / 32 % 32));
      }
    }
  }
  __syncthreads();
  if (elements == 0) return;

  // A warp has VT words. Lane i finds the last head before the i-th, counted from the word's first element.
  const int warp = int(threadIdx.x / 32), lane = int(threadIdx.x % 32);
  int last_head = 0;
  if (const int word = warp + lane * (NT / 32); lane < VT) {
    int group = word / 32;
    unsigned some = with_heads[group] & ((1u << (word % 32)) - 1);
    while (!some && group > 0) some = with_heads[--group];
    if (some) {
      const int other = group * 32 + 31 - __clz(int(some));
      last_head = (other - word) * 32 + 31 - __clz(int(heads[other]));
    }
  }
  const unsigned up_to_me = ~0u >> (31 - lane);
  const auto is_mine = [&](int place) { return unsigned(place - skip) < unsigned(elements); };
  float values[VT];
  int to[VT];
#pragma unroll
  for (int i = 0; i < VT; ++i) {  // places that are none have a head before them, too
    const unsigned mine = heads[warp + i * (NT / 32)] & up_to_me;
    const int other = __shfl_sync(~0u, last_head, i);
    const int head = warp * 32 + i * NT + (mine ? 31 - __clz(int(mine)) : other);
    const int place = int(threadIdx.x) + i * NT, k = origin + place;
    to[i] = Needed::has_to ? k + needed.to[head] : k;
    if constexpr (Needed::has_value) {
      values[i] = needed.value[head];
    } else {
      const int from = Needed::has_from ? k + needed.from[head] : k;
      if (is_mine(place)) values[i] = r.from[from];
    }
  }
#pragma unroll
  for (int i = 0; i < VT; ++i) {
    if (is_mine(int(threadIdx.x) + i * NT)) r.to[to[i]] = values[i];
  }
}

constexpr int smallest_share = 512;

inline size_t edges_of(int elements, int intervals) {
  return (size_t(elements) + intervals) / smallest_share + 2;
}

template <typename Tuning, Start start, typename Intervals>
void launch_tiles(const Request& r, Intervals intervals, int* edges) {
  for_kind(r.kind, [&](auto kind) {
    const auto kernel = move_tile<Tuning, decltype(kind)::value, start, Intervals>;
    headroom::at_row<Tuning>(kernel, [&](auto row) {
      constexpr int share = share_of<decltype(row), start>, threads = 128;
      static_assert(share >= smallest_share);
      const int shares = int((int64_t(r.elements) + r.intervals + share - 1) / share);
      if (shares == 0) return;
      find_edges<<<shares / threads + 1, threads>>>(r, intervals, share, shares, edges);
      kernel<<<shares, row.NT>>>(r, intervals, edges);
    });
  });
}

}  // namespace interval_move
