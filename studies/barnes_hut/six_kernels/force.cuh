// kernel  5, force
// idea    the bodies of a warp walk through the tree together: a cell is taken as one where all of
//         them are far enough, so that no lane waits for another's way; one stack for all
//
// The walk is over nodes that lie in its order (tree.cuh): a node taken as one is followed by its
// sibling, one that is opened by its first child; what is left of its siblings goes on the stack,
// of which there is never more than one entry a level: it cannot overflow. Lanes without a body of
// their own take the last one, so that all of them vote. A warp takes the next group when it has
// done with one; a lane has VT bodies.
#pragma once
#include "studies/barnes_hut/six_kernels/kernels.h"
#include "studies/nbody/root.cuh"

namespace barnes_hut::six {

constexpr unsigned switches_of_force =
    no_volatile | reciprocal_root | recompute | warp_voting | sorting | synchronised;

// The siblings that are left, and their level.
struct Left {
  int node, level;
};

// What the bodies of a warp share, or with a walk for each body what a thread has of its own.
template <typename Real, unsigned On>
struct WarpStack {
  Left* entries;
  int height = 0;
  __device__ void push(Left left) {
    if (threadIdx.x % 32 == 0) entries[height] = left;
    ++height;
    __syncwarp();
  }
  __device__ Left pop() {
    const Left left = entries[--height];
    __syncwarp();  // before the entry is written again
    return left;
  }
};
template <typename Real>
struct ThreadStack {
  Left entries[levels<Real>];
  int height = 0;
  __device__ void push(Left left) { entries[height++] = left; }
  __device__ Left pop() { return entries[--height]; }
};

template <unsigned On>
static __device__ bool all(bool far, unsigned* ballot) {
  if constexpr (!has<On, synchronised>) return far;
  if constexpr (has<On, warp_voting>) return __all_sync(~0u, far);
  if (threadIdx.x % 32 == 0) *ballot = 1;
  __syncwarp();
  if (!far) atomicAnd(ballot, 0);
  __syncwarp();
  const bool agreed = *ballot;
  __syncwarp();
  return agreed;
}

template <unsigned On, typename Real>
static __device__ Real pull(Real distance2, Real mass) {
  if constexpr (has<On, reciprocal_root>) return nbody::pull_at(distance2, mass);
  const Real root = 1 / sqrt(distance2);
  return mass * root * (root * root);
}

// A node's words, each read when it is asked for; with `no_volatile` they have been read before.
template <typename Real, unsigned On>
struct Node {
  const Point<Real>* where;
  const unsigned* link_where;
  Point<Real> point;
  unsigned link_word;

  __device__ Node(const Tree<Real>& tree, int at)
      : where(tree.nodes + at), link_where(tree.links + at) {
    if constexpr (!has<On, no_volatile>) return;
    point = *where;
    link_word = *link_where;
  }
  __device__ Real word(Real Point<Real>::*which) const {
    if constexpr (has<On, no_volatile>) return point.*which;
    return static_cast<const volatile Point<Real>&>(*where).*which;
  }
  __device__ unsigned link() const {
    if constexpr (has<On, no_volatile>) return link_word;
    return static_cast<const volatile unsigned&>(*link_where);
  }
  __device__ int first_child() const { return int(link() & ~last_child); }
  __device__ bool is_last() const { return link() & last_child; }
};

template <typename Real>
struct Pulled {
  Real x, y, z;                 // a body's place
  Real ax = 0, ay = 0, az = 0;  // and what it has been pulled by
};

// Returns how many nodes were touched; `pulls` of them pulled.
template <unsigned On, int VT, typename Stack, typename Real>
static __device__ unsigned walk(const Tree<Real>& tree, const Real* mac_distances2,
                                unsigned* ballot, Stack& stack, Pulled<Real> (&bodies)[VT],
                                unsigned& pulls) {
  unsigned touched = 0;
  int at = 0, level = 0;
  Real beyond = mac_distances2[0];
  for (;;) {
    const Node<Real, On> node(tree, at);
    if constexpr (!has<On, recompute>) beyond = tree.mac_distances2[at];
    Real dx[VT], dy[VT], dz[VT], distance2[VT];
    bool far = true;
#pragma unroll
    for (int b = 0; b < VT; ++b) {
      dx[b] = node.word(&Point<Real>::x) - bodies[b].x;
      dy[b] = node.word(&Point<Real>::y) - bodies[b].y;
      dz[b] = node.word(&Point<Real>::z) - bodies[b].z;
      distance2[b] = dz[b] * dz[b] + (dy[b] * dy[b] + (dx[b] * dx[b] + tree.softening2));
      far = far && distance2[b] > beyond;
    }
    ++touched;
    if (node.first_child() == 0 || all<On>(far, ballot)) {
      ++pulls;
#pragma unroll
      for (int b = 0; b < VT; ++b) {
        const Real by = pull<On>(distance2[b], node.word(&Point<Real>::mass));
        bodies[b].ax += dx[b] * by, bodies[b].ay += dy[b] * by, bodies[b].az += dz[b] * by;
      }
      if (!node.is_last()) {
        ++at;
        continue;
      }
      if (stack.height == 0) return touched;
      const Left left = stack.pop();
      at = left.node, level = left.level;
    } else {
      if (!node.is_last()) stack.push({at + 1, level});
      at = node.first_child();
      ++level;
    }
    if constexpr (has<On, recompute>) beyond = mac_distances2[level];
  }
}

template <typename Real, unsigned On, bool Counts, typename Tuning>
static __global__ __launch_bounds__(Tuning::here::NT,
                                    Tuning::here::OCC) void force_kernel(Tree<Real> tree,
                                                                         View<Real> bodies) {
  constexpr int warps = Tuning::here::NT / 32;
  constexpr bool together = has<On, synchronised>;
  constexpr int VT = together ? Tuning::here::VT : 1;
  __shared__ Real mac_distances2[levels<Real>];
  __shared__ Left stacks[together ? warps : 1][levels<Real>];
  __shared__ unsigned ballots[warps];
  if (failed(tree)) return;
  for (int level = threadIdx.x; level < levels<Real>; level += blockDim.x) {
    mac_distances2[level] = mac_distance2_of(tree, level);
  }
  __syncthreads();
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  for (;;) {
    int group = 0;
    if (lane == 0) {
      group = Word<int>(tree.status->groups).fetch_add(1, cuda::memory_order_relaxed);
    }
    group = __shfl_sync(~0u, group, 0);
    if (group > (tree.bodies - 1) / (32 * VT)) return;
    int which[VT];
    Pulled<Real> pulled[VT];
#pragma unroll
    for (int b = 0; b < VT; ++b) {
      const int place = min((group * VT + b) * 32 + lane, tree.bodies - 1);
      which[b] = has<On, sorting> ? tree.order[place] : place;
      const Point<Real> point = tree.points[which[b]];
      pulled[b] = {point.x, point.y, point.z};
    }
    unsigned pulls = 0, touched;
    if constexpr (together) {
      WarpStack<Real, On> stack{stacks[warp]};
      touched = walk<On>(tree, mac_distances2, &ballots[warp], stack, pulled, pulls);
    } else {
      ThreadStack<Real> stack;
      touched = walk<On>(tree, mac_distances2, nullptr, stack, pulled, pulls);
    }
#pragma unroll
    for (int b = 0; b < VT; ++b) {
      if ((group * VT + b) * 32 + lane >= tree.bodies) continue;
      bodies.acceleration_x[which[b]] = pulled[b].ax;
      bodies.acceleration_y[which[b]] = pulled[b].ay;
      bodies.acceleration_z[which[b]] = pulled[b].az;
      if constexpr (Counts) atomicAdd(&tree.tally->interactions, (unsigned long long)pulls);
    }
    if (Counts && lane == 0) count(tree.tally, touched);
  }
}

template <typename Tuning, typename Real>
void launch_force(const Tree<Real>& tree, const View<Real>& bodies, unsigned on, bool counts) {
  if (counts) {
    return launch<Tuning>(force_kernel<Real, switches_of_force, true, Tuning>, on, tree.bodies,
                          no_limit, tree, bodies);
  }
  choose<switches_of_force>(on, [&]<unsigned On>() {
    launch<Tuning>(force_kernel<Real, On, false, Tuning>, on, tree.bodies, no_limit, tree, bodies);
  });
}

}  // namespace barnes_hut::six
