// kernel  3, summarise the cells from the bottom up
// idea    a thread takes cells from the last one made to the first; one whose children are all summed
//         up is summed up itself, and says so
//
// A cell is made before its children, so that who waits does so for cells that come before his own in
// this order: the earliest unfinished one waits for nobody. A cell that is not ready is looked at
// again in the next round; a thread that has looked for seconds gives up and says so.
#include "studies/barnes_hut/six_kernels/kernels.h"

namespace barnes_hut::six {

using Tuning = headroom::LaunchBox<headroom::Row<80, 128, 1, 6>, headroom::Row<90, 64, 1, 16>>;

constexpr unsigned switches = throttling | wait_free | combined_fence;
constexpr int pre_passes = 5;

// Its mass and centre become visible before the word that says so.
template <unsigned On, typename Real>
static __device__ void publish(const Tree<Real>& tree, int cell, const Point<Real>& centre,
                               int bodies, int nodes) {
  if constexpr (has<On, combined_fence>) {
    tree.centres[cell] = centre;
    fence();
  } else {
    Point<Real>& to = tree.centres[cell];
    to.x = centre.x;
    fence();
    to.y = centre.y;
    fence();
    to.z = centre.z;
    fence();
    to.mass = centre.mass;
    fence();
  }
  write(tree.below[cell], pair(bodies, nodes));
}

// False where a child is not ready.
template <unsigned On, typename Real>
static __device__ bool sum_up(const Tree<Real>& tree, int cell) {
  const Octants octants = octants_of(tree, cell);
  int bodies = 0, nodes = 0;
#pragma unroll
  for (int octant = 0; octant < 8; ++octant) {
    const int child = octants.at[octant];
    if (child < tree.bodies) continue;
    const Pair below = read(tree.below[child - tree.bodies]);
    if (below == not_yet) return false;
    if constexpr (!has<On, combined_fence>) fence();
    bodies += first_of(below), nodes += 1 + second_of(below);
  }
  if constexpr (has<On, combined_fence>) fence();
  const bool lists = tree.level[cell] == deepest<Real>;
  Sum<Real> sum;
  Point<Real> some;
#pragma unroll
  for (int octant = 0; octant < 8; ++octant) {
    const int child = octants.at[octant];
    if (child == empty) continue;
    if (child >= tree.bodies) {
      some = tree.centres[child - tree.bodies];
    } else if (lists) {
      const List<Real> list(tree, child);
      some = list.centre;
      bodies += list.bodies, nodes += list.nodes();
    } else {
      some = tree.points[child];
      ++bodies, ++nodes;
    }
    sum.add(some);
  }
  publish<On>(tree, cell, sum.centre(some), bodies, nodes);
  return true;
}

// Who has made it himself, in a pass before, sees it at once.
template <typename Real>
static __device__ bool is_done(const Tree<Real>& tree, int cell) {
  return read(tree.below[cell]) != not_yet;
}

template <unsigned On>
static __device__ bool anybody(bool working) {
  if constexpr (has<On, throttling>) return __syncthreads_or(working);
  return working;
}

template <typename Real, unsigned On, typename Tuning>
static __global__ __launch_bounds__(Tuning::here::NT,
                                    Tuning::here::OCC) void summarise_kernel(Tree<Real> tree) {
  if (tree.status->full) return;
  const int stride = gridDim.x * blockDim.x;
  const int begin = tree.status->cells - int(blockIdx.x * blockDim.x + threadIdx.x);
  if constexpr (has<On, wait_free>) {
    for (int pass = 0; pass < pre_passes; ++pass) {
      for (int cell = begin; cell >= 0; cell -= stride) {
        if (!is_done(tree, cell)) sum_up<On>(tree, cell);
      }
    }
  }
  int looks = 0;
  for (int cell = begin; anybody<On>(cell >= 0);) {
    if (cell < 0) continue;
    if (is_done(tree, cell) || sum_up<On>(tree, cell)) {
      cell -= stride;
      looks = 0;
    } else if (++looks == max_looks) {
      write(tree.status->stuck, 1);
      cell = -1;
    }
  }
}

// How many cells there are only the device knows: at most so many as there is room for.
template <typename Real>
void summarise(const Tree<Real>& tree, unsigned on) {
  choose<switches>(on, [&]<unsigned On>() {
    launch<Tuning>(summarise_kernel<Real, On, Tuning>, on, tree.capacity, no_limit, tree);
  });
}
template void summarise(const Tree<float>&, unsigned);
template void summarise(const Tree<double>&, unsigned);

}  // namespace barnes_hut::six
