// What one thread does: sort its values, find where its share of a merge begins, and merge it.
//
//   thread_sort<T>(keys, values, valid);
//   const int a = path_search<T>(shared, lists, diagonal);               // how many of the first list come before it
//   thread_merge<T>(shared, lists from there, keys, from);     // `from`: where each key lay
//
// Merge path: O. Green, R. McColl, D. A. Bader, "GPU Merge Path", ICS 2012.
#pragma once
#include "studies/merge_sort/kinds.h"

namespace merge_sort {

// Two sorted lists in one array: [a, a_end) and [b, b_end). Of equal keys those of the first come first.
struct Lists {
  int a, a_end, b, b_end;
};

// Neighbours change places until all are in order, odd and even pairs in turn. Only `valid` of them count.
template <typename T, int VT, bool All>
__device__ void thread_sort(typename T::Key (&keys)[VT], typename T::Value (&values)[VT],
                            int valid) {
#pragma unroll
  for (int round = 0; round < VT; ++round) {
#pragma unroll
    for (int i = round & 1; i < VT - 1; i += 2) {
      if (T::less(keys[i + 1], keys[i]) && (All || i + 1 < valid)) {
        const auto key = keys[i];
        keys[i] = keys[i + 1];
        keys[i + 1] = key;
        if constexpr (T::pairs) {
          const auto value = values[i];
          values[i] = values[i + 1];
          values[i + 1] = value;
        }
      }
    }
  }
}

// Places in shared memory are counted in bytes: the address of a read is then one sum.
template <typename Key>
__device__ Key key_at(const Key* shared, int place) {
  return *reinterpret_cast<const Key*>(reinterpret_cast<const char*>(shared) + place);
}

// Of the first `diagonal` merged keys, how many come from [a, a_end).
template <typename T>
__device__ __forceinline__ int path_search(const typename T::Key* shared, const Lists& lists,
                                           int diagonal) {
  int low = max(0, diagonal - (lists.b_end - lists.b));
  int high = min(diagonal, lists.a_end - lists.a);
  while (low < high) {
    const int middle = (low + high) >> 1;
    if (T::less(shared[lists.b + diagonal - 1 - middle], shared[lists.a + middle])) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

// The next VT keys; where the lists end before, what follows means nothing. One key behind the lists may
// be read, and is not used. No branch, and one read a key from whichever list it is: two reads, of some
// lanes each, would meet more bank conflicts.
template <typename T, int VT, bool MayEnd>
__device__ __forceinline__ void merge_from(const typename T::Key* shared, const Lists& lists,
                                           typename T::Key (&keys)[VT], int (&from)[VT]) {
  constexpr int size = sizeof(typename T::Key);
  int a_place = lists.a * size, b_place = lists.b * size;
  const int a_end = lists.a_end * size, b_end = lists.b_end * size;
  auto a = key_at(shared, a_place), b = key_at(shared, b_place);
#pragma unroll
  for (int i = 0; i < VT; ++i) {
    const bool first =
        MayEnd ? b_place >= b_end || (a_place < a_end && !T::less(b, a)) : !T::less(b, a);
    const int place = first ? a_place : b_place, following = place + size;
    keys[i] = first ? a : b;
    from[i] = place / size;
    if (i == VT - 1) break;
    const auto next = key_at(shared, following);
    a = first ? next : a;
    b = first ? b : next;
    a_place = first ? following : a_place;
    b_place = first ? b_place : following;
  }
}

// Few threads come to the end of a list: warps without one of these need not look for it.
template <typename T, int VT>
__device__ __forceinline__ void thread_merge(const typename T::Key* shared, const Lists& lists,
                                             typename T::Key (&keys)[VT], int (&from)[VT]) {
  const bool may_end = lists.a + VT > lists.a_end || lists.b + VT > lists.b_end;
  if (__any_sync(__activemask(), may_end)) {
    merge_from<T, VT, true>(shared, lists, keys, from);
  } else {
    merge_from<T, VT, false>(shared, lists, keys, from);
  }
}

}  // namespace merge_sort
