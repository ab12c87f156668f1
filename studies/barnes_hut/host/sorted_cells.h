// An octree over sorted keys: a cell is a range of bodies whose keys begin alike, and its children
// are the ranges that the next digit parts. A cell with one child only would be its child with a
// longer edge; there is none, so that n bodies have fewer than 2 n cells.
//
//   SortedCells<float> tree;
//   tree.build(keys, cube.edge);              // level by level: children after their parents, in order
//   tree.summarise(state);                    // masses, centres and boxes, from the deepest level up
//   tree.cells[0]                             {children 1 … 8, bodies 0 … n}
//   tree.places.x[0], tree.places.mass[0]     its centre of mass, and all its mass
//
// A cell of no more than `leaf_bodies`, or whose bodies have one key, is a leaf: it has bodies instead.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "studies/barnes_hut/host/cube.h"
#include "studies/barnes_hut/host/state.h"

namespace barnes_hut {

struct SortedCell {
  int first_child, children;  // none: a leaf
  int first_body, bodies;
};

// What decides whether a cell is taken as one, and what it pulls with; arrays, for vectors.
template <typename Real>
struct CellPlaces {
  static constexpr size_t slack = 8;  // as many as there are children can always be read

  std::array<std::vector<Real>*, 5> all() { return {&x, &y, &z, &mass, &edge2}; }
  void resize(size_t count) {
    for (auto* array : all()) array->resize(count + slack);
  }
  size_t size() const { return x.empty() ? 0 : x.size() - slack; }

  std::vector<Real> x, y, z, mass, edge2;  // of the centre of mass; the edge squared
};

template <typename Real>
class SortedCells {
 public:
  static constexpr int leaf_bodies = 16;

  void build(const std::vector<uint64_t>& keys, double edge) {
    levels_ = {0, 1};
    reserve(1);
    set(0, keys, edge, 0, int(keys.size()));
    while (levels_.back() > levels_[levels_.size() - 2]) add_level(keys, edge);
    levels_.pop_back();
  }

  void summarise(const HostState<Real>& state) {
    for (size_t level = levels_.size() - 1; level-- > 0;) {
#pragma omp parallel for schedule(static, 64)
      for (int c = levels_[level]; c < levels_[level + 1]; ++c) summarise(state, c);
    }
  }

  int count() const { return levels_.back(); }
  int depth() const { return int(levels_.size()) - 2; }

  std::vector<SortedCell> cells;
  CellPlaces<Real> places;
  std::vector<Box<Real>> boxes;  // of the bodies of each cell, as tight as they allow

 private:
  void reserve(size_t count) {
    if (count <= cells.size()) return;
    cells.resize(count + count / 2);
    places.resize(cells.size());
    boxes.resize(cells.size());
  }

  // Which of its levels the keys from `first` on have in common.
  static int level_of(const std::vector<uint64_t>& keys, int first, int last) {
    const uint64_t differ = keys[first] ^ keys[last - 1];
    return differ ? (std::countl_zero(differ) - 1) / 3 : key_levels;
  }
  void set(int c, const std::vector<uint64_t>& keys, double edge, int first, int last) {
    const double own = std::ldexp(edge, -level_of(keys, first, last));
    cells[c] = {0, 0, first, last - first};
    places.edge2[c] = Real(own * own);
  }

  // Calls what is given with the ranges of bodies of the children, one after the other.
  template <typename Child>
  static void part(const std::vector<uint64_t>& keys, const SortedCell& cell, const Child& child) {
    int first = cell.first_body;
    const int end = first + cell.bodies, level = level_of(keys, first, end);
    if (cell.bodies <= leaf_bodies || level == key_levels) return;
    const int shift = 3 * (key_levels - 1 - level);
    while (first < end) {
      // Keys below this one have the same first digits.
      const uint64_t beyond = (keys[first] >> shift) + 1;
      const auto last = std::partition_point(keys.begin() + first, keys.begin() + end,
                                             [=](uint64_t key) { return key >> shift < beyond; });
      child(first, int(last - keys.begin()));
      first = int(last - keys.begin());
    }
  }

  void add_level(const std::vector<uint64_t>& keys, double edge) {
    const int begin = levels_[levels_.size() - 2], end = levels_.back();
#pragma omp parallel for schedule(static, 64)
    for (int c = begin; c < end; ++c) {
      int children = 0;
      part(keys, cells[c], [&](int, int) { ++children; });
      cells[c].children = children;
    }
    int next = end;
    for (int c = begin; c < end; ++c) {
      cells[c].first_child = next;
      next += cells[c].children;
    }
    reserve(next);
#pragma omp parallel for schedule(static, 64)
    for (int c = begin; c < end; ++c) {
      int child = cells[c].first_child;
      part(keys, cells[c], [&](int first, int last) { set(child++, keys, edge, first, last); });
    }
    levels_.push_back(next);
  }

  // In double precision: a sum of many bodies would lose the small ones.
  void summarise(const HostState<Real>& state, int c) {
    const SortedCell& cell = cells[c];
    Box<Real>& box = boxes[c] = {};
    double x = 0, y = 0, z = 0, mass = 0;
    const auto add = [&](double its_mass, double at_x, double at_y, double at_z) {
      x += its_mass * at_x, y += its_mass * at_y, z += its_mass * at_z, mass += its_mass;
    };
    for (int child = cell.first_child; child < cell.first_child + cell.children; ++child) {
      add(places.mass[child], places.x[child], places.y[child], places.z[child]);
      box.include(boxes[child]);
    }
    if (cell.children == 0) {
      for (int i = cell.first_body; i < cell.first_body + cell.bodies; ++i) {
        add(state.mass[i], state.x[i], state.y[i], state.z[i]);
        box.include(state.x[i], state.y[i], state.z[i]);
      }
    }
    const auto within = [&](double centre, int axis) {
      // Bodies at one place have their centre there, not where rounding puts it; bodies without
      // mass pull nothing, from anywhere.
      return std::clamp(Real(mass == 0 ? 0 : centre / mass), box.least[axis], box.most[axis]);
    };
    places.x[c] = within(x, 0), places.y[c] = within(y, 1);
    places.z[c] = within(z, 2);
    places.mass[c] = Real(mass);
  }

  std::vector<int> levels_;  // where each begins, and where the last ends
};

}  // namespace barnes_hut
