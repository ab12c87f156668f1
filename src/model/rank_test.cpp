#include "model/rank_test.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace headroom {

namespace {

// Between neighbours by their distance, as R's type 7.
double sample_quantile(const std::vector<double>& sorted, double fraction) {
  const double place = fraction * double(sorted.size() - 1);
  const size_t below = size_t(place), above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - double(below)) * (sorted[above] - sorted[below]);
}

Samples samples_of(const std::vector<double>& sorted) {
  if (sorted.empty()) return {};
  return {sorted.size(), sample_quantile(sorted, 0.5), sample_quantile(sorted, 0.25),
          sample_quantile(sorted, 0.75)};
}

double rank_test(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<std::pair<double, bool>> all;  // the value, and whether it is of a
  for (double value : a) all.push_back({value, true});
  for (double value : b) all.push_back({value, false});
  std::ranges::sort(all);
  double ranks = 0, ties = 0;  // of a; sum of t³ − t
  for (size_t i = 0, end; i < all.size(); i = end) {
    for (end = i; end < all.size() && all[end].first == all[i].first; ++end) {
    }
    const double alike = double(end - i), rank = double(i + end + 1) / 2;
    for (size_t k = i; k < end; ++k) ranks += all[k].second ? rank : 0;
    ties += alike * alike * alike - alike;
  }
  const double m = double(a.size()), n = double(b.size()), total = m + n;
  const double u = ranks - m * (m + 1) / 2;
  const double variance = m * n / 12 * (total + 1 - ties / (total * (total - 1)));
  if (variance <= 0) return 1;
  const double z = std::max(std::abs(u - m * n / 2) - 0.5, 0.0) / std::sqrt(variance);
  return std::erfc(z / std::sqrt(2));
}

bool outside(double value, const Samples& of) { return value < of.lower || value > of.upper; }

}  // namespace

SampleComparison compare_samples(std::vector<double> before, std::vector<double> after) {
  std::ranges::sort(before);
  std::ranges::sort(after);
  SampleComparison result{samples_of(before), samples_of(after)};
  if (before.size() < least_samples || after.size() < least_samples) return result;
  result.p = rank_test(before, after);
  const bool apart =
      outside(result.before.median, result.after) && outside(result.after.median, result.before);
  result.verdict = result.p < 0.05 && apart ? SampleVerdict::differ : SampleVerdict::tie;
  return result;
}

}  // namespace headroom
