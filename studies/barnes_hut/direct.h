// What all pairs say in double precision: accelerations of some bodies, and the energy of all.
//
//   const Points bodies = rounded<float>(all);               // as a solver in single has them
//   direct_accelerations(bodies, softening, {0, 17, n - 1})  {{x, y, z, sizes}, …}
//   direct_potential(bodies, softening)                      -sum m_i m_j / sqrt(d^2 + s^2)
//
// On the device because a sample of thousands among millions is 10^10 pairs; a handful is compared
// with the same sum on the host each time, so that the reference has one of its own.
#pragma once
#include <vector>

#include "studies/barnes_hut/barnes_hut.h"

namespace barnes_hut {

using Points = std::vector<nbody::Point<double>>;

// Bodies as a solver in this precision has them.
template <typename Real>
Points rounded(const Bodies& bodies) {
  Points points(bodies.size());
#pragma omp parallel for
  for (size_t i = 0; i < bodies.size(); ++i) {
    const auto& body = bodies[i];
    points[i] = {Real(body.x), Real(body.y), Real(body.z), Real(body.mass)};
  }
  return points;
}

struct Direct {
  double x, y, z;
  double sizes;  // the sum of the sizes of all pulls, whatever their directions
};

// Throws Failure where device and host disagree.
std::vector<Direct> direct_accelerations(const Points& bodies, double softening,
                                         const std::vector<int>& chosen);
double direct_potential(const Points& bodies, double softening);

}  // namespace barnes_hut
