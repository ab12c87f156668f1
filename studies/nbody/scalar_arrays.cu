// rung    scalar_arrays
// idea    each field of the structs in an array of its own
// expect  global_store_sectors / 8, global_load_sectors / 5.61 against thread_per_body
// next    constant_parameters: what is the same for all threads goes into constant memory
//
// The loop is that of the rung before, over four arrays. What a thread reads and writes of its own
// body now lies beside what its neighbours do: a store of a warp touches 4 sectors, not 32. The
// loop pays with four addresses where a struct has one, and as long as all lanes read the same body
// j it gains nothing: the source lost 4 to 18 % here, and took the step for what shared_tile needs.
// Today's compiler makes two loops of the one with a test (see two_loops), whose lanes read
// neighbours, and these are a third faster from arrays on an H200.
#include "studies/nbody/nbody.h"

namespace nbody {

template <typename Real>
static __global__ void scalar_arrays_kernel(Problem<Real> p) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= p.n) return;
  const Real x = p.x[i], y = p.y[i], z = p.z[i];
  Real ax = 0, ay = 0, az = 0;
#pragma unroll 1
  for (int j = 0; j < p.n; ++j) {
    if (i == j) continue;
    const Real dx = p.x[j] - x, dy = p.y[j] - y, dz = p.z[j] - z;
    const Real root = 1 / sqrt(dx * dx + dy * dy + dz * dz + p.softening2);
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
  scalar_arrays_kernel<<<blocks_over(p.n, block_size), block_size>>>(p);
};
const Rung scalar_arrays{"scalar_arrays", launch, launch};

}  // namespace nbody
