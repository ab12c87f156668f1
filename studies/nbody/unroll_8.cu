// rung    unroll_8
// idea    eight turns of the loop in one: counter, branch and addresses cost an eighth
// expect  integer_instructions / 2.93 against shared_tile
// next    no_test: the softening keeps a body's interaction with itself harmless
//
// One number differs: how many turns the compiler makes one of. The rung before says 1. The index
// of a body in the tile becomes part of a load's address, which is free; what is left of integer
// arithmetic is the test.
#include "studies/nbody/nbody.h"

namespace nbody {

template <typename Real>
static __global__ void unroll_8_kernel(Problem<Real> p) {
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
#pragma unroll 8
    for (int j = 0; j < block_size; ++j) {
      if (first + j == i) continue;
      const Real dx = tile_x[j] - x, dy = tile_y[j] - y, dz = tile_z[j] - z;
      const Real root = rsqrt(dx * dx + dy * dy + dz * dz + p.softening2);
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
  unroll_8_kernel<<<blocks_over(p.n, block_size), block_size>>>(p);
};
const Rung unroll_8{"unroll_8", launch, launch};

}  // namespace nbody
