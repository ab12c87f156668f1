// A square product of matrices, C = A B, column-major as BLAS has it, on fresh random numbers in
// [-1, 1), and the check of an answer.
//
//   Problem<float> problem(1024, seed);
//   problem.error_over_bound(c) <= 1    at random places, against a sum in long double
//   difference(c, d)                    ||c - d|| / ||d||, everywhere
//
// Source of the bound: N. J. Higham, "Accuracy and Stability of Numerical Algorithms", 2nd edition,
// 2002, section 3.5: |c - exact| <= n u / (1 - n u) * sum |a| |b|, in any order of summation.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <thread>
#include <vector>

#include "studies/common/random.h"

namespace blas {

template <typename T>
std::vector<T> random_matrix(size_t n, uint64_t seed) {
  std::vector<T> values(n * n);
  const size_t threads = n < 512 ? 1 : std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::thread> workers;
  for (size_t t = 0; t < threads; ++t) {
    workers.emplace_back([&, t] {
      for (size_t i = values.size() * t / threads; i < values.size() * (t + 1) / threads; ++i) {
        values[i] = T(int64_t(study::random_bits(seed, i)) * std::ldexp(1.0, -63));
      }
    });
  }
  for (std::thread& worker : workers) worker.join();
  return values;
}

template <typename T>
struct Problem {
  Problem(size_t n, uint64_t seed)
      : n(n), seed(seed), a(random_matrix<T>(n, seed)), b(random_matrix<T>(n, seed + 1)) {}

  double operations() const { return 2.0 * double(n) * double(n) * double(n); }

  // The largest |c - exact| over its bound, at 256 places: at most 1 is right. Not a number where
  // an answer is none.
  double error_over_bound(const std::vector<T>& c) const {
    constexpr int places = 256;
    const double unit = std::numeric_limits<T>::epsilon() / 2;
    const double factor = double(n) * unit / (1 - double(n) * unit);
    double worst = 0;
    for (int place = 0; place < places; ++place) {
      const size_t where = study::random_bits(seed + 2, place) % (n * n), row = where % n,
                   column = where / n;
      long double sum = 0, magnitude = 0;
      for (size_t k = 0; k < n; ++k) {
        const long double term =
            static_cast<long double>(a[row + k * n]) * static_cast<long double>(b[k + column * n]);
        sum += term;
        magnitude += std::fabs(term);
      }
      const double error = double(std::fabs(static_cast<long double>(c[where]) - sum));
      const double ratio = error / (factor * double(magnitude));
      if (std::isnan(ratio)) return ratio;
      worst = std::max(worst, ratio);
    }
    return worst;
  }

  size_t n;
  uint64_t seed;
  std::vector<T> a, b;
};

template <typename T>
double difference(const std::vector<T>& one, const std::vector<T>& other) {
  double apart = 0, size = 0;
  for (size_t i = 0; i < other.size(); ++i) {
    const double gap = double(one[i]) - double(other[i]);
    apart += gap * gap;
    size += double(other[i]) * double(other[i]);
  }
  return std::sqrt(apart / size);
}

}  // namespace blas
