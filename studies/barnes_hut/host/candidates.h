// Cells of which some group may take each as one, side by side for vectors, and what comes of them
// for one group: see group_walk.h.
//
//   candidates.add(tree.places, cell.first_child, cell.children);
//   decide({box, theta2, last}, candidates, 0, candidates.size, {list, undecided, open});
//
// Every candidate comes out in one of the three, in its order.
#pragma once
#include <algorithm>
#include <vector>

#include "studies/barnes_hut/host/pulls.h"
#include "studies/barnes_hut/host/sorted_cells.h"

namespace barnes_hut {

template <typename Real>
class Candidates {
 public:
  Candidates() { reserve(4096); }
  void reserve(size_t more) {
    const size_t enough = size + more + CellPlaces<Real>::slack;
    if (enough <= cell.size()) return;
    for (auto* array : {&x, &y, &z, &mass, &edge2}) array->resize(2 * enough);
    cell.resize(2 * enough);
  }
  // Of `places`, as many as 8 from `first` on.
  void add(const CellPlaces<Real>& places, int first, int count) {
    reserve(count);
    const auto copy = [&](const std::vector<Real>& from, std::vector<Real>& to) {
      std::copy_n(from.data() + first, CellPlaces<Real>::slack, to.data() + size);
    };
    copy(places.x, x), copy(places.y, y), copy(places.z, z);
    copy(places.mass, mass), copy(places.edge2, edge2);
    for (int child = 0; child < int(CellPlaces<Real>::slack); ++child) {
      cell[size + child] = first + child;
    }
    size += count;
  }

  size_t size = 0;
  std::vector<Real> x, y, z, mass, edge2;
  std::vector<int> cell;
};

template <typename Real>
struct Decision {
  Box<Real> box;  // of the group
  Real theta2;
  bool last;  // nothing may stay undecided
};

template <typename Real>
struct Results {
  List<Real>& list;
  Candidates<Real>& undecided;
  std::vector<int>& open;
};

// Of the candidates [begin, end), which may be of `undecided` itself.
void decide(const Decision<float>& decision, const Candidates<float>& candidates, size_t begin,
            size_t end, const Results<float>& results);
void decide(const Decision<double>& decision, const Candidates<double>& candidates, size_t begin,
            size_t end, const Results<double>& results);

}  // namespace barnes_hut
