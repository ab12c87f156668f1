// The accelerations by the host's processor: a loop as anyone writes it, on one core, and vectors
// on all of them.
//
//   HostBodies<float> bodies(plummer(n, masses, seed));
//   by_scalars(bodies, softening, 0, n, accelerations);     // bodies 0 … n-1 of n
//   by_vectors(bodies, softening, 0, n, accelerations);     // on all cores, if built so: host.cu
#pragma once
#include <vector>

#include "studies/nbody/nbody.h"

namespace nbody {

template <typename Real>
struct HostBodies {
  explicit HostBodies(const std::vector<Body<double>>& bodies) {
    for (const Body<double>& body : bodies) {
      x.push_back(Real(body.x)), y.push_back(Real(body.y)), z.push_back(Real(body.z));
      mass.push_back(Real(body.mass));
    }
  }
  size_t size() const { return x.size(); }
  std::vector<Real> x, y, z, mass;
};

// {x0, x1, …, y0, …, z0, …} of the `last - first` bodies.
template <typename Real>
void by_scalars(const HostBodies<Real>& bodies, double softening, size_t first, size_t last,
                std::vector<Real>& accelerations);
template <typename Real>
void by_vectors(const HostBodies<Real>& bodies, double softening, size_t first, size_t last,
                std::vector<Real>& accelerations);
int host_threads();

}  // namespace nbody
