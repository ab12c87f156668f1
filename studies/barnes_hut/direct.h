// What all pairs say in double precision: accelerations of some bodies, and the energy of all.
//
//
// On the device because a sample of thousands among millions is 10^10 pairs; a handful is compared
// with the same sum on the host each time, so that the reference has one of its own.
#pragma once
#include <vector>

#include "studies/barnes_hut/barnes_hut.h"

namespace barnes_hut {

// Bodies as a solver in this precision has them.
template <typename Real>
Bodies rounded(Bodies bodies) {
#pragma omp parallel for
  for (auto& body : bodies) {
    body.x = Real(body.x), body.y = Real(body.y), body.z = Real(body.z);
    body.mass = Real(body.mass);
  }
  return bodies;
}

struct Direct {
  double x, y, z;
  double sizes;  // the sum of the sizes of all pulls, whatever their directions
};

// Throws Failure where device and host disagree.
std::vector<Direct> direct_accelerations(const Bodies& bodies, double softening,
                                         const std::vector<int>& chosen);
double direct_potential(const Bodies& bodies, double softening);

}  // namespace barnes_hut
