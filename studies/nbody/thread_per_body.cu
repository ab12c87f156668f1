// rung    thread_per_body
// idea    n threads: each sums the pulls on one body
// expect  global_store_requests / 32, warp_instructions / 32.7 against one_thread
// next    scalar_arrays: each field of the structs in an array of its own
//
// The outer loop is gone: its index is the number of the thread, 256 to a block. A warp does for 32
// bodies what one thread did for one, and all SMs have warps. Each thread reads all structs, one
// after the other, and its own once.
#include "studies/nbody/nbody.h"

namespace nbody {

template <typename Real>
static __global__ void thread_per_body_kernel(Problem<Real> p) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= p.n) return;
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

constexpr auto launch = [](const auto& p) {
  thread_per_body_kernel<<<blocks_over(p.n, block_size), block_size>>>(p);
};
const Rung thread_per_body{"thread_per_body", launch, launch, true};

}  // namespace nbody
