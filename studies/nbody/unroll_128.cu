// rung    unroll_128
// idea    128 turns of the loop in one
// expect  branches / 9.33, integer_instructions / 1.62 against fused_terms
// next    flush: reciprocal square roots that need no care for tiny operands
//
// Again one number differs. Of counter, branch and addresses an eighth was left, and a sixteenth of
// that remains; the code of a turn grows to tens of kilobytes. The source gained 1 and 4 %, and
// lost 7 % on the newest of its GPUs.
#include "studies/nbody/nbody.h"

namespace nbody {

template <typename Real>
static __global__ void unroll_128_kernel(Problem<Real> p) {
  __shared__ Real tile_x[block_size], tile_y[block_size], tile_z[block_size], tile_mass[block_size];
  const int i = blockIdx.x * block_size + threadIdx.x, t = threadIdx.x;
  const int own = min(i, p.n - 1);
  const Real x = p.x[own], y = p.y[own], z = p.z[own];
  Real ax = 0, ay = 0, az = 0;
  for (int first = 0; first < p.n; first += block_size) {
    const int brought = min(first + t, p.n - 1);
    __syncthreads();
    tile_x[t] = p.x[brought], tile_y[t] = p.y[brought], tile_z[t] = p.z[brought];
    tile_mass[t] = first + t < p.n ? p.mass[brought] : 0;
    __syncthreads();
#pragma unroll 128
    for (int j = 0; j < block_size; ++j) {
      const Real dx = tile_x[j] - x, dy = tile_y[j] - y, dz = tile_z[j] - z;
      const Real root = rsqrt(dx * dx + (dy * dy + (dz * dz + p.softening2)));
      const Real pull = tile_mass[j] * root * root * root;
      ax += dx * pull;
      ay += dy * pull;
      az += dz * pull;
    }
  }
  if (i >= p.n) return;
  p.acceleration_x[i] = ax;
  p.acceleration_y[i] = ay;
  p.acceleration_z[i] = az;
}

constexpr auto launch = [](const auto& p) {
  unroll_128_kernel<<<blocks_over(p.n, block_size), block_size>>>(p);
};
const Rung unroll_128{"unroll_128", launch, launch};

}  // namespace nbody
