// How far a solver's accelerations lie from all pairs in double precision: the distribution of the
// relative error |a - a64| / |a64| over a sample of bodies.
//
//   Accuracy accuracy(bodies, physics, 4096, seed);             // the same sample for all solvers
//   Errors errors = accuracy.of(solver.accelerations(), unit_roundoff);     // {median, …, right}
//
// Right is finite everywhere, and for nine bodies of ten an error of no more than what rounding
// explains (as in studies/nbody/reference.h) and 0.05 theta^2 of the sum of the sizes of all pulls:
// what a cell taken as one leaves out of its pull is of the second order in its size over its
// distance. Of the sizes, because pulls that cancel out leave no |a| to measure by. The factor is
// chosen, not derived: twice what walks of single bodies give at their worst start, a shell. Few
// bodies have few cells, whose errors do not average: 10 / n more. With theta 0 only rounding is
// left, and no body may have more.
#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

#include "studies/barnes_hut/direct.h"
#include "studies/common/random.h"

namespace barnes_hut {

struct Errors {
  double median = 0, p90 = 0, p99 = 0, most = 0, rms = 0;
  bool right = false;
};

// Of the sum of the sizes of all pulls, rounding apart.
inline double share_allowed(double theta, size_t bodies) {
  return (0.05 + 10.0 / double(bodies)) * theta * theta;
}

class Accuracy {
 public:
  // `bodies` as the solver's precision rounds them; all of them where they are no more than `most`.
  Accuracy(const Points& bodies, const Physics& physics, int most, uint64_t seed)
      : n_(bodies.size()), theta_(physics.theta) {
    const bool all = n_ <= size_t(most);
    for (size_t c = 0; c < (all ? n_ : most); ++c) {
      chosen_.push_back(all ? int(c) : int(study::random_bits(seed, c) % n_));
    }
    expected_ = direct_accelerations(bodies, physics.softening, chosen_);
  }

  Errors of(const std::vector<double>& accelerations, double unit_roundoff) const {
    const size_t asked = chosen_.size();
    std::vector<double> errors, shares;  // of the acceleration, of the sum of all sizes
    double squares = 0;
    for (size_t c = 0; c < asked; ++c) {
      const Direct& want = expected_[c];
      const double* found = accelerations.data() + chosen_[c];
      const double off = std::hypot(found[0] - want.x, found[n_] - want.y, found[2 * n_] - want.z);
      const double error = off == 0 ? 0 : off / std::hypot(want.x, want.y, want.z);
      errors.push_back(std::isnan(error) ? INFINITY : error);
      shares.push_back(off == 0 ? 0 : std::isnan(off) ? INFINITY : off / want.sizes);
      squares += error * error;
    }
    std::sort(shares.begin(), shares.end());
    std::sort(errors.begin(), errors.end());
    const auto part = [&](double share) { return errors[size_t(share * double(asked - 1))]; };
    Errors found{part(0.5), part(0.9), part(0.99), errors.back(), std::sqrt(squares / asked)};
    const double rounding = (8 * std::sqrt(double(n_)) + 16) * unit_roundoff;
    const double share = theta_ > 0 ? shares[size_t(0.9 * double(asked - 1))] : shares.back();
    found.right = std::isfinite(shares.back()) && share <= share_allowed(theta_, n_) + rounding;
    return found;
  }

 private:
  size_t n_;
  double theta_;
  std::vector<int> chosen_;
  std::vector<Direct> expected_;
};

}  // namespace barnes_hut
