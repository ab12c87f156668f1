// What a block does with a tile of NT x VT records: load it, sort it, and store it.
//
// Shared memory holds keys, or values, never both. Thread t has records t VT to t VT + VT - 1: an odd VT
// leads neighbours to different banks.
#pragma once
#include "studies/merge_sort/thread_merge.h"

namespace merge_sort {

// Behind the tile lies what threads read once their lists have ended.
template <typename T, int NT, int VT>
union Shared {
  static constexpr int behind = VT > NT / 32 ? VT : NT / 32;
  typename T::Key keys[NT * VT + behind];
  typename T::Value values[NT * VT + behind];
};

// Between memory, where neighbours are of neighbouring threads, and threads with VT of their own.
template <int NT, int VT, typename U, typename From>
__device__ void block_load(U (&mine)[VT], U* shared, const From& from, int count) {
  const int t = threadIdx.x;
  __syncthreads();
  if (count == NT * VT) {
    U read[VT];
#pragma unroll
    for (int i = 0; i < VT; ++i) read[i] = from[i * NT + t];
#pragma unroll
    for (int i = 0; i < VT; ++i) shared[i * NT + t] = read[i];
  } else {
    for (int at = t; at < count; at += NT) shared[at] = from[at];
  }
  __syncthreads();
#pragma unroll
  for (int i = 0; i < VT; ++i) mine[i] = t * VT + i < count ? shared[t * VT + i] : U();
}
template <int NT, int VT, typename U, typename To>
__device__ void block_store(const To& to, U* shared, const U (&mine)[VT], int count) {
  const int t = threadIdx.x;
  __syncthreads();
#pragma unroll
  for (int i = 0; i < VT; ++i) shared[t * VT + i] = mine[i];
  __syncthreads();
  if (count >= NT * (VT - 1)) {
#pragma unroll
    for (int i = 0; i < VT - 1; ++i) to[i * NT + t] = shared[i * NT + t];
    if (NT * (VT - 1) + t < count) to[NT * (VT - 1) + t] = shared[NT * (VT - 1) + t];
  } else {
    for (int at = t; at < count; at += NT) to[at] = shared[at];
  }
}

// Values follow their keys; `wait` is for all that have values of each other.
template <int VT, typename U, typename Wait>
__device__ void gather(U (&mine)[VT], U* shared, const int (&from)[VT], const Wait& wait) {
  wait();
#pragma unroll
  for (int i = 0; i < VT; ++i) shared[threadIdx.x * VT + i] = mine[i];
  wait();
#pragma unroll
  for (int i = 0; i < VT; ++i) mine[i] = shared[from[i]];
}

// Sorts a tile: threads sort their own, then lists of twice as many threads are merged, of a warp first.
template <typename T, int NT, int VT>
__device__ void block_sort_tile(Records<T> to, Records<T> from, int count,
                                Shared<T, NT, VT>& shared) {
  typename T::Key keys[VT];
  typename T::Value values[VT];
  block_load<NT, VT>(keys, shared.keys, from.keys, count);
  if constexpr (T::pairs) block_load<NT, VT>(values, shared.values, from.values, count);
  const int first = threadIdx.x * VT;
  if (count == NT * VT) {
    thread_sort<T, VT, true>(keys, values, VT);
  } else {
    thread_sort<T, VT, false>(keys, values, count - first);
  }
  __syncthreads();
  // The lists of a warp's threads lie one place further for each warp before it: what is read behind them is
  // a place of its own, and no other warp need be waited for.
  const int warp = threadIdx.x / 32, behind = (warp + 1) * 32 * VT + warp;
  if (threadIdx.x % 32 == 31) shared.keys[behind] = keys[0];
  const bool is_full = count == NT * VT;
  for (int group = 2; group <= NT && group / 2 * VT < count; group *= 2) {
    const bool is_of_warp = is_full && group <= 32;
    const int shift = is_of_warp ? warp : 0;
    const auto wait = [&] {
      if (is_of_warp) {
        __syncwarp();
      } else {
        __syncthreads();
      }
    };
    wait();
#pragma unroll
    for (int i = 0; i < VT; ++i) shared.keys[shift + first + i] = keys[i];
    if (!is_of_warp && threadIdx.x < VT) shared.keys[NT * VT + threadIdx.x] = keys[0];
    wait();
    const int begin = (int(threadIdx.x) & -group) * VT;
    const int middle = min(count, begin + group / 2 * VT), end = min(count, begin + group * VT);
    int places[VT];
#pragma unroll
    for (int i = 0; i < VT; ++i) places[i] = first + i;
    if (first < count) {
      Lists lists{begin, middle, middle, end};
      const int diagonal = first - begin;
      const int of_a = path_search<T>(shared.keys + shift, lists, diagonal);
      lists.a += of_a;
      lists.b += diagonal - of_a;
      merge_from<T, VT, true>(shared.keys + shift, lists, keys, places);
    }
    if constexpr (T::pairs) gather(values, shared.values + shift, places, wait);
  }
  block_store<NT, VT>(to.keys, shared.keys, keys, count);
  if constexpr (T::pairs) block_store<NT, VT>(to.values, shared.values, values, count);
}

}  // namespace merge_sort
