// Merges pairs of runs by rank: a thread finds how many records of the other run come before its own, and
// so where it belongs.
#pragma once
#include "studies/merge_sort/passes.h"

namespace merge_sort {

constexpr int rank_threads = 256;

template <typename T>
__global__ void __launch_bounds__(rank_threads)
    merge_by_rank(Records<T> to, Records<T> from, int n, int width) {
  const int i = int(blockIdx.x * rank_threads + threadIdx.x);
  if (i >= n) return;
  const int run = i / width;
  const bool left = run % 2 == 0;
  const int64_t other = int64_t(left ? run + 1 : run - 1) * width;
  const int begin = int(min(int64_t(n), other)), end = int(min(int64_t(n), other + width));
  const auto key = from.keys[i];
  int low = begin, high = end;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    // Of equal records those of the left run come first.
    const bool before = left ? T::less(from.keys[middle], key) : !T::less(key, from.keys[middle]);
    if (before) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  const int at = i - (left ? 0 : width) + (low - begin);
  to.keys[at] = key;
  if constexpr (T::pairs) to.values[at] = from.values[i];
}

template <typename T>
void rank_pass(Records<T> to, Records<T> from, int n, int width) {
  merge_by_rank<T><<<parts_of(n, rank_threads), rank_threads>>>(to, from, n, width);
}

}  // namespace merge_sort
