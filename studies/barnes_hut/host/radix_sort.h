// Sorts keys, and says where each came from: by 8 bits at a time, the lowest first, each pass in
// pieces that count, then scatter. Equal keys keep their order, so that the outcome is the same
// whatever the number of threads.
//
//   RadixSort sort(n);
//   sort(keys);                               // sort.order()[i]: which key is now the i-th
#pragma once
#include <omp.h>

#include <array>
#include <cstdint>
#include <vector>

#include "studies/barnes_hut/host/state.h"

namespace barnes_hut {

class RadixSort {
 public:
  explicit RadixSort(int n) : order_(n), other_order_(n), other_keys_(n) {}

  void operator()(std::vector<uint64_t>& keys) {
    const int n = int(keys.size());
#pragma omp parallel for
    for (int i = 0; i < n; ++i) order_[i] = i;
    counts_.resize(omp_get_max_threads());
    for (int shift = 0; shift < 64; shift += 8) pass(keys, shift);
  }
  const std::vector<int>& order() const { return order_; }

 private:
  using Counts = std::array<int, 256>;

  void pass(std::vector<uint64_t>& keys, int shift) {
    const int n = int(keys.size());
    bool alike = false;  // all keys have the same digit here
#pragma omp parallel
    {
      const int pieces = omp_get_num_threads(), piece = omp_get_thread_num();
      const auto [first, last] = share_of(n, piece, pieces);
      Counts& counts = counts_[piece];
      counts.fill(0);
      for (int i = first; i < last; ++i) ++counts[keys[i] >> shift & 255];
#pragma omp barrier
#pragma omp single
      alike = add_up(pieces, n);
      if (!alike) {
        for (int i = first; i < last; ++i) {
          const int place = counts[keys[i] >> shift & 255]++;
          other_keys_[place] = keys[i];
          other_order_[place] = order_[i];
        }
      }
    }
    if (alike) return;
    keys.swap(other_keys_);
    order_.swap(other_order_);
  }

  // From how many to where: digit by digit, and piece by piece within.
  bool add_up(int pieces, int n) {
    int sum = 0;
    for (int digit = 0; digit < 256; ++digit) {
      const int before = sum;
      for (int piece = 0; piece < pieces; ++piece) {
        const int count = counts_[piece][digit];
        counts_[piece][digit] = sum;
        sum += count;
      }
      if (sum - before == n) return true;
    }
    return false;
  }

  std::vector<int> order_, other_order_;
  std::vector<uint64_t> other_keys_;
  std::vector<Counts> counts_;
};

}  // namespace barnes_hut
