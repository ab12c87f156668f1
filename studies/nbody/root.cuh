// mass / distance^3 from distance^2, for operands that are neither tiny nor huge.
//
// Single: the hardware's approximation, good to the last two bits. Double: its approximation x of
// the root is good to some 20 bits; with e = 1 - distance^2 x^2 the cube is
// x^3 (1 + 3/2 e + 15/8 e^2 + …), and what is left out is below the last bit: 7 operations, 3 of
// which are the cube and the mass.
#pragma once

namespace nbody {

__device__ inline float root_at(float distance2) {
  float root;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(distance2));
  return root;
}
__device__ inline double root_at(double distance2) {
  double root;
  asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(root) : "d"(distance2));
  return root;
}

// `cube` by the first approximation, `square` that of the root itself.
__device__ inline double repaired(double distance2, double square, double cube) {
  const double off = fma(-distance2, square, 1.0);
  return fma(cube * off, fma(off, 1.875, 1.5), cube);
}

__device__ inline float pull_at(float distance2, float mass) {
  const float root = root_at(distance2);
  return (mass * root) * (root * root);
}
__device__ inline double pull_at(double distance2, double mass) {
  const double root = root_at(distance2), square = root * root;
  return repaired(distance2, square, mass * root * square);
}

// The same without the mass.
__device__ inline float cube_at(float distance2) {
  const float root = root_at(distance2);
  return root * root * root;
}
__device__ inline double cube_at(double distance2) {
  const double root = root_at(distance2), square = root * root;
  return repaired(distance2, square, root * square);
}

}  // namespace nbody
