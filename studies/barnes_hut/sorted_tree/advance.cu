// Velocities by the accelerations, then places by the velocities, in whatever order the bodies are.
#include "studies/barnes_hut/sorted_tree/tree.h"

namespace barnes_hut::sorted {

template <typename Real>
static __global__ void advance_sorted_kernel(Tree<Real> tree, Real kick, Real drift) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= tree.n) return;
  Motion<Real> motion = tree.motions[i];
  motion.x += kick * tree.acceleration_x[i];
  motion.y += kick * tree.acceleration_y[i];
  motion.z += kick * tree.acceleration_z[i];
  tree.motions[i] = motion;
  Place<Real> place = tree.places[i];
  place.x += drift * motion.x, place.y += drift * motion.y, place.z += drift * motion.z;
  tree.places[i] = place;
}

template <typename Real>
void advance(const Tree<Real>& tree, Real kick, Real drift) {
  advance_sorted_kernel<<<nbody::blocks_over(tree.n, block_size), block_size>>>(tree, kick, drift);
  CHECK(cudaGetLastError());
}
template void advance(const Tree<float>&, float, float);
template void advance(const Tree<double>&, double, double);

}  // namespace barnes_hut::sorted
