// The bodies' corners: each thread's, the warp's by shuffles, then one atomic minimum a warp and
// corner. Integers in the order of floating-point numbers, because there is no atomic minimum of
// those; the result does not depend on who comes first.
#include "studies/barnes_hut/sorted_tree/corners.cuh"

namespace barnes_hut::sorted {

template <typename Real>
static __global__ void corners_kernel(Tree<Real> tree) {
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  const Place<Real> any = tree.places[min(first, tree.n - 1)];
  Real lower[] = {any.x, any.y, any.z}, upper[] = {any.x, any.y, any.z};
  for (int i = first; i < tree.n; i += gridDim.x * blockDim.x) {
    const Place<Real> place = tree.places[i];
    const Real axes[] = {place.x, place.y, place.z};
    for (int axis = 0; axis < 3; ++axis) {
      lower[axis] = min(lower[axis], axes[axis]), upper[axis] = max(upper[axis], axes[axis]);
    }
  }
  for (int axis = 0; axis < 3; ++axis) {
    for (int apart = 16; apart > 0; apart /= 2) {
      lower[axis] = min(lower[axis], __shfl_xor_sync(~0u, lower[axis], apart));
      upper[axis] = max(upper[axis], __shfl_xor_sync(~0u, upper[axis], apart));
    }
    if (threadIdx.x % 32) continue;
    atomicMin(&tree.corners->lower[axis], bits_in_order(lower[axis]));
    atomicMin(&tree.corners->upper[axis], ~bits_in_order(upper[axis]));
  }
}

template <typename Real>
void find_corners(const Tree<Real>& tree) {
  CHECK(cudaMemsetAsync(tree.corners, 0xff, sizeof *tree.corners));
  const int blocks = std::min(nbody::blocks_over(tree.n, 4 * block_size), max_blocks);
  corners_kernel<<<blocks, block_size>>>(tree);
  CHECK(cudaGetLastError());
}
template void find_corners(const Tree<float>&);
template void find_corners(const Tree<double>&);

}  // namespace barnes_hut::sorted
