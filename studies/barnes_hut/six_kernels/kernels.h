// The six kernels as the solver calls them; each has a file of its own, and is launched with the
// switches that are on (switches.h). All are asynchronous on the default stream.
//
//   bounding_box(tree, bodies, on);     // 1  the root's cube; bodies as points
//   build(tree, on, false);             // 2  the octree
//   summarise(tree, on);                // 3  masses and centres of mass, from the bottom up
//   sort(tree, on);                     // 4  bodies and cells in the order of space, from the top
//   force(tree, bodies, on, false);     // 5  accelerations
//   advance(bodies, kick, drift, on);   // 6  velocities and places
#pragma once
#include "studies/barnes_hut/six_kernels/launch.h"
#include "studies/barnes_hut/six_kernels/tree.cuh"

namespace barnes_hut::six {

// The most blocks of kernel 1, each of which leaves a box behind the root: two points.
constexpr int max_boxes = 4096;

template <typename Real>
void bounding_box(const Tree<Real>& tree, const View<Real>& bodies, unsigned on);
// `counts`: what the activities touch goes to tree.tally.
template <typename Real>
void build(const Tree<Real>& tree, unsigned on, bool counts);
template <typename Real>
void summarise(const Tree<Real>& tree, unsigned on);
template <typename Real>
void sort(const Tree<Real>& tree, unsigned on);
// Kernel 5 is compiled twice: one body a lane, and several. Many is what gives the device enough
// warps even so.
template <typename Real>
void force_of_few(const Tree<Real>& tree, const View<Real>& bodies, unsigned on, bool counts);
template <typename Real>
void force_of_many(const Tree<Real>& tree, const View<Real>& bodies, unsigned on, bool counts);
inline bool are_many(int bodies) { return bodies / 3072 >= multiprocessors(); }
template <typename Real>
void force(const Tree<Real>& tree, const View<Real>& bodies, unsigned on, bool counts) {
  const auto kernel = are_many(bodies.n) ? force_of_many<Real> : force_of_few<Real>;
  kernel(tree, bodies, on, counts);
}
template <typename Real>
void advance(const View<Real>& bodies, double kick, double drift, unsigned on);

}  // namespace barnes_hut::six
