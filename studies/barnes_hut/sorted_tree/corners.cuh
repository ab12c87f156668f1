// Floating-point numbers as integers of the same order, and the cube that the corners span.
//
//   bits_in_order(-1.5f) < bits_in_order(0.0f) < bits_in_order(2.0f)
//   Cube<float> cube = cube_of(*tree.corners);     // {-1, -1, -1, 2.5}: the lower corner, the edge
#pragma once
#include <algorithm>

#include "studies/barnes_hut/sorted_tree/tree.h"

namespace barnes_hut::sorted {

// Through double, which holds every float: one kind of integer serves both.
__device__ inline unsigned long long bits_in_order(double number) {
  const unsigned long long bits = __double_as_longlong(number);
  return bits >> 63 ? ~bits : bits | 1ull << 63;
}
__device__ inline double number_of(unsigned long long bits) {
  return __longlong_as_double(bits >> 63 ? bits & ~(1ull << 63) : ~bits);
}

template <typename Real>
struct Cube {
  Real x, y, z, edge;
};

template <typename Real>
__device__ Cube<Real> cube_of(const Corners<Real>& corners) {
  Real lower[3], edge = 0;
  for (int axis = 0; axis < 3; ++axis) {
    lower[axis] = Real(number_of(corners.lower[axis]));
    edge = max(edge, Real(number_of(~corners.upper[axis])) - lower[axis]);
  }
  return {lower[0], lower[1], lower[2], edge};
}

}  // namespace barnes_hut::sorted
