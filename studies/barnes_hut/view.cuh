// Bodies on the device as kernels see them: arrays of coordinates. A header of its own, since what
// the host keeps them with takes longer to compile than a kernel does.
#pragma once
#include "studies/nbody/nbody.h"

namespace barnes_hut {

template <typename Real>
struct View {
  int n;
  Real *x, *y, *z, *mass;
  Real *velocity_x, *velocity_y, *velocity_z;
  Real *acceleration_x, *acceleration_y, *acceleration_z;
};

template <typename Real>
static __device__ void advance_body(const View<Real>& bodies, int i, Real kick, Real drift) {
  const Real vx = bodies.velocity_x[i] + kick * bodies.acceleration_x[i];
  const Real vy = bodies.velocity_y[i] + kick * bodies.acceleration_y[i];
  const Real vz = bodies.velocity_z[i] + kick * bodies.acceleration_z[i];
  bodies.velocity_x[i] = vx, bodies.velocity_y[i] = vy, bodies.velocity_z[i] = vz;
  bodies.x[i] += drift * vx, bodies.y[i] += drift * vy, bodies.z[i] += drift * vz;
}

}  // namespace barnes_hut
