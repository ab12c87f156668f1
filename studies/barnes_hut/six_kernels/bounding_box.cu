// kernel  1, bounding box
// idea    each block reduces its bodies, the last block to finish reduces what the blocks left
//
// The root is the smallest cube around the box, with the box's centre. On the way a body's place and
// mass become one point: what the later kernels load at once.
#include "studies/barnes_hut/six_kernels/kernels.h"

namespace barnes_hut::six {

using Tuning = headroom::LaunchBox<headroom::Row<80, 512, 1, 3>, headroom::Row<90, 512, 1, 4>>;

template <typename Real>
struct Box {
  Real low[3], high[3];

  __device__ static Box nothing() {
    constexpr Real far = INFINITY;
    return {{far, far, far}, {-far, -far, -far}};
  }
  __device__ void take(const Box& other) {
    for (int axis = 0; axis < 3; ++axis) {
      low[axis] = min(low[axis], other.low[axis]);
      high[axis] = max(high[axis], other.high[axis]);
    }
  }
  __device__ Box from_lane(int distance) const {
    Box other;
    for (int axis = 0; axis < 3; ++axis) {
      other.low[axis] = __shfl_down_sync(~0u, low[axis], distance);
      other.high[axis] = __shfl_down_sync(~0u, high[axis], distance);
    }
    return other;
  }
  __device__ Root<Real> cube() const {
    // Halves first: the sum and the difference of two huge numbers may be none.
    Real centre[3], half = 0;
    for (int axis = 0; axis < 3; ++axis) {
      centre[axis] = low[axis] / 2 + high[axis] / 2;
      half = max(half, high[axis] / 2 - low[axis] / 2);
    }
    return {centre[0], centre[1], centre[2], half};
  }
};

// Of all threads of the block, in thread 0.
template <typename Real>
static __device__ void reduce(Box<Real>& box, Box<Real>* shared) {
  for (int distance = 16; distance > 0; distance /= 2) box.take(box.from_lane(distance));
  if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = box;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (unsigned warp = 1; warp < blockDim.x / 32; ++warp) box.take(shared[warp]);
}

template <typename Real, typename Tuning>
static __global__ __launch_bounds__(Tuning::here::NT,
                                    Tuning::here::OCC) void bounding_box_kernel(Tree<Real> tree,
                                                                                View<Real> bodies,
                                                                                Box<Real>* boxes) {
  __shared__ Box<Real> shared[Tuning::here::NT / 32];
  __shared__ bool is_last;
  Box<Real> box = Box<Real>::nothing();
  const int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < bodies.n; i += stride) {
    const Real x = bodies.x[i], y = bodies.y[i], z = bodies.z[i];
    tree.points[i] = {x, y, z, bodies.mass[i]};
    box.take({{x, y, z}, {x, y, z}});
  }
  reduce(box, shared);
  if (threadIdx.x == 0) {
    boxes[blockIdx.x] = box;
    const Word<int> through(tree.status->boxes);
    is_last = through.fetch_add(1, cuda::memory_order_acq_rel) == int(gridDim.x) - 1;
  }
  __syncthreads();
  if (!is_last) return;
  box = Box<Real>::nothing();
  for (unsigned i = threadIdx.x; i < gridDim.x; i += blockDim.x) box.take(boxes[i]);
  reduce(box, shared);
  if (threadIdx.x != 0) return;
  *tree.root = box.cube();
  tree.level[0] = 0;
}

template <typename Real>
void bounding_box(const Tree<Real>& tree, const View<Real>& bodies, unsigned on) {
  launch<Tuning>(bounding_box_kernel<Real, Tuning>, on, bodies.n, max_boxes, tree, bodies,
                 reinterpret_cast<Box<Real>*>(tree.root + 1));
}
template void bounding_box(const Tree<float>&, const View<float>&, unsigned);
template void bounding_box(const Tree<double>&, const View<double>&, unsigned);

}  // namespace barnes_hut::six
