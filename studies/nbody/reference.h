// The accelerations in double precision on the host, of the bodies as they were rounded, and how
// far those of a rung lie from them.
//
//   Reference reference(HostBodies<float>(bodies), softening, seed);      // once a problem
//   Answer answer = reference.compare(accelerations, unit_roundoff);      // {right, most, rms}
//
// The error of a body is |a - a64| / |a64|. Right is what rounding explains: with errors that are
// independent and of mean zero, a sum of n terms is off by lambda sqrt(n) u times the sum of their
// sizes, except with probability 2 exp(-lambda^2 / 2); a dozen u more for the terms themselves.
// Source: N. Higham, T. Mary, "A New Approach to Probabilistic Rounding Error Analysis", SIAM J.
// Sci. Comput. 2019.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "studies/common/random.h"
#include "studies/nbody/host.h"

namespace nbody {

struct Answer {
  bool right;
  double most, rms;  // relative errors
};

class Reference {
 public:
  // All bodies of a small problem; the first, the last and a random choice of a large one.
  template <typename Real>
  Reference(const HostBodies<Real>& rounded, double softening, uint64_t seed) : n_(rounded.size()) {
    constexpr uint64_t max_pairs = 1 << 28;
    const size_t checks = std::clamp<size_t>(max_pairs / n_, std::min<size_t>(n_, 64), n_);
    for (size_t c = 0; c < checks; ++c) {
      const bool all = checks == n_;
      checked_.push_back({all      ? c
                          : c == 0 ? 0
                          : c == 1 ? n_ - 1
                                   : study::random_bits(seed, c) % n_});
    }
    const Real softening2 = Real(softening) * Real(softening);
#pragma omp parallel for schedule(dynamic, 4)
    for (size_t c = 0; c < checks; ++c) expect(checked_[c], rounded, double(softening2));
  }

  // {x0, x1, …, y0, …, z0, …} of all bodies.
  template <typename Real>
  Answer compare(const std::vector<Real>& accelerations, double unit_roundoff) const {
    const double sure = 8 * std::sqrt(double(n_)) + 16;
    Answer answer{true, 0, 0};
    double squares = 0;
    for (const Expected& want : checked_) {
      const double dx = accelerations[want.body] - want.x;
      const double dy = accelerations[want.body + n_] - want.y;
      const double dz = accelerations[want.body + 2 * n_] - want.z;
      const double off = std::sqrt(dx * dx + dy * dy + dz * dz);
      const double size = std::sqrt(want.x * want.x + want.y * want.y + want.z * want.z);
      const double error = off == 0 ? 0 : off / size;
      answer.most = std::isnan(error) ? INFINITY : std::max(answer.most, error);
      squares += error * error;
      if (off <= sure * unit_roundoff * want.terms || !answer.right) continue;  // false for NaN
      answer.right = false;
      std::printf(
          "body %zu is accelerated by %g away from (%g, %g, %g), which rounding cannot explain\n",
          want.body, off, want.x, want.y, want.z);
    }
    answer.rms = std::sqrt(squares / checked_.size());
    return answer;
  }

 private:
  struct Expected {
    size_t body;
    double x = 0, y = 0, z = 0;
    double terms = 0;  // the sum of the sizes of all pulls
  };

  template <typename Real>
  static void expect(Expected& want, const HostBodies<Real>& bodies, double softening2) {
    const size_t i = want.body;
    for (size_t j = 0; j < bodies.size(); ++j) {
      const double dx = double(bodies.x[j]) - double(bodies.x[i]);
      const double dy = double(bodies.y[j]) - double(bodies.y[i]);
      const double dz = double(bodies.z[j]) - double(bodies.z[i]);
      const double distance2 = dx * dx + dy * dy + dz * dz;
      const double softened2 = distance2 + softening2;
      const double pull = double(bodies.mass[j]) / (softened2 * std::sqrt(softened2));
      want.x += dx * pull;
      want.y += dy * pull;
      want.z += dz * pull;
      want.terms += pull * std::sqrt(distance2);
    }
  }

  size_t n_;
  std::vector<Expected> checked_;
};

}  // namespace nbody
