// rung    samples_manner
// idea    a peer beside flush: all pairs in the manner of NVIDIA's CUDA samples (nbody), written anew
// expect  shared_load_instructions / 1, warp_instructions / 1.01 against flush: ptxas reads four at a time there too
// next    cut_sum: the sum split among more blocks
//
// 256 threads a block and a body each, four values a body, a tile in shared memory, the loop over
// it unrolled, rsqrt, no test. The sample is built with fast math, so single precision takes the
// root of the rung flush.
#include "studies/nbody/nbody.h"
#include "studies/nbody/root.cuh"

namespace nbody {

__device__ static float pull_of_sample(float distance2, float mass) {
  return pull_at(distance2, mass);
}
__device__ static double pull_of_sample(double distance2, double mass) {
  const double root = rsqrt(distance2);
  return mass * (root * root * root);
}

template <typename Real>
static __global__ void samples_manner_kernel(Problem<Real> p) {
  __shared__ Point<Real> tile[block_size];
  const int i = blockIdx.x * block_size + threadIdx.x;
  const Point<Real> own = p.points[min(i, p.n - 1)];
  Real ax = 0, ay = 0, az = 0;
  for (int first = 0; first < p.n; first += block_size) {
    const int brought = first + int(threadIdx.x);
    tile[threadIdx.x] = brought < p.n ? p.points[brought] : Point<Real>{};
    __syncthreads();
#pragma unroll 128
    for (int j = 0; j < block_size; ++j) {
      const Point<Real> other = tile[j];
      const Real dx = other.x - own.x, dy = other.y - own.y, dz = other.z - own.z;
      const Real pull = pull_of_sample(dx * dx + (dy * dy + (dz * dz + p.softening2)), other.mass);
      ax += dx * pull;
      ay += dy * pull;
      az += dz * pull;
    }
    __syncthreads();
  }
  if (i >= p.n) return;
  p.acceleration_x[i] = ax;
  p.acceleration_y[i] = ay;
  p.acceleration_z[i] = az;
}

constexpr auto launch = [](const auto& p) {
  samples_manner_kernel<<<blocks_over(p.n, block_size), block_size>>>(p);
};
const Rung samples_manner{.name = "samples_manner",
                          .single_precision = launch,
                          .double_precision = launch,
                          .kept = false};

}  // namespace nbody
