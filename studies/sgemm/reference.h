// The product in double precision on the CPU, how far a single-precision result may lie from it, and
// how far it lies.
//
//   Reference reference(on_host, before, seed);      // once a problem
//   Answer answer = reference.compare(after.data()); // for every rung: {right, error}
//
// The bound is the probabilistic one: with rounding errors that are independent and of mean zero, a
// dot product of K terms is off by at most lambda sqrt(K) u sum |a b|, u = 2^-24, except with
// probability 2 exp(-lambda^2 / 2). Source: N. Higham, T. Mary, "A New Approach to Probabilistic
// Rounding Error Analysis", SIAM J. Sci. Comput. 2019.
//
// The error is the largest |C - C64| in units of u (|alpha| sum |a b| + |beta c|): it leaves K out, so that
// ways to sum can be compared.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <vector>

#include "studies/common/random.h"
#include "studies/sgemm/sgemm.h"

namespace sgemm {

struct Answer {
  bool right;
  double error;  // infinite where C is not a number or lies where 0 is exact
};

class Reference {
 public:
  // All elements of a small product; the corners and 4 000 random elements of a large one.
  Reference(const Problem& host, const std::vector<float>& before, uint64_t seed)
      : columns_(host.n), sure_(8 * std::sqrt(host.k + 3.0)) {
    const uint64_t elements = uint64_t(host.m) * host.n;
    const bool all = elements * host.k <= uint64_t(1) << 26;
    const uint64_t corners[] = {0, uint64_t(host.n) - 1, elements - host.n, elements - 1};
    const uint64_t checks = all ? elements : 4004;
    for (uint64_t i = 0; i < checks; ++i) {
      const uint64_t element = all     ? i
                               : i < 4 ? corners[i]
                                       : study::random_bits(seed, i) % elements;
      expect(host, before, element);
    }
  }

  Answer compare(const float* c) const {
    Answer answer{true, 0};
    for (const Expected& want : expected_) {
      const double off = std::fabs(c[want.element] - want.value);
      const double error = off == 0 ? 0 : off / want.unit;
      answer.error = std::isnan(error) ? INFINITY : std::max(answer.error, error);
      if (error <= sure_ || !answer.right) continue;  // false for NaN
      answer.right = false;
      std::printf("C[%llu][%llu] is %g, expected %g within %g\n",
                  static_cast<unsigned long long>(want.element / columns_),
                  static_cast<unsigned long long>(want.element % columns_), c[want.element],
                  want.value, sure_ * want.unit);
    }
    return answer;
  }

 private:
  struct Expected {
    uint64_t element;
    double value, unit;  // unit: what an error of 1 is
  };

  void expect(const Problem& host, const std::vector<float>& before, uint64_t element) {
    constexpr double unit_roundoff = 1.0 / (1 << 24);
    const float* a = host.a + element / columns_ * host.k;
    const float* b = host.b + element % columns_;
    double sum = 0, magnitude = 0;
    for (int k = 0; k < host.k; ++k) {
      const double product = double(a[k]) * b[uint64_t(k) * columns_];
      sum += product;
      magnitude += std::fabs(product);
    }
    const double added = host.beta == 0 ? 0 : double(host.beta) * before[element];
    const double scale = std::fabs(host.alpha) * magnitude + std::fabs(added);
    expected_.push_back({element, host.alpha * sum + added, unit_roundoff * scale});
  }

  uint64_t columns_;
  double sure_;  // errors above it are no rounding
  std::vector<Expected> expected_;
};

}  // namespace sgemm
