// Merges of four runs at a time: where a diagonal of the merged records cuts each of the four, and what a
// block does with a tile of them.
//
//   const Four four(group, width, n);                       // the runs of a group
//   int4 split = four_way_split<T>(keys, four, diagonal);     // of the first `diagonal`, how many of each run
//   block_merge_four<T, NT, VT>(to, from, four, first, split, next, shared);
#pragma once
#include "studies/merge_sort/tile_sort.h"

namespace merge_sort {

struct Four {
  int begin[5];  // of the runs, and the end of the last

  // Of two runs at a time, the third and the fourth are empty.
  __host__ __device__ Four(int64_t group, int64_t width, int64_t n, int ways = 4) {
    for (int r = 0; r < 5; ++r) {
      const int64_t at = (ways * group + (r < ways ? r : ways)) * width;
      begin[r] = int(at < n ? at : n);
    }
  }
  __device__ int length(int run) const { return begin[run + 1] - begin[run]; }
  __device__ int4 lengths() const { return {length(0), length(1), length(2), length(3)}; }
  __device__ int all() const { return begin[4] - begin[0]; }
};

// Between `low` and `high` the cut of each run is sought. The middles are compared: of the records that
// are left, those before the middles come before the largest middle, and those up to the least middle come
// before all other middles. So either the run of the largest ends at its middle, or that of the least
// begins behind it: with every load one run's stretch is halved.
template <typename T>
__device__ int4 four_way_split(const typename T::Key* keys, const Four& four, int diagonal) {
  int low[4] = {}, high[4], middle[4];
  typename T::Key key[4];
#pragma unroll
  for (int r = 0; r < 4; ++r) {
    high[r] = four.length(r);
    middle[r] = high[r] / 2;
    if (high[r] > 0) key[r] = keys[four.begin[r] + middle[r]];
  }
  int left = diagonal;
  while (left > 0) {
    int before = 0, least = -1, largest = -1;
    typename T::Key least_key{}, largest_key{};
#pragma unroll
    for (int r = 0; r < 4; ++r) {
      if (low[r] == high[r]) continue;
      before += middle[r] - low[r];
      // Of equal records that of the later run is the larger one.
      if (least < 0 || T::less(key[r], least_key)) least = r, least_key = key[r];
      if (largest < 0 || !T::less(key[r], largest_key)) largest = r, largest_key = key[r];
    }
    if (least < 0) break;
    const bool cut = left <= before;
#pragma unroll
    for (int r = 0; r < 4; ++r) {
      if (r != (cut ? largest : least)) continue;
      if (cut) {
        high[r] = middle[r];
      } else {
        left -= middle[r] + 1 - low[r];
        low[r] = middle[r] + 1;
      }
      middle[r] = low[r] + (high[r] - low[r]) / 2;
      if (low[r] < high[r]) key[r] = keys[four.begin[r] + middle[r]];
    }
  }
  return {low[0], low[1], low[2], low[3]};
}

// Two lists side by side, and the two behind them, at once: as many threads for the first pair as its
// records need, the others for the second pair. `count` is NT VT - VT at most, so that there are enough.
template <typename T, int NT, int VT>
struct Halves {
  int of_first, mine,
      begin;  // records of the first pair; how many this thread merges, and from where on

  __device__ Halves(int of_first, int count) : of_first(of_first) {
    const int threads = (of_first + VT - 1) / VT;
    const bool second = int(threadIdx.x) >= threads;
    begin = second ? of_first + (int(threadIdx.x) - threads) * VT : int(threadIdx.x) * VT;
    mine = min(VT, (second ? count : of_first) - begin);
  }
  template <typename U>
  __device__ void write(U* shared, const U (&values)[VT]) const {
    if (mine == VT) {
#pragma unroll
      for (int i = 0; i < VT; ++i) shared[begin + i] = values[i];
    } else {
#pragma unroll
      for (int i = 0; i < VT; ++i) {
        if (i < mine) shared[begin + i] = values[i];
      }
    }
  }
};

// Merges the records from `first` on of the four, or of the first two; `split` and `next` are their cuts.
template <typename T, int NT, int VT, int ways>
__device__ void block_merge_four(Records<T> to, Records<T> from, const Four& four, int first,
                                 int4 split, int4 next, Shared<T, NT, VT>& shared) {
  const int one = next.x - split.x, two = one + next.y - split.y, three = two + next.z - split.z;
  const int count = three + next.w - split.w;
  const int at_0 = four.begin[0] + split.x, at_1 = four.begin[1] + split.y - one;
  const int at_2 = four.begin[2] + split.z - two, at_3 = four.begin[3] + split.w - three;
  const auto load = [&](auto* mine, const auto& all) {
    auto* place = mine + threadIdx.x;
    const int t = threadIdx.x;
    const auto read = [&](int i) {
      const int run =
          i * NT < two - t ? (i * NT < one - t ? at_0 : at_1) : (i * NT < three - t ? at_2 : at_3);
      place[i * NT] = all[run + t + i * NT];
    };
    // All but the last of a group's tiles are of one size; so are the turns in which no thread is left out.
    constexpr int most = VT - 1;
    if (count >= most * NT) {
#pragma unroll
      for (int i = 0; i < most; ++i) read(i);
      if (most * NT + t < count) read(most);
    } else {
      for (int i = 0; i * NT + t < count; ++i) read(i);
    }
  };
  load(shared.keys, from.keys);
  if (threadIdx.x < VT) shared.keys[count + threadIdx.x] = typename T::Key();
  __syncthreads();

  typename T::Key keys[VT];
  int places[VT] = {}, places_of_halves[VT] = {};
  const auto merge = [&](Lists lists, int diagonal, int(&where)[VT]) {
    const int of_a = path_search<T>(shared.keys, lists, diagonal);
    lists.a += of_a;
    lists.b += diagonal - of_a;
    thread_merge<T>(shared.keys, lists, keys, where);
  };
  const Halves<T, NT, VT> halves(two, count);
  if constexpr (ways == 4) {
    if (halves.mine > 0) {
      const bool second = halves.begin >= two;
      merge(second ? Lists{two, three, three, count} : Lists{0, one, one, two},
            halves.begin - (second ? two : 0), places_of_halves);
    }
    __syncthreads();
    if (halves.mine > 0) halves.write(shared.keys, keys);
    __syncthreads();
  }
  const int mine = threadIdx.x * VT, middle = ways == 4 ? two : one;
  if (mine < count) merge({0, middle, middle, count}, mine, places);
  block_store<NT, VT>(to.keys + four.begin[0] + first, shared.keys, keys, count);
  if constexpr (T::pairs) {
    typename T::Value values[VT];
    __syncthreads();
    load(shared.values, from.values);
    __syncthreads();
    if constexpr (ways == 4) {
#pragma unroll
      for (int i = 0; i < VT; ++i) values[i] = shared.values[places_of_halves[i]];
      __syncthreads();
      if (halves.mine > 0) halves.write(shared.values, values);
      __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < VT; ++i) values[i] = shared.values[places[i]];
    block_store<NT, VT>(to.values + four.begin[0] + first, shared.values, values, count);
  }
}

}  // namespace merge_sort
