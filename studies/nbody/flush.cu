// rung    flush
// idea    subnormal numbers count as 0, as -ftz=true has it: the root needs no care for them
// expect  warp_instructions / 1.21 against unroll_128: three fewer an interaction
// next    cut_sum: the sum split among more blocks
//
// The hardware's reciprocal square root knows no subnormal operands. Without -ftz=true the
// compiler surrounds it by a comparison, a scaling of the operand and one of the result. The
// studies are compiled without that flag, so this rung says it in PTX: the .ftz form of that one
// instruction. No distance is subnormal here: the softening is in the sum. In double precision the
// library's rsqrt repairs an approximation and asks about rare operands; here the cube of the root
// is repaired, which takes no more than the cube itself and four multiply-adds and products
// (root.cuh).
#include "studies/nbody/nbody.h"
#include "studies/nbody/root.cuh"

namespace nbody {

template <typename Real>
static __global__ void flush_kernel(Problem<Real> p) {
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
      const Real pull = pull_at(dx * dx + (dy * dy + (dz * dz + p.softening2)), tile_mass[j]);
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
  flush_kernel<<<blocks_over(p.n, block_size), block_size>>>(p);
};
const Rung flush{"flush", launch, launch};

}  // namespace nbody
