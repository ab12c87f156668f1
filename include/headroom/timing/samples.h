// What can be said about samples of one quantity without assuming how they are distributed.
//
//   median({3, 1, 2})           2
//   median_interval(samples)    {9.8, 10.1}: the distribution's median lies within, 95 % sure
//   relative_error(samples)     0.02: the wider side of that interval over the median
//
// The interval goes from the r-th smallest sample to the r-th largest, with the largest r for which
// both ends together miss the median with a probability of at most 5 %: each sample lies below the
// median with probability 1/2, so the number that do is binomial. Fewer than 6 samples bound
// nothing.
//
// Source: H. A. David, H. N. Nagaraja, "Order Statistics", 3rd edition, 2003, section 7.1. That it
// fits times of programs: T. Hoefler, R. Belli, "Scientific Benchmarking of Parallel Computing
// Systems", SC15. It takes samples to be independent; drift is a caveat of its own.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace headroom::timing {

constexpr double confidence = 0.95;

struct Interval {
  double low, high;
};

inline std::vector<double> sorted(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  return samples;
}

// Of sorted samples; of none it is not a number.
inline double middle_of(const std::vector<double>& ordered) {
  if (ordered.empty()) return std::numeric_limits<double>::quiet_NaN();
  const size_t half = ordered.size() / 2;
  return ordered.size() % 2 ? ordered[half] : (ordered[half - 1] + ordered[half]) / 2;
}

inline double median(const std::vector<double>& samples) { return middle_of(sorted(samples)); }

// How many samples lie outside of the interval on each side, at most; -1 when all do not suffice:
// the largest r with P(Binomial(n, 1/2) <= r) <= (1 - confidence) / 2.
inline long samples_outside(size_t n) {
  const double most = (1 - confidence) / 2;
  double sum = 0, log_term = -double(n) * std::log(2.0);  // log of C(n, k) / 2^n, k = 0
  for (size_t k = 0; k <= n; ++k) {
    sum += std::exp(log_term);
    if (sum > most) return long(k) - 1;
    log_term += std::log(double(n - k)) - std::log(double(k + 1));
  }
  return -1;
}

inline Interval interval_of(const std::vector<double>& ordered) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const long outside = samples_outside(ordered.size());
  if (outside < 0) return {-infinity, infinity};
  return {ordered[size_t(outside)], ordered[ordered.size() - 1 - size_t(outside)]};
}

inline Interval median_interval(const std::vector<double>& samples) {
  return interval_of(sorted(samples));
}

// Infinite when nothing bounds the median.
inline double relative_error(const std::vector<double>& samples) {
  const std::vector<double> ordered = sorted(samples);
  const Interval interval = interval_of(ordered);
  const double middle = middle_of(ordered);
  if (!(interval.high < std::numeric_limits<double>::infinity())) return interval.high;
  const double wider = std::max(interval.high - middle, middle - interval.low);
  return wider == 0 ? 0 : wider / std::abs(middle);
}

inline double minimum(const std::vector<double>& samples) {
  return samples.empty() ? median(samples) : *std::min_element(samples.begin(), samples.end());
}
inline double maximum(const std::vector<double>& samples) {
  return samples.empty() ? median(samples) : *std::max_element(samples.begin(), samples.end());
}

}  // namespace headroom::timing
