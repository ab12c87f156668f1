// An octree that threads build together, each inserting bodies of its own: a place for a child is
// read without a lock, and changed under the lock of its cell.
//
//   LockedTree<float> tree(n);
//   tree.begin(cube.edge, pools);                    one thread; the others wait
//   tree.insert(body, keys, pool);                   all threads, a pool of cells each
//   tree.prepare(pool), barrier, tree.summarise(pool, add)
//
// A place holds a cell, or a list of bodies: no more than `leaf_bodies`, unless the cell is of the
// finest level. Which bodies a list has does not depend on who came first; their order does.
#pragma once
#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <mutex>
#include <vector>

#include "studies/barnes_hut/host/cube.h"

namespace barnes_hut {

// In single precision it is a line of the cache.
template <typename Real>
struct alignas(64) LockedCell {
  Real x, y, z, mass;  // its centre of mass
  std::atomic<int> places[8];
  int64_t cost;  // of its bodies
  int parent;
  uint8_t level;
  std::atomic<uint8_t> pending;  // cells in it that are not summarised
};

template <typename Real>
class LockedTree {
 public:
  static constexpr int leaf_bodies = 1;

  // The cells that a thread has made, and how many nodes its insertions touched, the body with them.
  struct Pool {
    std::vector<int> made, ready;
    int next = 0, end = 0, depth = 0;
    int touched_least = 1 << 30, touched_most = 0;
    int64_t touched = 0;
  };

  explicit LockedTree(int n) : blocks_(max_blocks), next_in_list_(n), locks_(lock_count) {}

  // What a place holds: nothing, a cell, or the first body of a list.
  static bool is_cell(int place) { return place > 0; }
  static int first_body(int place) { return place < 0 ? ~place : -1; }
  int next_body(int body) const { return next_in_list_[body]; }

  LockedCell<Real>& operator[](int cell) { return blocks_[cell / block][cell % block]; }
  const LockedCell<Real>& operator[](int cell) const { return blocks_[cell / block][cell % block]; }

  // Of a cell of this level.
  Real edge2(int level) const { return edges2_[level]; }

  void begin(double edge, std::vector<Pool>& pools) {
    for (int level = 0; level < key_levels; ++level) {
      edges2_[level] = Real(std::ldexp(edge, -level) * std::ldexp(edge, -level));
    }
    taken_ = 0;
    pools.assign(pools.size(), {});
    clear(make(pools[0]), 0, -1);
  }

  void insert(int body, const std::vector<uint64_t>& keys, Pool& pool) {
    int number = 0, touched = 2;  // the root, and the body
    for (;;) {
      LockedCell<Real>& cell = (*this)[number];
      std::atomic<int>& place = cell.places[octant(keys[body], cell.level)];
      int found = place.load(std::memory_order_acquire);
      if (!is_cell(found)) {
        const std::lock_guard<std::mutex> lock(locks_[number % lock_count]);
        found = place.load(std::memory_order_relaxed);
        if (!is_cell(found)) {
          if (cell.level + 1 == key_levels || shorter_than(leaf_bodies, found)) {
            put(body, place, std::memory_order_release);
            break;
          }
          found = split(number, found, keys, pool);
          place.store(found, std::memory_order_release);
        }
      }
      number = found;
      ++touched;
    }
    pool.touched += touched;
    pool.touched_least = std::min(pool.touched_least, touched);
    pool.touched_most = std::max(pool.touched_most, touched);
  }

  // Between these two all threads must have done the first.
  void prepare(Pool& pool) {
    for (const int number : pool.made) {
      uint8_t cells = 0;
      for (const auto& place : (*this)[number].places) cells += is_cell(place);
      (*this)[number].pending = cells;
      if (cells == 0) pool.ready.push_back(number);
    }
  }
  // `add(cell)` makes one of all in a cell. Who has done the last cell in another goes on with that:
  // nobody waits.
  template <typename Add>
  void summarise(const Pool& pool, const Add& add) {
    for (int number : pool.ready) {
      for (;;) {
        LockedCell<Real>& cell = (*this)[number];
        add(cell);
        number = cell.parent;
        if (number < 0 || (*this)[number].pending.fetch_sub(1) != 1) break;
      }
    }
  }

 private:
  static constexpr int block = 1 << 12, max_blocks = 1 << 19;  // cells are numbered by int
  static constexpr int lock_count = 1 << 12, at_once = 64;

  static int octant(uint64_t key, int level) {
    return int(key >> 3 * (key_levels - 1 - level) & 7);
  }
  bool shorter_than(int most, int place) const {
    int count = 0;
    for (int body = first_body(place); body >= 0; body = next_in_list_[body]) ++count;
    return count < most;
  }
  void put(int body, std::atomic<int>& place, std::memory_order order) {
    next_in_list_[body] = first_body(place.load(std::memory_order_relaxed));
    place.store(~body, order);
  }

  // A cell for the bodies of a list, that nobody sees yet.
  int split(int parent, int list, const std::vector<uint64_t>& keys, Pool& pool) {
    const int number = make(pool), level = (*this)[parent].level + 1;
    clear(number, level, parent);
    pool.depth = std::max(pool.depth, level);
    for (int body = first_body(list); body >= 0;) {
      const int next = next_in_list_[body];
      put(body, (*this)[number].places[octant(keys[body], level)], std::memory_order_relaxed);
      body = next;
    }
    return number;
  }

  int make(Pool& pool) {
    if (pool.next == pool.end) {
      const std::lock_guard<std::mutex> lock(taking_);
      pool.next = taken_, pool.end = taken_ += at_once;
      auto& last = blocks_[(taken_ - 1) / block];
      if (!last) last = std::make_unique<LockedCell<Real>[]>(block);
    }
    pool.made.push_back(pool.next);
    return pool.next++;
  }
  void clear(int number, int level, int parent) {
    LockedCell<Real>& cell = (*this)[number];
    cell.level = uint8_t(level), cell.parent = parent;
    for (auto& place : cell.places) place.store(0, std::memory_order_relaxed);
  }

  std::vector<std::unique_ptr<LockedCell<Real>[]>> blocks_;
  std::vector<int> next_in_list_;
  std::vector<std::mutex> locks_;  // cell c has lock c modulo their number
  std::mutex taking_;
  int taken_ = 0;
  Real edges2_[key_levels];
};

}  // namespace barnes_hut
