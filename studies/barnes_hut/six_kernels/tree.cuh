// The octree in arrays, and how threads of different blocks share it.
//
//   slots[8 c + o]   octant o of cell c: empty, locked, a body b, or the cell k as bodies + k
//   links[i]         node i of the walk: where its children begin, and whether it is a last child
//
// Cell 0 is the root. A cell of the deepest level is not divided: an octant of it holds a list of
// bodies, b, next[b], …, so that bodies at one place, or too close to tell apart, need no deeper
// tree. Kernel 4 lays the tree out once more for the walk: the children of a cell side by side, in
// the order of the octants, then the children of the first of them, and so on. A list is there a
// cell with as many children as it has bodies, unless all of them are at one place: then one body.
//
//       root                      nodes   root | A  b  C | d  e | f  g
//     A   b   C        ->         last       1   0  0  1   0  1   0  1
//    d e     f g                  first      1   4  0  6   0  0   0  0     (0: a body)
//
// Words that several blocks touch within a kernel are atomic: relaxed reads and writes, ordered by
// fences. What a kernel leaves, the next one reads as it likes.
#pragma once
#include <cmath>
#include <cstdint>
#include <cuda/atomic>

#include "studies/barnes_hut/six_kernels/switches.h"
#include "studies/barnes_hut/view.cuh"

namespace barnes_hut::six {

using nbody::Point;

constexpr int empty = -1, locked = -2;
template <typename Real>
constexpr int deepest = sizeof(Real) == 4 ? 32 : 60;  // level of a cell; the root's is 0
// Lists are a level below, their bodies two.
template <typename Real>
constexpr int levels = deepest<Real> + 3;

template <typename Real>
struct Root {
  Real x, y, z, half;  // the cube's centre, and half of its edge
};

struct Status {
  int cells;   // made so far, besides the root
  int full;    // there was no room for more of them
  int stuck;   // somebody waited for a cell that did not get ready
  int boxes;   // blocks of kernel 1 that are through
  int groups;  // of bodies that warps of kernel 5 have taken
};

// How many nodes an activity touches, over all activities.
struct Tally {
  unsigned long long activities, sum, min_off, most;  // min_off: how far below 2^63
  unsigned long long interactions;
};

// Two numbers that become known at once.
using Pair = unsigned long long;
constexpr Pair not_yet = ~0ull;
__host__ __device__ inline Pair pair(int first, int second) {
  return Pair(unsigned(first)) << 32 | unsigned(second);
}
__host__ __device__ inline int first_of(Pair both) { return int(both >> 32); }
__host__ __device__ inline int second_of(Pair both) { return int(unsigned(both)); }

template <typename Real>
struct Tree {
  int bodies, capacity;  // room for so many cells
  Real softening2, theta;
  Point<Real>* points;  // the bodies, in the order of the input
  int* next;            // of a body in a list
  int* order;           // the bodies, in the order of the walk

  int* slots;
  Pair* below;           // of a cell: bodies, nodes; not_yet before it is summed up
  Pair* starts;          // of a cell: its first body in `order`, its first child in `nodes`
  unsigned char* level;  // of a cell
  Point<Real>* centres;  // of mass, and the mass, of a cell

  Point<Real>* nodes;
  unsigned* links;
  // Of a node, the squared distance of the multipole acceptance criterion (MAC): from there on it is
  // accepted as one source. Null where recomputed.
  Real* mac_distances2;

  Root<Real>* root;
  Status* status;
  Tally* tally;
};

constexpr unsigned last_child = 1u << 31;

template <typename T>
using Word = cuda::atomic_ref<T, cuda::thread_scope_device>;
template <typename T>
__device__ T read(T& word) {
  return Word<T>(word).load(cuda::memory_order_relaxed);
}
template <typename T>
__device__ void write(T& word, T value) {
  Word<T>(word).store(value, cuda::memory_order_relaxed);
}
__device__ inline void fence() {
  cuda::atomic_thread_fence(cuda::memory_order_acq_rel, cuda::thread_scope_device);
}

// There is no tree to go on with.
template <typename Real>
__device__ bool failed(const Tree<Real>& tree) {
  return tree.status->full || read(tree.status->stuck);
}

// A cell's octants, once the tree is built.
struct alignas(16) Octants {
  int at[8];
};
template <typename Real>
__device__ Octants octants_of(const Tree<Real>& tree, int cell) {
  return *reinterpret_cast<const Octants*>(tree.slots + 8 * size_t(cell));
}

// A wait is over after so many looks, some seconds: whoever was to come does not.
constexpr int max_looks = 1 << 23;

// A cube on the way down.
template <typename Real>
struct Cube {
  Real x, y, z, half;
  __device__ explicit Cube(const Root<Real>& root)
      : x(root.x), y(root.y), z(root.z), half(root.half) {}
  __device__ int octant(const Point<Real>& p) const {
    return (x < p.x) | (y < p.y) << 1 | (z < p.z) << 2;
  }
  __device__ void enter(int octant) {
    half /= 2;
    x += octant & 1 ? half : -half;
    y += octant & 2 ? half : -half;
    z += octant & 4 ? half : -half;
  }
};

// The squared and softened distance beyond which a cell of this level is taken as one. Its bodies
// may lie apart by some roundings of the coordinates even where its edge is less.
template <typename Real>
__device__ Real mac_distance2_of(const Tree<Real>& tree, int level) {
  if (tree.theta == 0) return INFINITY;
  const Root<Real> root = *tree.root;
  constexpr Real rounding = sizeof(Real) == 4 ? Real(0x1p-21) : Real(0x1p-50);
  const Real farthest = max(abs(root.x), max(abs(root.y), abs(root.z))) + root.half;
  const Real edge = max(ldexp(root.half, 1 - level), rounding * farthest) / tree.theta;
  return edge * edge + tree.softening2;
}

// Bodies, or cells, as one.
template <typename Real>
struct Sum {
  Real x = 0, y = 0, z = 0, mass = 0;
  __device__ void add(const Point<Real>& p) {
    x += p.mass * p.x, y += p.mass * p.y, z += p.mass * p.z;
    mass += p.mass;
  }
  // `some` of them, for the place where none has mass.
  __device__ Point<Real> centre(const Point<Real>& some) const {
    if (!(mass > 0)) return {some.x, some.y, some.z, mass};
    return {x / mass, y / mass, z / mass, mass};
  }
};

// A list of bodies in an octant of a deepest cell; mostly of one.
template <typename Real>
struct List {
  Point<Real> centre;
  int bodies = 0;
  bool one_place = true;

  __device__ List(const Tree<Real>& tree, int head) {
    const Point<Real> first = tree.points[head];
    Sum<Real> sum;
    for (int body = head; body != empty; body = tree.next[body]) {
      const Point<Real> p = tree.points[body];
      sum.add(p);
      one_place = one_place && p.x == first.x && p.y == first.y && p.z == first.z;
      ++bodies;
    }
    centre = one_place ? Point<Real>{first.x, first.y, first.z, sum.mass} : sum.centre(first);
  }
  // In the layout for the walk: itself, and its bodies.
  __device__ int nodes() const { return one_place ? 1 : 1 + bodies; }
};

__device__ inline void count(Tally* tally, unsigned touched) {
  atomicAdd(&tally->activities, 1ull);
  atomicAdd(&tally->sum, (unsigned long long)touched);
  atomicMax(&tally->most, (unsigned long long)touched);
  atomicMax(&tally->min_off, (1ull << 63) - touched);
}

}  // namespace barnes_hut::six
