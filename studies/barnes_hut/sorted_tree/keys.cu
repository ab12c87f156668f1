// A body's key: where it lies on Hilbert's curve through the cube around all bodies. The first octal
// digit says in which eighth of the cube, the next in which eighth of that, 21 in all, as with
// Morton's order, but neighbours on this curve are neighbours in space: groups of consecutive bodies
// fit into smaller boxes.
//
// Whatever the corners are (no edge, an infinite one), a key is one of 63 bits: the tree then divides
// badly, and the sum is right.
//
// Source: J. Skilling, "Programming the Hilbert curve", AIP Conference Proceedings 707, 2004.
#include "studies/barnes_hut/sorted_tree/corners.cuh"

namespace barnes_hut::sorted {

// Along one axis, of 2^levels steps.
template <typename Real>
static __device__ unsigned step_of(Real off, Real steps_per_length) {
  constexpr Real steps = 1 << levels;
  return min(unsigned(fmin(off * steps_per_length, steps)), (1u << levels) - 1);  // NaN: the last
}

// Skilling's: undo the curve's turns from the largest cube down, then Gray's code.
static __device__ void turn_to_curve(unsigned (&axes)[3]) {
#pragma unroll
  for (unsigned half = 1u << (levels - 1); half > 1; half /= 2) {
    const unsigned below = half - 1;
    for (unsigned& axis : axes) {
      const unsigned swapped = axis & half ? 0 : (axes[0] ^ axis) & below;
      axes[0] ^= axis & half ? below : swapped;
      axis ^= swapped;
    }
  }
  axes[1] ^= axes[0];
  axes[2] ^= axes[1];
  unsigned turned = 0;
#pragma unroll
  for (unsigned half = 1u << (levels - 1); half > 1; half /= 2) {
    if (axes[2] & half) turned ^= half - 1;
  }
  for (unsigned& axis : axes) axis ^= turned;
}

// Two zeros before each of 21 bits.
static __device__ Key spread(Key bits) {
  bits = (bits | bits << 32) & 0x001f00000000ffff;
  bits = (bits | bits << 16) & 0x001f0000ff0000ff;
  bits = (bits | bits << 8) & 0x100f00f00f00f00f;
  bits = (bits | bits << 4) & 0x10c30c30c30c30c3;
  return (bits | bits << 2) & 0x1249249249249249;
}

template <typename Real>
static __global__ void keys_kernel(Tree<Real> tree, Key* keys, unsigned* bodies) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= tree.n) return;
  const Cube<Real> cube = cube_of(*tree.corners);
  const Real steps_per_length = Real(1 << levels) / cube.edge;
  const Place<Real> place = tree.places[i];
  unsigned axes[] = {step_of(place.x - cube.x, steps_per_length),
                     step_of(place.y - cube.y, steps_per_length),
                     step_of(place.z - cube.z, steps_per_length)};
  turn_to_curve(axes);
  keys[i] = spread(axes[0]) << 2 | spread(axes[1]) << 1 | spread(axes[2]);
  bodies[i] = i;
}

template <typename Real>
void make_keys(const Tree<Real>& tree, Key* keys, unsigned* bodies) {
  keys_kernel<<<nbody::blocks_over(tree.n, block_size), block_size>>>(tree, keys, bodies);
  CHECK(cudaGetLastError());
}
template void make_keys(const Tree<float>&, Key*, unsigned*);
template void make_keys(const Tree<double>&, Key*, unsigned*);

}  // namespace barnes_hut::sorted
