// The cube around all bodies, and where in it a body lies: its Morton key, the bits of the three
// coordinates by turns, of which each 3 say the octant of one level of the tree.
//
//   Cube cube = cube_around(box);             // {corner, edge}
//   cube.key(x, y, z)                         // 63 bits: levels 1 to 21, the coarsest first
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "studies/barnes_hut/barnes_hut.h"

namespace barnes_hut {

constexpr int key_levels = 21;

template <typename Real>
struct Box {
  Real least[3] = {INFINITY, INFINITY, INFINITY}, most[3] = {-INFINITY, -INFINITY, -INFINITY};

  void include(Real x, Real y, Real z) {
    least[0] = std::min(least[0], x), most[0] = std::max(most[0], x);
    least[1] = std::min(least[1], y), most[1] = std::max(most[1], y);
    least[2] = std::min(least[2], z), most[2] = std::max(most[2], z);
  }
  void include(const Box& box) {
    for (int axis = 0; axis < 3; ++axis) {
      least[axis] = std::min(least[axis], box.least[axis]);
      most[axis] = std::max(most[axis], box.most[axis]);
    }
  }
};

// Two zeros before each of 21 bits.
inline uint64_t spread(uint64_t bits) {
  bits = (bits | bits << 32) & 0x001f00000000ffff;
  bits = (bits | bits << 16) & 0x001f0000ff0000ff;
  bits = (bits | bits << 8) & 0x100f00f00f00f00f;
  bits = (bits | bits << 4) & 0x10c30c30c30c30c3;
  return (bits | bits << 2) & 0x1249249249249249;
}

struct Cube {
  double corner[3], edge;
  double per_edge;  // cells of the finest level a length; 0 where all bodies are at one place

  uint64_t key(double x, double y, double z) const {
    return spread(cell(x, 0)) << 2 | spread(cell(y, 1)) << 1 | spread(cell(z, 2));
  }

 private:
  uint64_t cell(double coordinate, int axis) const {
    constexpr double most = (1 << key_levels) - 1;
    return uint64_t(std::min(most, (coordinate - corner[axis]) * per_edge));
  }
};

template <typename Real>
Cube cube_around(const Box<Real>& box) {
  Cube cube{{box.least[0], box.least[1], box.least[2]}, 0, 0};
  for (int axis = 0; axis < 3; ++axis) {
    cube.edge = std::max(cube.edge, double(box.most[axis]) - double(box.least[axis]));
  }
  if (!std::isfinite(cube.edge)) {
    throw Failure("a body is at no finite place any more: shorten the step, or soften more");
  }
  const double per_edge = (1 << key_levels) / cube.edge;
  if (std::isfinite(per_edge)) cube.per_edge = per_edge;
  return cube;
}

}  // namespace barnes_hut
