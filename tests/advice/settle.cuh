// Work that one element costs: x settles at x = sin(x) / 2 + c, whose solution depends on c alone.
// The approximate sine keeps a unit busy that is slow, so that few instructions take long.
#pragma once
#include <cmath>
#include <vector>

namespace advice {

#ifdef __CUDACC__
__device__ inline float settled(float c, int steps) {
  float x = c;
#pragma unroll 8
  for (int j = 0; j < steps; ++j) x = 0.5f * __sinf(x) + c;
  return x;
}
#endif

// By Newton's method, in double precision.
inline double solution(double c) {
  double x = c;
  for (int j = 0; j < 5; ++j) x -= (x - 0.5 * std::sin(x) - c) / (1 - 0.5 * std::cos(x));
  return x;
}
inline std::vector<double> solutions(const std::vector<float>& all) {
  std::vector<double> found;
  for (const float c : all) found.push_back(solution(c));
  return found;
}

}  // namespace advice
