// The tree over bodies in the order of their keys, and the kernels that make it and use it, in the
// order in which a step launches them:
//
//   box.cu      corners of the bodies
//   keys.cu     where each body lies on a curve through the cube: 21 octal digits
//   sort.cu     bodies in the order of their keys
//   cells.cu    cells: bodies whose keys begin with the same digits
//   moments.cu  mass and centre of each cell, from the leaves up
//   walk.cu     accelerations: groups of neighbouring bodies walk the tree together
//   advance.cu  velocities and places
//
// A cell of more than leaf_bodies bodies is divided by the next digit, unless there is none; a leaf
// of the last level holds any number. Siblings lie side by side, so a divided cell is the number of
// its first child and their count; a leaf is the number of its first body and their count.
#pragma once
#include "studies/barnes_hut/barnes_hut.h"
#include "studies/common/buffer.h"

namespace barnes_hut::sorted {

constexpr int levels = 21;  // below the root: the digits of a key
constexpr int leaf_bodies = 16;

using Key = unsigned long long;
template <typename Real>
using Place = nbody::Point<Real>;

// What travels with a body's place. `origin` is its number in the bodies given at first.
template <typename Real>
struct alignas(4 * sizeof(Real)) Motion {
  Real x, y, z;
  int origin;
};

// Corners as integers in the order of the numbers, the upper ones inverted: all are least values,
// and all bits set is where the search for them begins.
template <typename Real>
struct Corners {
  using Bits = unsigned long long;
  Bits lower[3], upper[3];
};

struct alignas(16) Cell {
  // The multipole acceptance criterion (MAC): farther away than this a cell is accepted as one source
  // and not opened. A single body always is: -1.
  float mac_distance;
  unsigned first;
  unsigned count_leaf;  // twice the count, and 1 for a leaf
  unsigned parent;      // which of the divided cells

  __host__ __device__ unsigned count() const { return count_leaf / 2; }
  __host__ __device__ bool leaf() const { return count_leaf & 1; }
};
constexpr unsigned no_parent = ~0u;

// How the mass of a cell is spread around its centre: three times its second moments,
// 3 sum m d d^T, and half of their trace. For a pull of the second order, see walk.cu.
template <typename Real>
struct alignas(4 * sizeof(Real)) Shape {
  Real xx, xy, xz, yy, yz, zz, half_trace, unused;
};

struct Divided {
  int first_body, level;
};

struct Counts {
  unsigned divided, cells;
};

// What a group of bodies met on its way: cells and bodies of leaves that it looked at; what pulled
// each of its bodies; and cells that pulled the group as a whole.
struct Met {
  unsigned cells, bodies, points, shapes, distant;
};

// Pointers for kernels.
template <typename Real>
struct Tree {
  int n;
  Real theta, softening2;
  Corners<Real>* corners;
  Key* keys;
  Place<Real>* places;
  Motion<Real>* motions;
  Counts* counts;
  unsigned* first_divided;      // of the cells that begin with a body
  Divided* divided;             // and, for each of those:
  unsigned* children;           //   eight times the first child, and their count less one
  unsigned* place_of_divided;   //   its number among all cells
  unsigned* finished_children;  //   how many of its children have moments
  Cell* cells;
  Place<Real>* centres;  // of mass, of each cell
  Shape<Real>* shapes;   // null where cells pull as points
  Real *acceleration_x, *acceleration_y, *acceleration_z;
  Met* met;
};

// How many cells there can be, whatever the bodies: a level divides cells of more than leaf_bodies
// bodies only, and every leaf holds a body.
inline size_t max_divided(size_t n) { return n / (leaf_bodies + 1) * levels + 1; }
inline size_t max_cells(size_t n) { return max_divided(n) + n; }

#ifdef __CUDACC__
// The digits that two keys begin with alike.
__device__ inline int common_digits(Key a, Key b) { return (__clzll(a ^ b) - 1) / 3; }
// Of a body's key with that of the body before: the cells that begin with it are on deeper levels.
__device__ inline int digits_before(const Key* keys, int body) {
  return body == 0 ? -1 : common_digits(keys[body - 1], keys[body]);
}
#endif

constexpr int block_size = 256;
// Blocks that a grid needs at most where its threads go on to further items.
constexpr int max_blocks = 132 * 16;

template <typename Real>
void find_corners(const Tree<Real>& tree);
template <typename Real>
void make_keys(const Tree<Real>& tree, Key* keys, unsigned* bodies);

// Orders keys, and the bodies' numbers with them.
class Sort {
 public:
  explicit Sort(int n);
  // Where the keys to be sorted are written, each with its body.
  Key* keys() { return keys_.data(); }
  unsigned* bodies() { return bodies_.data(); }
  void run();
  Key* sorted_keys() const { return sorted_keys_.data(); }
  const unsigned* order() const { return order_.data(); }

 private:
  int n_;
  study::DeviceBuffer<Key> keys_, sorted_keys_;
  study::DeviceBuffer<unsigned> bodies_, order_;
  size_t bytes_;
  study::DeviceBuffer<char> storage_;
};

template <typename Real>
void gather(int n, const unsigned* order, const Place<Real>* places, const Motion<Real>* motions,
            Place<Real>* places_in_order, Motion<Real>* motions_in_order);
template <typename Real>
void divide_cells(const Tree<Real>& tree);
template <typename Real>
void find_moments(const Tree<Real>& tree);
template <typename Real>
void walk(const Tree<Real>& tree);
template <typename Real>
int bodies_in_group();
template <typename Real>
void advance(const Tree<Real>& tree, Real kick, Real drift);

}  // namespace barnes_hut::sorted
