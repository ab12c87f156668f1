// Leap-frog: half a kick, a drift, half a kick a step, and what such steps must keep.
//
//   Kept kept = run_steps(rung, bodies, softening, steps, dt);    // drifts, relative ones
//
// Energy: |E - E0| / |E0|, with the softened potential. Momentum: |P - P0| over the sum of all m
// |v|.
#pragma once
#include <cmath>
#include <vector>

#include "studies/nbody/bodies.h"

namespace nbody {

struct Kept {
  double energy, momentum;
};

struct Sums {
  double energy = 0, x = 0, y = 0, z = 0, sizes = 0;
};

inline Sums sums_of(const std::vector<Body<double>>& bodies, double softening) {
  double energy = 0;
#pragma omp parallel for schedule(dynamic, 64) reduction(+ : energy)
  for (size_t i = 0; i < bodies.size(); ++i) {
    const Body<double>& a = bodies[i];
    energy +=
        a.mass / 2 *
        (a.velocity_x * a.velocity_x + a.velocity_y * a.velocity_y + a.velocity_z * a.velocity_z);
    for (size_t j = i + 1; j < bodies.size(); ++j) {
      const Body<double>& b = bodies[j];
      const double dx = b.x - a.x, dy = b.y - a.y, dz = b.z - a.z;
      energy -= a.mass * b.mass / std::sqrt(dx * dx + dy * dy + dz * dz + softening * softening);
    }
  }
  Sums sums{energy};
  for (const Body<double>& a : bodies) {
    sums.x += a.mass * a.velocity_x;
    sums.y += a.mass * a.velocity_y;
    sums.z += a.mass * a.velocity_z;
    sums.sizes += a.mass * std::sqrt(a.velocity_x * a.velocity_x + a.velocity_y * a.velocity_y +
                                     a.velocity_z * a.velocity_z);
  }
  return sums;
}

template <typename Real>
Kept run_steps(const Rung& rung, Bodies<Real>& bodies, double softening, int steps, double dt) {
  const Sums before = sums_of(bodies.state(), softening);
  rung.launch(bodies.problem());
  for (int step = 0; step < steps; ++step) {
    bodies.kick(rung, dt / 2);
    bodies.drift(dt);
    rung.launch(bodies.problem());
    bodies.kick(rung, dt / 2);
  }
  CHECK(cudaDeviceSynchronize());
  const Sums after = sums_of(bodies.state(), softening);
  const double px = after.x - before.x, py = after.y - before.y, pz = after.z - before.z;
  return {std::fabs((after.energy - before.energy) / before.energy),
          std::sqrt(px * px + py * py + pz * pz) / before.sizes};
}

}  // namespace nbody
