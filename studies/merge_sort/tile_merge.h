// Merges of two runs by tiles of NT x VT merged records: what a tile needs of both runs is a stretch of each,
// loaded to shared memory, and each thread merges an equal share of them.
#pragma once
#include "studies/merge_sort/tile_sort.h"

namespace merge_sort {

// The two runs that a tile's records come from, and which of the merged ones these are.
struct Pair {
  int64_t a, b, end;  // begins of both runs, and the end of the second
  int first, count;   // merged records of the tile, from the begin of the pair

  __device__ Pair(int tile, int tile_size, int64_t width, int64_t n) {
    const int64_t at = int64_t(tile) * tile_size;
    a = at / (2 * width) * (2 * width);
    b = min(n, a + width);
    end = min(n, a + 2 * width);
    first = int(at - a);
    count = int(min(int64_t(tile_size), end - at));
  }
  __device__ Lists lists() const { return {0, int(b - a), 0, int(end - b)}; }
};

// Of the first `diagonal` merged records of a pair, how many come from the first run.
template <typename T>
__device__ int split_of(const typename T::Key* keys, const Pair& pair, int diagonal) {
  const auto *a = keys + pair.a, *b = keys + pair.b;
  int low = int(max(int64_t(0), diagonal - (pair.end - pair.b)));
  int high = int(min(int64_t(diagonal), pair.b - pair.a));
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (T::less(b[diagonal - 1 - middle], a[middle])) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

// Merges a tile, of whose records `split` .. `next_split` are of the first run.
template <typename T, int NT, int VT>
__device__ void block_merge_tile(Records<T> to, Records<T> from, const Pair& pair, int split,
                                 int next_split, Shared<T, NT, VT>& shared) {
  const int of_a = next_split - split, count = pair.count;
  const int64_t a = pair.a + split, b = pair.b + (pair.first - split) - of_a;
  const auto load = [&](auto* mine, const auto* all) {
    auto* place = mine + threadIdx.x;
    const auto *in_a = all + a + threadIdx.x, *in_b = all + b + threadIdx.x;
    const int left_of_a = of_a - int(threadIdx.x);
    if (count == NT * VT) {
#pragma unroll
      for (int i = 0; i < VT; ++i) place[i * NT] = (i * NT < left_of_a ? in_a : in_b)[i * NT];
    } else {
      for (int i = 0; i * NT + int(threadIdx.x) < count; ++i) {
        place[i * NT] = (i * NT < left_of_a ? in_a : in_b)[i * NT];
      }
    }
  };
  load(shared.keys, from.keys);
  if (threadIdx.x < VT) {
    shared.keys[count + threadIdx.x] = typename T::Key();
  }
  __syncthreads();
  typename T::Key keys[VT];
  int places[VT] = {};
  const int first = threadIdx.x * VT;
  if (first < count) {
    Lists lists{0, of_a, of_a, count};
    const int of_first = path_search<T>(shared.keys, lists, first);
    lists.a += of_first;
    lists.b += first - of_first;
    thread_merge<T>(shared.keys, lists, keys, places);
  }
  block_store<NT, VT>(to.keys + pair.a + pair.first, shared.keys, keys, count);
  if constexpr (T::pairs) {
    __syncthreads();
    load(shared.values, from.values);
    __syncthreads();
    typename T::Value values[VT];
#pragma unroll
    for (int i = 0; i < VT; ++i) values[i] = shared.values[places[i]];
    block_store<NT, VT>(to.values + pair.a + pair.first, shared.values, values, count);
  }
}

}  // namespace merge_sort
