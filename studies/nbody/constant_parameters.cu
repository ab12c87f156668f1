// rung    constant_parameters
// idea    addresses, n and softening, the same for all threads, lie in constant memory
// expect  global_load_sectors / 2.95 against scalar_arrays, by accident: see below
// next    reciprocal_root: one instruction for 1 / sqrt
//
// The kernel is that of the rung before without arguments: it reads them from a variable in
// constant memory that the host fills. On the oldest GPUs of the source arguments lay in shared
// memory; since Fermi they lie in constant memory themselves, so the rungs above go back to
// arguments. What changes today is the compiler's doing: from arguments it makes two loops of the
// one with a test, as two_loops does by hand, and lanes at different j read different sectors; from
// a variable it does not, and the test in every turn costs more on an H200 than the sectors it
// saves.
#include "studies/common/check.h"
#include "studies/nbody/nbody.h"

namespace nbody {

template <typename Real>
static __constant__ Problem<Real> parameters;

template <typename Real>
static __global__ void constant_parameters_kernel() {
  const Problem<Real>& p = parameters<Real>;
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

template <typename Real>
static void launch(const Problem<Real>& p) {
  CHECK(cudaMemcpyToSymbolAsync(parameters<Real>, &p, sizeof p));
  constant_parameters_kernel<Real><<<blocks_over(p.n, block_size), block_size>>>();
}
const Rung constant_parameters{"constant_parameters", launch<float>, launch<double>};

}  // namespace nbody
