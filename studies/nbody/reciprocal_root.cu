// rung    reciprocal_root
// idea    rsqrt: one instruction for the reciprocal square root, not a root and a division
// expect  fp32_instructions / 1.333 against scalar_arrays
// next    two_loops: no test in the loop
//
// 1 / sqrt(x) is two operations, each rounded as IEEE 754 asks, and each many instructions with
// branches for rare operands (PTX still shows one for each). The hardware has an approximation of
// the reciprocal square root itself, good to the last two bits, and CUDA's rsqrt is that
// instruction in single precision. In double precision rsqrt starts from it and repairs it.
#include "studies/nbody/nbody.h"

namespace nbody {

template <typename Real>
static __global__ void reciprocal_root_kernel(Problem<Real> p) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= p.n) return;
  const Real x = p.x[i], y = p.y[i], z = p.z[i];
  Real ax = 0, ay = 0, az = 0;
#pragma unroll 1
  for (int j = 0; j < p.n; ++j) {
    if (i == j) continue;
    const Real dx = p.x[j] - x, dy = p.y[j] - y, dz = p.z[j] - z;
    const Real root = rsqrt(dx * dx + dy * dy + dz * dz + p.softening2);
    const Real pull = p.mass[j] * root * root * root;
    ax += dx * pull;
    ay += dy * pull;
    az += dz * pull;
  }
  p.acceleration_x[i] = ax;
  p.acceleration_y[i] = ay;
  p.acceleration_z[i] = az;
}

constexpr auto launch = [](const auto& p) {
  reciprocal_root_kernel<<<blocks_over(p.n, block_size), block_size>>>(p);
};
const Rung reciprocal_root{"reciprocal_root", launch, launch};

}  // namespace nbody
