// How long a transfer of n bytes takes, as a line: T(n) = a + n / b. a is what even an empty transfer
// costs, b the rate that a long one approaches, n1/2 = a b the size that reaches half of it.
//
//   Line line = fit({{4, 6.1e-6}, {1 << 20, 25.2e-6}, …});
//   line.a, line.b, line.half(), line.typical_residual
//
// Weighted least squares of the relative residual, (T(n) - t) / t, as times span five decades and
// plain least squares would see only the longest; made robust by Huber's weights, as a library that
// changes its method at some size leaves points that no line fits. What does not fit shows in the
// residuals: their median and their largest.
//
// Sources: R. W. Hockney, "The communication challenge for MPP: Intel Paragon and Meiko CS-2",
// Parallel Computing 20, 1994 (the line and n1/2); P. J. Huber, "Robust Statistics", 1981 (1.345, and
// the scale from the median).
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "headroom/timing/samples.h"

namespace transfer {

struct Point {
  double bytes, seconds;
};

struct Line {
  bool found = false;  // fewer than three sizes, or times that fall with size: no line
  double a = 0;        // seconds
  double b = 0;        // bytes a second
  double typical_residual = 0, worst_residual = 0;  // relative to the time measured
  size_t points = 0;

  double seconds(double bytes) const { return a + bytes / b; }
  double half() const { return a * b; }
};

namespace detail {

// The line that minimises the sum of weight * (a + n c - t)^2; a is not below zero. c = 1 / b.
struct Solution {
  double a, c;
};
inline Solution solve(const std::vector<Point>& points, const std::vector<double>& weights) {
  double w = 0, wn = 0, wnn = 0, wt = 0, wnt = 0;
  for (size_t i = 0; i < points.size(); ++i) {
    const double n = points[i].bytes, t = points[i].seconds;
    w += weights[i];
    wn += weights[i] * n;
    wnn += weights[i] * n * n;
    wt += weights[i] * t;
    wnt += weights[i] * n * t;
  }
  const double c = (w * wnt - wn * wt) / (w * wnn - wn * wn), a = (wt - c * wn) / w;
  if (a >= 0) return {a, c};
  return {0, wnt / wnn};
}

}  // namespace detail

inline Line fit(const std::vector<Point>& points) {
  Line line;
  line.points = points.size();
  std::vector<double> sizes;
  for (const Point& point : points) sizes.push_back(point.bytes);
  std::sort(sizes.begin(), sizes.end());
  if (std::unique(sizes.begin(), sizes.end()) - sizes.begin() < 3) return line;

  std::vector<double> weights, residuals(points.size());
  for (const Point& point : points) weights.push_back(1 / (point.seconds * point.seconds));
  const std::vector<double> relative = weights;
  for (int round = 0; round < 50; ++round) {
    const detail::Solution solution = detail::solve(points, weights);
    line.a = solution.a;
    line.b = 1 / solution.c;
    for (size_t i = 0; i < points.size(); ++i) {
      residuals[i] =
          std::abs(line.seconds(points[i].bytes) - points[i].seconds) / points[i].seconds;
    }
    const double within = 1.345 * 1.4826 * headroom::timing::median(residuals);
    for (size_t i = 0; i < points.size(); ++i) {
      weights[i] = relative[i] * (residuals[i] > within ? within / residuals[i] : 1);
    }
    if (within == 0) break;
  }
  line.typical_residual = headroom::timing::median(residuals);
  line.worst_residual = *std::max_element(residuals.begin(), residuals.end());
  line.found = std::isfinite(line.b) && line.b > 0;
  return line;
}

}  // namespace transfer
