// The kernels of leap-frog: velocities by accelerations (kick), places by velocities (drift). The
// new places go into every layout, so that each rung finds them.
#include "studies/common/check.h"
#include "studies/nbody/bodies.h"

namespace nbody {

template <typename Real>
static __global__ void kick_kernel(Problem<Real> p, bool structs, Real* velocity, Real dt) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= p.n) return;
  const Body<Real>& body = p.structs[i];
  velocity[i] += dt * (structs ? body.acceleration_x : p.acceleration_x[i]);
  velocity[i + p.n] += dt * (structs ? body.acceleration_y : p.acceleration_y[i]);
  velocity[i + 2 * p.n] += dt * (structs ? body.acceleration_z : p.acceleration_z[i]);
}

template <typename Real>
static __global__ void drift_kernel(Problem<Real> p, Real* place, const Real* velocity,
                                    Point<Real>* points, Real dt) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= p.n) return;
  const Real x = place[i] += dt * velocity[i];
  const Real y = place[i + p.n] += dt * velocity[i + p.n];
  const Real z = place[i + 2 * p.n] += dt * velocity[i + 2 * p.n];
  Body<Real>& body = p.structs[i];
  body.x = x, body.y = y, body.z = z;
  points[i] = {x, y, z, p.mass[i]};
}

template <typename Real>
void kick_on_device(const Problem<Real>& p, bool structs, Real* velocity, Real dt) {
  kick_kernel<<<blocks_over(p.n, block_size), block_size>>>(p, structs, velocity, dt);
  CHECK(cudaGetLastError());
}
template <typename Real>
void drift_on_device(const Problem<Real>& p, Real* place, const Real* velocity, Point<Real>* points,
                     Real dt) {
  drift_kernel<<<blocks_over(p.n, block_size), block_size>>>(p, place, velocity, points, dt);
  CHECK(cudaGetLastError());
}
template void kick_on_device(const Problem<float>&, bool, float*, float);
template void kick_on_device(const Problem<double>&, bool, double*, double);
template void drift_on_device(const Problem<float>&, float*, const float*, Point<float>*, float);
template void drift_on_device(const Problem<double>&, double*, const double*, Point<double>*,
                              double);

}  // namespace nbody
