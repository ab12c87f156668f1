// The pulls on all bodies, group by group: a group is a range of neighbouring cells of one parent,
// of no more than `group_bodies`; its bodies share one list of what pulls them, which vectors go
// through (pulls.h).
//
// What a cell of edge l is to a group follows from the distance d of its centre of mass from the
// nearest and the farthest place in the box around the group's bodies:
//
//   l < theta d even where d is least    taken as one by all of them: onto the list
//   l >= theta d even where d is most    taken apart by all
//   else                                 some would take it as one: a smaller group decides
//
// so a walk begins with a large group and hands down to its parts what is on its list and what is
// undecided. The last group takes apart what it cannot take as one: no body takes a cell as one
// that it would not have taken alone, and the error is no larger than with each walking alone.
#pragma once
#include <vector>

#include "studies/barnes_hut/host/candidates.h"
#include "studies/barnes_hut/host/pulls.h"
#include "studies/barnes_hut/host/sorted_cells.h"

namespace barnes_hut {

// Bodies [first, first + bodies): those of the cells [begin, end), which have one parent, or some
// of those of one leaf.
struct Group {
  int begin, end, first, bodies;
  int around;  // the bodies of that parent
};

template <typename Real>
class GroupWalk {
 public:
  static constexpr int group_bodies = 96;
  // A group with less than this part of the bodies in the cell that it was cut from is far too wide
  // for them: its bodies walk alone.
  static constexpr int scattered = 64;

  // What a thread has done.
  struct Work {
    double pulls = 0, groups = 0, sum = 0, least = INFINITY, most = 0;  // nodes on a group's list
  };

  GroupWalk(const SortedCells<Real>& tree, HostState<Real>& state, const Physics& physics)
      : tree_(tree),
        state_(state),
        theta2_(Real(physics.theta * physics.theta)),
        softening2_(Real(physics.softening) * Real(physics.softening)) {}

  // Groups that can walk on their own, of some `bodies` each.
  static std::vector<Group> cut(const SortedCells<Real>& tree, int bodies) {
    std::vector<Group> groups;
    cut(tree, {0, 1, 0, tree.cells[0].bodies, tree.cells[0].bodies}, std::max(bodies, group_bodies),
        groups);
    return groups;
  }

  void operator()(const Group& group) {
    list_.size = 0;
    undecided_.size = 0;
    undecided_.add(tree_.places, 0, 1);
    walk(group, 0, 1);
  }
  const Work& work() const { return work_; }

 private:
  // The parts of a group of no more than `most` bodies each, unless a cell has more.
  template <typename Part>
  static void part(const SortedCells<Real>& tree, const Group& group, int most, const Part& work) {
    Group part = group;
    if (group.end - group.begin == 1) {
      const auto& cell = tree.cells[group.begin];
      part = {cell.first_child, cell.first_child + cell.children, group.first, group.bodies,
              group.bodies};
    }
    for (int next = part.begin; next < part.end;) {
      Group run{next, next + 1, tree.cells[next].first_body, tree.cells[next].bodies, part.around};
      for (++next; next < part.end && run.bodies + tree.cells[next].bodies <= most; ++next) {
        run.end = next + 1, run.bodies += tree.cells[next].bodies;
      }
      work(run);
    }
  }
  static bool is_leaf(const SortedCells<Real>& tree, const Group& group) {
    return group.end - group.begin == 1 && tree.cells[group.begin].children == 0;
  }

  static void cut(const SortedCells<Real>& tree, const Group& group, int bodies,
                  std::vector<Group>& groups) {
    if (group.bodies <= bodies) {
      groups.push_back(group);
    } else if (is_leaf(tree, group)) {
      for (int first = 0; first < group.bodies; first += bodies) {
        groups.push_back({group.begin, group.end, group.first + first,
                          std::min(bodies, group.bodies - first), 0});
      }
    } else {
      part(tree, group, bodies, [&](const Group& each) { cut(tree, each, bodies, groups); });
    }
  }

  // What is undecided for the larger group lies in undecided_[begin, end).
  void walk(const Group& group, size_t begin, size_t end) {
    const size_t listed = list_.size;
    Box<Real> box = tree_.boxes[group.begin];
    for (int cell = group.begin + 1; cell < group.end; ++cell) box.include(tree_.boxes[cell]);
    decide({box, theta2_, false}, begin, end);
    const size_t decided = undecided_.size;
    if (group.bodies > group_bodies && !is_leaf(tree_, group)) {
      const int most = std::max(group_bodies, group.bodies / 4);
      part(tree_, group, most, [&](const Group& each) { walk(each, end, decided); });
    } else if (group.bodies > 1 && int64_t(group.bodies) * scattered < group.around) {
      for (int i = group.first; i < group.first + group.bodies; ++i) {
        Box<Real> place;
        place.include(state_.x[i], state_.y[i], state_.z[i]);
        finish(place, i, 1, end, decided);
      }
    } else {
      finish(box, group.first, group.bodies, end, decided);
    }
    undecided_.size = end;
    list_.size = listed;
  }

  void finish(const Box<Real>& box, int first, int bodies, size_t begin, size_t end) {
    const size_t listed = list_.size;
    decide({box, theta2_, true}, begin, end);
    pull(first, bodies);
    list_.size = listed;
  }

  // Of undecided_[begin, end), onto the list or to the end of undecided_.
  void decide(const Decision<Real>& decision, size_t begin, size_t end) {
    const Results<Real> results{list_, undecided_, open_};
    barnes_hut::decide(decision, undecided_, begin, end, results);
    while (!open_.empty()) {
      children_.size = 0;
      for (const int c : open_) {
        const SortedCell& cell = tree_.cells[c];
        if (cell.children == 0) {
          add_bodies(cell);
        } else {
          children_.add(tree_.places, cell.first_child, cell.children);
        }
      }
      open_.clear();
      barnes_hut::decide(decision, children_, 0, children_.size, results);
    }
  }

  void add_bodies(const SortedCell& leaf) {
    list_.reserve(leaf.bodies);
    for (int i = leaf.first_body; i < leaf.first_body + leaf.bodies; ++i) {
      list_.add(state_.x[i], state_.y[i], state_.z[i], state_.mass[i]);
    }
  }

  void pull(int first, int bodies) {
    set_pulls(list_, softening2_,
              {&state_.x[first], &state_.y[first], &state_.z[first], &state_.acceleration_x[first],
               &state_.acceleration_y[first], &state_.acceleration_z[first], size_t(bodies)});
    const double nodes = double(list_.size);
    work_.pulls += nodes * bodies, work_.groups += 1, work_.sum += nodes;
    work_.least = std::min(work_.least, nodes), work_.most = std::max(work_.most, nodes);
  }

  const SortedCells<Real>& tree_;
  HostState<Real>& state_;
  Real theta2_, softening2_;
  List<Real> list_;
  Candidates<Real> undecided_, children_;
  std::vector<int> open_;
  Work work_;
};

}  // namespace barnes_hut
