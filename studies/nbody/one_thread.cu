// rung    one_thread
// idea    the two loops of a CPU, run by one thread of the GPU
// expect  one lane of one warp works: a GPU is no fast processor, it is many slow ones
// next    thread_per_body: the outer loop becomes threads
//
// What the following rungs are measured against: two nested loops over an array of structs, as a
// program for a CPU has them, in a kernel of one block of one thread. Each step waits for the one
// before it; all other SMs, and 31 of 32 lanes of the one at work, do nothing. Up to unroll_8 the
// loops are kept from being unrolled, as the compiler of the source's time left them.
#include "studies/nbody/nbody.h"

namespace nbody {

template <typename Real>
static __global__ void one_thread_kernel(Problem<Real> p) {
  for (int i = 0; i < p.n; ++i) {
    Body<Real>& body = p.structs[i];
    Real ax = 0, ay = 0, az = 0;
#pragma unroll 1
    for (int j = 0; j < p.n; ++j) {
      if (i == j) continue;
      const Body<Real>& other = p.structs[j];
      const Real dx = other.x - body.x, dy = other.y - body.y, dz = other.z - body.z;
      const Real root = 1 / sqrt(dx * dx + dy * dy + dz * dz + p.softening2);
      const Real pull = other.mass * root * root * root;
      ax += dx * pull;
      ay += dy * pull;
      az += dz * pull;
    }
    body.acceleration_x = ax;
    body.acceleration_y = ay;
    body.acceleration_z = az;
  }
}

constexpr auto launch = [](const auto& p) { one_thread_kernel<<<1, 1>>>(p); };
const Rung one_thread{"one_thread", launch, launch, true, 4096};

}  // namespace nbody
