// The accelerations by the host's processor, see host.h. The vectors are the compiler's: a sum that
// it may reorder (omp simd), compiled for several kinds of processors, of which the loader picks
// the best that it finds. They need
//
//   nvcc -Xcompiler -fopenmp,-fno-math-errno        errno: std::sqrt sets it, and no vector does
#include <cmath>

#include "studies/nbody/host.h"
#ifdef _OPENMP
#include <omp.h>
#endif

namespace nbody {

template <typename Real>
void by_scalars(const HostBodies<Real>& bodies, double softening, size_t first, size_t last,
                std::vector<Real>& accelerations) {
  const size_t n = bodies.size(), asked = last - first;
  const Real softening2 = Real(softening) * Real(softening);
  for (size_t i = first; i < last; ++i) {
    Real ax = 0, ay = 0, az = 0;
    for (size_t j = 0; j < n; ++j) {
      const Real dx = bodies.x[j] - bodies.x[i], dy = bodies.y[j] - bodies.y[i];
      const Real dz = bodies.z[j] - bodies.z[i];
      const Real root = 1 / std::sqrt(dx * dx + dy * dy + dz * dz + softening2);
      const Real pull = bodies.mass[j] * root * root * root;
      ax += dx * pull;
      ay += dy * pull;
      az += dz * pull;
    }
    accelerations[i - first] = ax;
    accelerations[i - first + asked] = ay;
    accelerations[i - first + 2 * asked] = az;
  }
}

template <typename Real>
struct Sum {
  Real x, y, z;
};

// Overloads, because a template has no clones.
#define FOR_VECTORS \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default"))) static

FOR_VECTORS Sum<float> pull_on(const HostBodies<float>& bodies, size_t i, float softening2) {
  const float *px = bodies.x.data(), *py = bodies.y.data(), *pz = bodies.z.data();
  const float *mass = bodies.mass.data(), x = px[i], y = py[i], z = pz[i];
  float ax = 0, ay = 0, az = 0;
#pragma omp simd reduction(+ : ax, ay, az)
  for (size_t j = 0; j < bodies.size(); ++j) {
    const float dx = px[j] - x, dy = py[j] - y, dz = pz[j] - z;
    const float root = 1 / std::sqrt(dx * dx + dy * dy + dz * dz + softening2);
    const float pull = mass[j] * root * root * root;
    ax += dx * pull;
    ay += dy * pull;
    az += dz * pull;
  }
  return {ax, ay, az};
}

FOR_VECTORS Sum<double> pull_on(const HostBodies<double>& bodies, size_t i, double softening2) {
  const double *px = bodies.x.data(), *py = bodies.y.data(), *pz = bodies.z.data();
  const double *mass = bodies.mass.data(), x = px[i], y = py[i], z = pz[i];
  double ax = 0, ay = 0, az = 0;
#pragma omp simd reduction(+ : ax, ay, az)
  for (size_t j = 0; j < bodies.size(); ++j) {
    const double dx = px[j] - x, dy = py[j] - y, dz = pz[j] - z;
    const double root = 1 / std::sqrt(dx * dx + dy * dy + dz * dz + softening2);
    const double pull = mass[j] * root * root * root;
    ax += dx * pull;
    ay += dy * pull;
    az += dz * pull;
  }
  return {ax, ay, az};
}

template <typename Real>
void by_vectors(const HostBodies<Real>& bodies, double softening, size_t first, size_t last,
                std::vector<Real>& accelerations) {
  const size_t asked = last - first;
  const Real softening2 = Real(softening) * Real(softening);
#pragma omp parallel for schedule(dynamic, 16)
  for (size_t i = first; i < last; ++i) {
    const Sum<Real> sum = pull_on(bodies, i, softening2);
    accelerations[i - first] = sum.x;
    accelerations[i - first + asked] = sum.y;
    accelerations[i - first + 2 * asked] = sum.z;
  }
}

int host_threads() {
#ifdef _OPENMP
  return omp_get_max_threads();
#else
  return 1;
#endif
}

template void by_scalars(const HostBodies<float>&, double, size_t, size_t, std::vector<float>&);
template void by_scalars(const HostBodies<double>&, double, size_t, size_t, std::vector<double>&);
template void by_vectors(const HostBodies<float>&, double, size_t, size_t, std::vector<float>&);
template void by_vectors(const HostBodies<double>&, double, size_t, size_t, std::vector<double>&);

}  // namespace nbody
