// rung    shared_tile
// idea    a block reads each body once into shared memory, and its threads read it there
// expect  global_load_requests / 228 against two_loops
// next    unroll_8: fewer turns of the loop
//
// The loop over j is cut into tiles of as many bodies as the block has threads. Each thread brings
// one of them, four loads that neighbours share, and after a barrier all threads walk through the
// tile. Before, every warp asked for every body; now every block does. A tile that ends beyond the
// last body is filled with bodies of no mass.
#include "studies/nbody/nbody.h"

namespace nbody {

template <typename Real>
static __global__ void shared_tile_kernel(Problem<Real> p) {
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
#pragma unroll 1
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
  shared_tile_kernel<<<blocks_over(p.n, block_size), block_size>>>(p);
};
const Rung shared_tile{"shared_tile", launch, launch};

}  // namespace nbody
