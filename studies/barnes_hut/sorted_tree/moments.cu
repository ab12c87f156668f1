// Mass, centre and, if asked for, shape of every cell: a thread sums up a leaf, then goes on to the
// parent where all of its siblings have been there before it, and so up to the root. Nobody waits.
// The children are added in their order, whoever comes last.
//
// A cell's size is the edge of its cube, so it must be farther away than edge / theta: with theta 0
// than infinity, which nothing is. A cell of one body is that body, however near.
#include <algorithm>
#include <cuda/atomic>

#include "studies/barnes_hut/sorted_tree/corners.cuh"

namespace barnes_hut::sorted {

// Of some bodies or cells. Their centre lies between the least and the greatest coordinates, however
// the sums were rounded: that of bodies at one place is that place.
template <typename Real>
class Sum {
 public:
  explicit __device__ Sum(const Place<Real>& any)
      : lower_{any.x, any.y, any.z}, upper_{any.x, any.y, any.z} {}

  __device__ void add(const Place<Real>& part) {
    mass_ += part.mass;
    add(0, part.mass, part.x), add(1, part.mass, part.y), add(2, part.mass, part.z);
  }
  __device__ Place<Real> centre() const { return {centre(0), centre(1), centre(2), mass_}; }

 private:
  __device__ void add(int axis, Real mass, Real x) {
    moment_[axis] += mass * x;
    lower_[axis] = min(lower_[axis], x), upper_[axis] = max(upper_[axis], x);
  }
  // Without mass 0 / 0, and then the lower end.
  __device__ Real centre(int axis) const {
    return min(max(moment_[axis] / mass_, lower_[axis]), upper_[axis]);
  }

  Real mass_ = 0, moment_[3] = {}, lower_[3], upper_[3];
};

template <typename Real>
static __device__ Place<Real> centre_of(const Place<Real>* parts, unsigned count) {
  Sum<Real> sum(parts[0]);
  for (unsigned i = 0; i < count; ++i) sum.add(parts[i]);
  return sum.centre();
}

// Of parts without a shape, or cells that have one.
template <typename Real>
static __device__ Shape<Real> shape_of(const Place<Real>& centre, const Place<Real>* parts,
                                       const Shape<Real>* shapes, unsigned count) {
  Shape<Real> sum{};
  for (unsigned i = 0; i < count; ++i) {
    const Place<Real> part = parts[i];
    const Real dx = part.x - centre.x, dy = part.y - centre.y, dz = part.z - centre.z;
    const Real mx = 3 * part.mass * dx, my = 3 * part.mass * dy, mz = 3 * part.mass * dz;
    sum.xx += mx * dx, sum.xy += mx * dy, sum.xz += mx * dz;
    sum.yy += my * dy, sum.yz += my * dz, sum.zz += mz * dz;
    if (!shapes) continue;
    const Shape<Real> own = shapes[i];
    sum.xx += own.xx, sum.xy += own.xy, sum.xz += own.xz;
    sum.yy += own.yy, sum.yz += own.yz, sum.zz += own.zz;
  }
  sum.half_trace = (sum.xx + sum.yy + sum.zz) / 2;
  return sum;
}

// Of a divided cell, while others ask whether it is a leaf.
using Count = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;

// From which distance on a cell of this level counts as one. Its square may be too large for a float.
template <typename Real>
static __device__ float mac_distance_of(const Cube<Real>& cube, int level, Real theta) {
  return float(ldexp(cube.edge, -level) / theta);
}

template <typename Real>
static __global__ void moments_kernel(Tree<Real> tree) {
  const Cube<Real> cube = cube_of(*tree.corners);
  const unsigned cells = tree.counts->cells;
  for (unsigned start = blockIdx.x * blockDim.x + threadIdx.x; start < cells;
       start += gridDim.x * blockDim.x) {
    if (Count(tree.cells[start].count_leaf).load(cuda::memory_order_relaxed) % 2 == 0) continue;
    Cell cell = tree.cells[start];
    const Place<Real>* bodies = tree.places + cell.first;
    const Place<Real> centre = centre_of(bodies, cell.count());
    tree.centres[start] = centre;
    if (tree.shapes) {
      const Shape<Real>* none = nullptr;
      tree.shapes[start] = shape_of(centre, bodies, none, cell.count());
    }
    const int level = cell.parent == no_parent ? 0 : tree.divided[cell.parent].level + 1;
    tree.cells[start].mac_distance =
        cell.count() == 1 ? -1 : mac_distance_of(cube, level, tree.theta);
    while (cell.parent != no_parent) {
      const unsigned parent = cell.parent, children = tree.children[parent];
      const unsigned first = children / 8, count = children % 8 + 1;
      __threadfence();  // what this thread wrote comes before its arrival
      if (atomicAdd(&tree.finished_children[parent], 1) != count - 1) break;
      __threadfence();  // and what the siblings wrote after it
      const unsigned place = tree.place_of_divided[parent];
      cell = tree.cells[place];
      const Place<Real> middle = centre_of(tree.centres + first, count);
      tree.centres[place] = middle;
      if (tree.shapes) {
        tree.shapes[place] = shape_of(middle, tree.centres + first, tree.shapes + first, count);
      }
      Cell& divided = tree.cells[place];
      divided.mac_distance = mac_distance_of(cube, tree.divided[parent].level, tree.theta);
      divided.first = first;
      Count(divided.count_leaf).store(2 * count, cuda::memory_order_relaxed);
    }
  }
}

template <typename Real>
void find_moments(const Tree<Real>& tree) {
  const int blocks = std::min<size_t>((max_cells(tree.n) - 1) / block_size + 1, max_blocks);
  moments_kernel<<<blocks, block_size>>>(tree);
  CHECK(cudaGetLastError());
}
template void find_moments(const Tree<float>&);
template void find_moments(const Tree<double>&);

}  // namespace barnes_hut::sorted
