// The baseline on the host: Barnes–Hut by all cores and their vectors, as good as we can. Bodies are
// sorted by Morton keys (radix_sort.h), the tree lies over the sorted keys (sorted_cells.h), and
// groups of neighbours share one walk and one list of what pulls them (group_walk.h). Threads are
// OpenMP's; the outcome does not depend on their number.
#include <omp.h>

#include "studies/barnes_hut/host/group_walk.h"
#include "studies/barnes_hut/host/radix_sort.h"

namespace barnes_hut {

namespace {

template <typename Real>
class OpenMp : public Solver {
 public:
  OpenMp(const Bodies& bodies, const Physics& physics)
      : physics_(physics), state_(bodies), keys_(bodies.size()), sort_(int(bodies.size())) {}

  void accelerate(Clock& clock) override {
    const Cube cube = cube_around(box());
    clock.mark("bounding box");
    sort(cube);
    clock.mark("sort");
    tree_.build(keys_, cube.edge);
    clock.mark("build tree");
    tree_.summarise(state_);
    clock.mark("summarise");
    pull();
    clock.mark("force");
  }

  void advance(double kick, double drift, Clock& clock) override {
#pragma omp parallel
    {
      const Share share = own_share();
      state_.advance(share.first, share.last, Real(kick), Real(drift));
    }
    clock.mark("advance");
  }

  std::vector<double> accelerations() override { return state_.accelerations(); }
  Bodies state() override { return state_.bodies(); }

  TreeFacts facts() override {
    TreeFacts facts;
    facts.cells = tree_.count();
    facts.depth = tree_.depth();
    facts.children_per_cell = (double(tree_.count()) - 1 + state_.size()) / tree_.count();
    facts.interactions = work_.pulls;
    facts.touched = {{"force", work_.least, work_.sum / work_.groups, work_.most}};
    return facts;
  }

 private:
  using Work = typename GroupWalk<Real>::Work;

  Share own_share() const {
    return share_of(state_.size(), omp_get_thread_num(), omp_get_num_threads());
  }

  Box<Real> box() const {
    const int n = state_.size();
    Box<Real> whole;
#pragma omp parallel
    {
      Box<Real> own;
#pragma omp for nowait
      for (int i = 0; i < n; ++i) own.include(state_.x[i], state_.y[i], state_.z[i]);
#pragma omp critical
      whole.include(own);
    }
    return whole;
  }

  void sort(const Cube& cube) {
    const int n = state_.size();
#pragma omp parallel for
    for (int i = 0; i < n; ++i) keys_[i] = cube.key(state_.x[i], state_.y[i], state_.z[i]);
    sort_(keys_);
#pragma omp parallel
    {
      const Share share = own_share();
      state_.gather(sort_.order(), share.first, share.last);
    }
    state_.take_gathered();
  }

  void pull() {
    // Groups enough that no thread waits long for another, whatever their number.
    const int bodies = std::min(state_.size() / 512, 4096);
    const std::vector<Group> groups = GroupWalk<Real>::cut(tree_, bodies);
    work_ = {};
#pragma omp parallel
    {
      GroupWalk<Real> walk(tree_, state_, physics_);
#pragma omp for schedule(dynamic)
      for (size_t g = 0; g < groups.size(); ++g) walk(groups[g]);
#pragma omp critical
      add(walk.work());
    }
  }

  void add(const Work& more) {
    work_.pulls += more.pulls, work_.groups += more.groups, work_.sum += more.sum;
    work_.least = std::min(work_.least, more.least);
    work_.most = std::max(work_.most, more.most);
  }

  Physics physics_;
  HostState<Real> state_;
  std::vector<uint64_t> keys_;
  RadixSort sort_;
  SortedCells<Real> tree_;
  Work work_;
};

template <typename Real>
std::unique_ptr<Solver> make(const Bodies& bodies, const Physics& physics) {
  return std::make_unique<OpenMp<Real>>(bodies, physics);
}

}  // namespace

const Method openmp{"openmp", make<float>, make<double>, true};

}  // namespace barnes_hut
