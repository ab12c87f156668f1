// rung    two_loops
// idea    two loops, over j < i and over j > i, instead of a test in each turn
// expect  warp_instructions / 1, global_load_sectors / 1 against reciprocal_root
// next    shared_tile: a block reads each body once (and tests again)
//
// The same sum in two pieces, without a test. It is a dead end: lanes leave the first loop one
// after the other, and begin the second at different places. On the oldest GPUs of the source that
// gave 0.55 of the speed, later nothing. The compiler of today makes these two loops of the rung
// before by itself, so that all counters agree. The next rung starts from that one.
#include "studies/nbody/nbody.h"

namespace nbody {

template <typename Real>
static __global__ void two_loops_kernel(Problem<Real> p) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= p.n) return;
  const Real x = p.x[i], y = p.y[i], z = p.z[i];
  Real ax = 0, ay = 0, az = 0;
  const auto add = [&](int j) {
    const Real dx = p.x[j] - x, dy = p.y[j] - y, dz = p.z[j] - z;
    const Real root = rsqrt(dx * dx + dy * dy + dz * dz + p.softening2);
    const Real pull = p.mass[j] * root * root * root;
    ax += dx * pull;
    ay += dy * pull;
    az += dz * pull;
  };
#pragma unroll 1
  for (int j = 0; j < i; ++j) add(j);
#pragma unroll 1
  for (int j = i + 1; j < p.n; ++j) add(j);
  p.acceleration_x[i] = ax;
  p.acceleration_y[i] = ay;
  p.acceleration_z[i] = az;
}

constexpr auto launch = [](const auto& p) {
  two_loops_kernel<<<blocks_over(p.n, block_size), block_size>>>(p);
};
const Rung two_loops{
    .name = "two_loops", .single_precision = launch, .double_precision = launch, .kept = false};

}  // namespace nbody
