// Intervals of random lengths, which lie in one order where they come from and in another where they go; and
// whether every element has arrived.
//
//   Problem problem(Kind::move, elements, average, seed);
//   problem.poison();  rung.launch(problem.request());  problem.right()
//
// Lengths are uniform from 0 to twice the average, so some intervals are empty.
#pragma once
#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>
#include <vector>

#include "studies/common/buffer.h"
#include "studies/common/random.h"
#include "studies/interval_move/interval_move.h"

namespace interval_move {

class Problem {
 public:
  Problem(Kind kind, int elements, int average, uint64_t seed)
      : kind_(kind),
        elements_(elements),
        lengths_(lengths(elements, average, seed)),
        begin_(sums(in_order())),
        from_at_(sums(shuffled(seed + 1))),
        to_at_(sums(shuffled(seed + 2))),
        values_(study::random_floats(kind == Kind::expand ? lengths_.size() : elements, seed + 3)),
        device_begin_(begin_),
        device_from_at_(from_at_),
        device_to_at_(to_at_),
        from_(values_),
        to_(elements) {
    expected_.resize(elements);
    for (size_t i = 0; i < lengths_.size(); ++i) {
      for (int rank = 0; rank < lengths_[i]; ++rank) {
        const int k = begin_[i] + rank;
        switch (kind) {
          case Kind::expand: expected_[k] = values_[i]; break;
          case Kind::gather: expected_[k] = values_[from_at_[i] + rank]; break;
          case Kind::scatter: expected_[to_at_[i] + rank] = values_[k]; break;
          case Kind::move: expected_[to_at_[i] + rank] = values_[from_at_[i] + rank]; break;
        }
      }
    }
  }

  Request request(int* workspace = nullptr) const {
    return {kind_,
            elements_,
            int(lengths_.size()),
            device_begin_.data(),
            device_from_at_.data(),
            device_to_at_.data(),
            from_.data(),
            to_.data(),
            workspace};
  }
  size_t workspace(const Rung& rung) const {
    return rung.workspace ? rung.workspace(elements_, intervals()) : 0;
  }
  int intervals() const { return int(lengths_.size()); }
  // What has to be read and written at least: the elements, and of each interval the numbers it needs.
  double bytes() const {
    const int numbers = kind_ == Kind::expand ? 2 : kind_ == Kind::move ? 3 : 2;
    const double read = kind_ == Kind::expand ? 0 : elements_;
    return 4.0 * (elements_ + read + double(numbers) * double(lengths_.size()));
  }
  void poison() { CHECK(cudaMemsetAsync(to_.data(), 0xff, to_.bytes())); }
  bool right() {
    to_.read(found_);
    return found_.empty() ||
           std::memcmp(found_.data(), expected_.data(), found_.size() * sizeof(float)) == 0;
  }

 private:
  static std::vector<int> lengths(int elements, int average, uint64_t seed) {
    std::vector<int> all;
    for (int left = elements; left > 0; left -= all.back()) {
      const uint64_t bits = study::random_bits(seed, all.size());
      all.push_back(int(std::min<uint64_t>(left, bits % (2 * uint64_t(average) + 1))));
    }
    return all;
  }
  std::vector<int> in_order() const {
    std::vector<int> order(lengths_.size());
    std::iota(order.begin(), order.end(), 0);
    return order;
  }
  std::vector<int> shuffled(uint64_t seed) const {
    std::vector<int> order = in_order();
    for (size_t i = order.size(); i > 1; --i) {
      std::swap(order[i - 1], order[study::random_bits(seed, i) % i]);
    }
    return order;
  }
  // Where each interval begins if they lie in this order.
  std::vector<int> sums(const std::vector<int>& order) const {
    std::vector<int> places(order.size());
    int at = 0;
    for (const int i : order) {
      places[i] = at;
      at += lengths_[i];
    }
    return places;
  }

  Kind kind_;
  int elements_;
  std::vector<int> lengths_, begin_, from_at_, to_at_;
  std::vector<float> values_, expected_, found_;
  study::DeviceBuffer<int> device_begin_, device_from_at_, device_to_at_;
  study::DeviceBuffer<float> from_, to_;
};

}  // namespace interval_move
