// The product in double precision on the CPU, and how far a single-precision result may lie from
// it.
//
// The bound is the probabilistic one: with rounding errors that are independent and of mean zero, a
// dot product of K terms is off by at most lambda sqrt(K) u sum |a b|, u = 2^-24, except with
// probability 2 exp(-lambda^2 / 2). Source: N. Higham, T. Mary, "A New Approach to Probabilistic
// Rounding Error Analysis", SIAM J. Sci. Comput. 2019.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "studies/common/random.h"
#include "studies/sgemm/sgemm.h"

namespace sgemm {

struct Expected {
  double value, tolerance;
};

inline Expected expected(const Problem& host, float c_before, int row, int column) {
  constexpr double lambda = 8, unit_roundoff = 1.0 / (1 << 24);
  double sum = 0, magnitude = 0;
  for (int k = 0; k < host.k; ++k) {
    const double product =
        double(host.a[size_t(row) * host.k + k]) * host.b[size_t(k) * host.n + column];
    sum += product;
    magnitude += std::fabs(product);
  }
  const double added = host.beta == 0 ? 0 : double(host.beta) * c_before;
  const double scale = std::fabs(host.alpha) * magnitude + std::fabs(added);
  return {host.alpha * sum + added, lambda * std::sqrt(host.k + 3.0) * unit_roundoff * scale};
}

// All elements of a small product; the corners and 4 000 random elements of a large one.
inline bool verify(const Problem& host, const std::vector<float>& before,
                   const std::vector<float>& after, uint64_t seed) {
  const uint64_t elements = uint64_t(host.m) * host.n;
  const bool all = elements * host.k <= uint64_t(1) << 26;
  const uint64_t checks = all ? elements : 4004;
  for (uint64_t i = 0; i < checks; ++i) {
    const uint64_t corners[] = {0, uint64_t(host.n) - 1, elements - host.n, elements - 1};
    const uint64_t element = all ? i : i < 4 ? corners[i] : study::random_bits(seed, i) % elements;
    const int row = int(element / host.n), column = int(element % host.n);
    const Expected want = expected(host, before[element], row, column);
    if (std::fabs(after[element] - want.value) <= want.tolerance) continue;  // false for NaN
    std::printf("C[%d][%d] is %g, expected %g within %g\n", row, column, after[element], want.value,
                want.tolerance);
    return false;
  }
  return true;
}

}  // namespace sgemm
