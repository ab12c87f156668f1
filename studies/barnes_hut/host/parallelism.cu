// See parallelism.h: an octree that grows by rounds, and what its shape says of the other kernels.
#include <algorithm>
#include <array>

#include "studies/barnes_hut/host/cube.h"
#include "studies/barnes_hut/host/parallelism.h"

namespace barnes_hut {

namespace {

// A place for a child holds nothing, a cell, or a body (the first of those that no level parts).
class GrowingTree {
 public:
  explicit GrowingTree(const Bodies& bodies) {
    Box<double> box;
    for (const auto& body : bodies) box.include(body.x, body.y, body.z);
    const Cube cube = cube_around(box);
    for (const auto& body : bodies) keys_.push_back(cube.key(body.x, body.y, body.z));
    cells_.push_back({});
    before_.resize(bodies.size());
    for (size_t body = 0; body < bodies.size(); ++body) waiting_.push_back(int(body));
  }

  std::vector<int64_t> grow() {
    std::vector<int64_t> inserted;
    for (int round = 1; !waiting_.empty(); ++round) inserted.push_back(insert_some(round));
    return inserted;
  }

  // How many cells there are of each height, and of each level.
  std::vector<int64_t> heights() const {
    std::vector<int> height(cells_.size(), 1);
    std::vector<int64_t> count;
    for (size_t c = cells_.size(); c-- > 0;) {  // children come after their parents
      for (const int place : cells_[c].places) {
        if (is_cell(place)) height[c] = std::max(height[c], height[place] + 1);
      }
      add_one(count, height[c] - 1);
    }
    return count;
  }
  std::vector<int64_t> levels() const {
    std::vector<int64_t> count;
    for (const Cell& cell : cells_) add_one(count, cell.level);
    return count;
  }

 private:
  struct Cell {
    int level = 0;
    std::array<int, 8> places{};
    std::array<int, 8> taken{};  // in which round a body went in
  };

  static bool is_cell(int place) { return place > 0; }
  static void add_one(std::vector<int64_t>& count, int which) {
    if (int(count.size()) <= which) count.resize(which + 1);
    ++count[which];
  }
  int octant(int body, int level) const {
    return int(keys_[body] >> 3 * (key_levels - 1 - level) & 7);
  }

  // Who goes in is settled before anyone does: all see the tree as the round found it.
  int64_t insert_some(int round) {
    std::vector<int> chosen, left;
    for (const int body : waiting_) {
      int& c = before_[body];
      while (is_cell(cells_[c].places[octant(body, cells_[c].level)])) {
        c = cells_[c].places[octant(body, cells_[c].level)];
      }
      Cell& cell = cells_[c];
      const int place = octant(body, cell.level);
      const bool joins_list = cell.level + 1 == key_levels && cell.places[place] != 0;
      if (!joins_list && cell.taken[place] == round) {
        left.push_back(body);
      } else {
        cell.taken[place] = round;
        chosen.push_back(body);
      }
    }
    for (const int body : chosen) insert(body, before_[body]);
    waiting_.swap(left);
    return int64_t(chosen.size());
  }

  void insert(int body, int c) {
    for (;;) {
      const int level = cells_[c].level, place = cells_[c].places[octant(body, level)];
      if (place == 0) {
        cells_[c].places[octant(body, level)] = ~body;
        return;
      }
      if (level + 1 == key_levels) return;  // on the list of the body that is there
      const int other = ~place, created = int(cells_.size());
      cells_.push_back({level + 1, {}, {}});
      cells_[created].places[octant(other, level + 1)] = ~other;
      cells_[c].places[octant(body, level)] = created;
      c = created;
    }
  }

  std::vector<uint64_t> keys_;
  std::vector<Cell> cells_;
  std::vector<int> before_, waiting_;  // the deepest cell that a body stands before; who is not in
};

std::vector<int64_t> joints(int64_t n) {
  std::vector<int64_t> count;
  for (; n > 1; n -= n / 2) count.push_back(n / 2);
  return count;
}

}  // namespace

std::vector<Rounds> parallelism(const Bodies& bodies) {
  const int64_t n = int64_t(bodies.size());
  GrowingTree tree(bodies);
  const std::vector<int64_t> inserted = tree.grow();
  return {{"bounding box", joints(n)}, {"build tree", inserted}, {"summarise", tree.heights()},
          {"sort", tree.levels()},     {"force", {n}},           {"advance", {n}}};
}

}  // namespace barnes_hut
