// What bodies keep as they pull on each other, and how much of it was lost.
//
//   const Conserved before = conserved(bodies, softening);         // energy: a sum over all pairs
//   Drift drift = drift_between(before, after);                    // relative ones
//
// Energy: |E - E0| / |E0|, with the softened potential. Momentum: |P - P0| over the sum of all m |v|;
// angular momentum: |L - L0| over the sum of all m |r| |v|, about the centre of mass.
#pragma once
#include <algorithm>
#include <cmath>

#include "studies/barnes_hut/direct.h"

namespace barnes_hut {

struct Vector {
  double x = 0, y = 0, z = 0;

  double size() const { return std::sqrt(x * x + y * y + z * z); }
  Vector operator-(const Vector& other) const { return {x - other.x, y - other.y, z - other.z}; }
  void add(double factor, const Vector& other) {
    x += factor * other.x, y += factor * other.y, z += factor * other.z;
  }
};
inline Vector cross(const Vector& a, const Vector& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

struct Conserved {
  double kinetic = 0, potential = 0;  // potential: NaN where it was not asked for
  Vector momentum, angular_momentum;
  double momenta = 0, angular_momenta = 0;  // the sums of the sizes

  double energy() const { return kinetic + potential; }
};

struct Drift {
  double energy, momentum, angular_momentum;
};

inline Conserved conserved(const Bodies& bodies, double softening, bool with_potential = true) {
  Conserved sums;
  double mass = 0;
  Vector centre;
  for (const auto& body : bodies) {
    mass += body.mass;
    centre.add(body.mass, {body.x, body.y, body.z});
  }
  if (mass > 0) centre = {centre.x / mass, centre.y / mass, centre.z / mass};
  for (const auto& body : bodies) {
    const Vector place = Vector{body.x, body.y, body.z} - centre;
    const Vector velocity{body.velocity_x, body.velocity_y, body.velocity_z};
    sums.kinetic += body.mass / 2 * velocity.size() * velocity.size();
    sums.momentum.add(body.mass, velocity);
    sums.angular_momentum.add(body.mass, cross(place, velocity));
    sums.momenta += body.mass * velocity.size();
    sums.angular_momenta += body.mass * place.size() * velocity.size();
  }
  sums.potential = with_potential ? direct_potential(rounded<double>(bodies), softening) : NAN;
  return sums;
}

// Bodies that begin at rest have no momenta to compare with: those that they get, then.
inline Drift drift_between(const Conserved& before, const Conserved& after) {
  const auto relative = [](double off, double size) { return off == 0 ? 0 : off / size; };
  return {
      relative(std::abs(after.energy() - before.energy()), std::abs(before.energy())),
      relative((after.momentum - before.momentum).size(), std::max(before.momenta, after.momenta)),
      relative((after.angular_momentum - before.angular_momentum).size(),
               std::max(before.angular_momenta, after.angular_momenta))};
}

}  // namespace barnes_hut
