// Whether two sets of measured times differ by more than they scatter.
//
//   compare_samples({12.0, 12.1, 12.2, 12.0}, {15.5, 15.6, 15.4, 15.6})  ->  differ, p = 0.03
//   compare_samples({12.0, 12.1}, {15.5, 15.6})                          ->  too_few
//
// They differ where the rank test says so (p < 0.05, two-sided, normal approximation with
// corrections for ties and continuity) and each median lies outside the other's quartiles. The
// second keeps a drift of the clock, which makes neighbours alike and ranks too sure, from telling.
//
// Source: H. B. Mann, D. R. Whitney: On a test of whether one of two random variables is
// stochastically larger than the other. Annals of Mathematical Statistics 18 (1947).
#pragma once
#include <cstddef>
#include <vector>

namespace headroom {

struct Samples {
  size_t count = 0;
  double median = 0, lower = 0, upper = 0;  // quartiles
};

enum class SampleVerdict : unsigned char { tie, differ, too_few };

// Of three on each side no order is less likely than one in ten.
inline constexpr size_t least_samples = 4;

struct SampleComparison {
  Samples before, after;
  double p = 1;
  SampleVerdict verdict = SampleVerdict::too_few;
};

SampleComparison compare_samples(std::vector<double> before, std::vector<double> after);

}  // namespace headroom
