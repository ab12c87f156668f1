// rung    cut_sum
// idea    the sum over j is split among more blocks: a few bodies fill the machine too
// expect  fp32_instructions / 1 against flush: the same work, in as many blocks as fill a GPU
// next    bodies_per_thread: each body of the tile serves several bodies of a thread
//
// A thread a body gives 512 bodies two blocks, on two of 132 SMs, and 100 000 bodies the last wave
// of blocks for a part of the machine. Here several blocks share a body's sum, each with a piece of
// all j, and add what they find to the accelerations by atomics. The order of these additions is
// not fixed, and with it the last bits. In the kernel only the bounds of the loop differ, and the
// end.
#include "studies/nbody/nbody.h"
#include "studies/nbody/root.cuh"

namespace nbody {

template <typename Real>
static __global__ void cut_sum_kernel(Problem<Real> p, int piece) {
  __shared__ Real tile_x[block_size], tile_y[block_size], tile_z[block_size], tile_mass[block_size];
  const int i = blockIdx.x * block_size + threadIdx.x, t = threadIdx.x;
  const int own = min(i, p.n - 1);
  const Real x = p.x[own], y = p.y[own], z = p.z[own];
  Real ax = 0, ay = 0, az = 0;
  const int begin = blockIdx.y * piece, end = min(begin + piece, p.n);
  for (int first = begin; first < end; first += block_size) {
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
  atomicAdd(&p.acceleration_x[i], ax);
  atomicAdd(&p.acceleration_y[i], ay);
  atomicAdd(&p.acceleration_z[i], az);
}

constexpr auto launch = [](const auto& p) {
  const int blocks = blocks_over(p.n, block_size);
  const int piece = piece_of(p.n, blocks, block_size);
  clear_accelerations(p);
  cut_sum_kernel<<<dim3(blocks, blocks_over(p.n, piece)), block_size>>>(p, piece);
};
const Rung cut_sum{"cut_sum", launch, launch};

}  // namespace nbody
