// Bodies as a cluster of stars has them: Plummer's model, in units where the total mass and the
// gravitational constant are 1 and the energy is -1/4; the centre of mass rests at the origin.
//
//   const std::vector<Body<double>> bodies = plummer(1000, random_masses, seed);
//
// The mass within radius r is r^3 / (r^2 + 1)^(3/2), turned round for a random r; speeds follow q^2
// (1 - q^2)^(7/2) of the speed of escape, by rejection. Source: S. Aarseth, M. Henon, R. Wielen, "A
// Comparison of Numerical Methods for the Study of Star Cluster Dynamics", Astron. Astrophys. 1974,
// appendix.
#pragma once
#include <cmath>
#include <cstdint>
#include <vector>

#include "studies/common/random.h"
#include "studies/nbody/nbody.h"

namespace nbody {

enum class Masses { equal, random };

// Uniform in (0, 1), a stream of numbers for each body.
class Uniform {
 public:
  Uniform(uint64_t seed, uint64_t body) : seed_(seed), next_(body << 16) {}
  double operator()() { return (double(study::random_bits(seed_, next_++) >> 11) + 0.5) * 0x1p-53; }

 private:
  uint64_t seed_, next_;
};

struct Direction {
  double x, y, z;
};
inline Direction direction(Uniform& uniform) {
  const double z = 2 * uniform() - 1, angle = 2 * M_PI * uniform();
  const double radius = std::sqrt(1 - z * z);
  return {radius * std::cos(angle), radius * std::sin(angle), z};
}

// Of the speed of escape.
inline double share_of_escape(Uniform& uniform) {
  constexpr double most = 0.1;  // of the density below: 0.0921
  for (;;) {
    const double q = uniform(), height = most * uniform();
    if (height < q * q * std::pow(1 - q * q, 3.5)) return q;
  }
}

inline std::vector<Body<double>> plummer(int n, Masses masses, uint64_t seed) {
  constexpr double scale = 3 * M_PI / 16;  // of lengths, for an energy of -1/4
  constexpr double edge = 0.999;           // of the mass: the model has no outermost body
  std::vector<Body<double>> bodies(n);
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    Uniform uniform(seed, i);
    Body<double>& body = bodies[i];
    const double radius = 1 / std::sqrt(std::pow(edge * uniform(), -2.0 / 3) - 1);
    const double escape = std::sqrt(2.0) * std::pow(1 + radius * radius, -0.25);
    const double speed = share_of_escape(uniform) * escape;
    const Direction place = direction(uniform), way = direction(uniform);
    body = {radius * scale * place.x,
            radius * scale * place.y,
            radius * scale * place.z,
            1,
            0,
            0,
            0,
            0,
            0,
            0};
    body.velocity_x = speed / std::sqrt(scale) * way.x;
    body.velocity_y = speed / std::sqrt(scale) * way.y;
    body.velocity_z = speed / std::sqrt(scale) * way.z;
    if (masses == Masses::random) body.mass = 0.1 + 1.9 * uniform();
  }
  double total = 0;  // in order, so that the bodies are the same whatever the number of threads
  for (const Body<double>& body : bodies) total += body.mass;
  Body<double> centre{};
  for (Body<double>& body : bodies) {
    body.mass /= total;
    centre.x += body.mass * body.x;
    centre.y += body.mass * body.y;
    centre.z += body.mass * body.z;
    centre.velocity_x += body.mass * body.velocity_x;
    centre.velocity_y += body.mass * body.velocity_y;
    centre.velocity_z += body.mass * body.velocity_z;
  }
  for (Body<double>& body : bodies) {
    body.x -= centre.x, body.y -= centre.y, body.z -= centre.z;
    body.velocity_x -= centre.velocity_x;
    body.velocity_y -= centre.velocity_y;
    body.velocity_z -= centre.velocity_z;
  }
  return bodies;
}

}  // namespace nbody
