// The solver of the six kernels: their arrays, their order, and what happens where cells run out.
//
// Room for cells is made for three of four bodies, more than bodies at random places ask for; bodies
// close together in pairs ask for a chain of cells each. Where kernel 2 finds no room it says so,
// the kernels after it do nothing, and the step is done again with more room: the host looks at the
// count of cells while the device works on the forces.
#include <memory>

#include "studies/barnes_hut/device_state.cuh"
#include "studies/barnes_hut/six_kernels/facts.h"
#include "studies/barnes_hut/six_kernels/kernels.h"
#include "studies/barnes_hut/six_kernels/six_kernels.h"

namespace barnes_hut {
namespace six {
namespace {

// What there is of each cell, and what grows with the cells.
template <typename Real>
struct Pool {
  explicit Pool(int bodies, int cells)
      : cells(cells),
        words(size_t(cells) * (8 * sizeof(int) + 2 * sizeof(Pair))),
        level(cells),
        centres(cells),
        nodes(max_nodes(bodies, cells)),
        links(max_nodes(bodies, cells)) {}
  // Each list is a node more than its bodies, and has two of them at least.
  static size_t max_nodes(int bodies, int cells) { return size_t(bodies) * 3 / 2 + cells; }

  int cells;
  study::DeviceBuffer<unsigned char> words;  // slots, below and starts: all ones at first
  study::DeviceBuffer<unsigned char> level;
  study::DeviceBuffer<Point<Real>> centres, nodes;
  study::DeviceBuffer<unsigned> links;
};

// Of the device, as the host last saw it.
class Seen {
 public:
  Seen() {
    CHECK(cudaMallocHost(&status_, sizeof(Status)));
    CHECK(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming));
  }
  Seen(const Seen&) = delete;
  Seen& operator=(const Seen&) = delete;
  ~Seen() {
    cudaEventDestroy(event_);
    cudaFreeHost(status_);
  }
  void look(const Status* status) {
    CHECK(cudaMemcpyAsync(status_, status, sizeof(Status), cudaMemcpyDeviceToHost));
    CHECK(cudaEventRecord(event_));
  }
  const Status& wait() {
    CHECK(cudaEventSynchronize(event_));
    return *status_;
  }

 private:
  Status* status_ = nullptr;
  cudaEvent_t event_ = nullptr;
};

template <typename Real>
class SixKernels : public Solver {
 public:
  SixKernels(const Bodies& bodies, const Physics& physics, unsigned on)
      : on_(on),
        physics_(physics),
        state_(bodies),
        points_(bodies.size()),
        next_(bodies.size()),
        order_(bodies.size()),
        root_(1 + 2 * max_boxes),
        status_(1),
        tallies_(4),
        pool_(std::make_unique<Pool<Real>>(int(bodies.size()),
                                           int(bodies.size() / 4 * 3 + min_room))) {}

  void accelerate(Clock& clock) override {
    while (!step(clock, false)) grow();
  }
  void advance(double kick, double drift, Clock& clock) override {
    six::advance(state_.view(), kick, drift, on_);
    clock.mark("advance");
  }
  void check() override {
    built_.look(status_.data());
    if (!built_.wait().stuck) return;
    throw Failure(
        "six_kernels: a thread waited seconds for a cell that did not get ready: is the device "
        "shared, so that not all blocks could stay on it?");
  }
  std::vector<double> accelerations() override { return state_.accelerations(); }
  Bodies state() override { return state_.bodies(); }
  TreeFacts facts() override;

 private:
  static constexpr int min_room = 1024;

  Tree<Real> tree() const {
    const size_t cells = pool_->cells;
    int* slots = reinterpret_cast<int*>(pool_->words.data());
    Pair* below = reinterpret_cast<Pair*>(slots + 8 * cells);
    return {int(state_.size()),
            pool_->cells,
            Real(physics_.softening) * Real(physics_.softening),
            Real(physics_.theta),
            points_.data(),
            next_.data(),
            order_.data(),
            slots,
            below,
            below + cells,
            pool_->level.data(),
            pool_->centres.data(),
            pool_->nodes.data(),
            pool_->links.data(),
            mac_distances2_ ? mac_distances2_->data() : nullptr,
            root_.data(),
            status_.data(),
            tallies_.data()};
  }

  // False where there was no room for the cells. Counts into the tallies of kernels 2 and 5.
  bool step(Clock& clock, bool counts) {
    if (!(on_ & recompute) && !mac_distances2_) {
      mac_distances2_ = std::make_unique<study::DeviceBuffer<Real>>(
          Pool<Real>::max_nodes(int(state_.size()), pool_->cells));
    }
    Tree<Real> tree = this->tree();
    const View<Real> bodies = state_.view();
    CHECK(cudaMemsetAsync(tree.status, 0, sizeof(Status)));
    bounding_box(tree, bodies, on_);
    clock.mark("bounding box");
    CHECK(cudaMemsetAsync(tree.slots, 0xff, pool_->words.bytes()));
    build(tree, on_, counts);
    built_.look(tree.status);
    clock.mark("build tree");
    summarise(tree, on_);
    clock.mark("summarise");
    sort(tree, on_);
    clock.mark("sort");
    ++tree.tally;
    force(tree, bodies, on_, counts);
    clock.mark("force");
    return !built_.wait().full;
  }
  // As published, where the warps of a step have more bodies. Leaves the accelerations of the step.
  void count_walks_of_32(Tree<Real> tree) {
    tree.tally = tallies_.data() + 3;
    CHECK(cudaMemsetAsync(&tree.status->groups, 0, sizeof(int)));
    force_of_few(tree, state_.view(), on_, true);
    CHECK(cudaMemsetAsync(&tree.status->groups, 0, sizeof(int)));
    force(tree, state_.view(), on_, false);
  }
  void grow() {
    const int64_t bodies = state_.size(), cells = int64_t(pool_->cells) * 2;
    if (bodies * 3 / 2 + cells > INT32_MAX) {
      throw Failure("six_kernels: " + std::to_string(bodies) + " bodies ask for more than " +
                    std::to_string(pool_->cells) +
                    " cells, and nodes are counted in 31 bits: are there many close pairs?");
    }
    pool_.reset();
    mac_distances2_.reset();
    pool_ = std::make_unique<Pool<Real>>(int(bodies), int(cells));
  }

  unsigned on_;
  Physics physics_;
  DeviceState<Real> state_;
  study::DeviceBuffer<Point<Real>> points_;
  study::DeviceBuffer<int> next_, order_;
  study::DeviceBuffer<Root<Real>> root_;  // and the boxes of kernel 1
  study::DeviceBuffer<Status> status_;
  study::DeviceBuffer<Tally> tallies_;  // of kernel 2, of kernel 5, of the cells, of walks of 32
  std::unique_ptr<Pool<Real>> pool_;
  std::unique_ptr<study::DeviceBuffer<Real>> mac_distances2_;
  Seen built_;
};

Touched touched_by(const char* kernel, const Tally& tally) {
  if (!tally.activities) return {kernel, 0, 0, 0};
  return {kernel, double((1ull << 63) - tally.min_off),
          double(tally.sum) / double(tally.activities), double(tally.most)};
}

// One step more, by kernels that count: it may differ from the last one in nothing else.
template <typename Real>
TreeFacts SixKernels<Real>::facts() {
  Clock off(Clock::off);
  do {
    tallies_.clear();
  } while (!step(off, true) && (grow(), true));
  check();
  Tree<Real> tree = this->tree();
  const int cells = built_.wait().cells + 1;
  const bool many = are_many(tree.bodies);
  if (many) count_walks_of_32(tree);
  study::DeviceBuffer<int> depth(1);
  depth.clear();
  tree.tally += 2;
  count_cells(tree, cells, depth.data());
  std::vector<Tally> tallies;
  tallies_.read(tallies);
  std::vector<int> levels;
  depth.read(levels);
  const Touched cell_and_children = touched_by("summarise", tallies[2]);
  TreeFacts facts;
  facts.cells = cells;
  facts.depth = levels[0];
  facts.children_per_cell = cell_and_children.mean - 1;
  facts.interactions = double(tallies[1].interactions);
  facts.touched = {touched_by("build tree", tallies[0]), cell_and_children, cell_and_children,
                   touched_by("force", tallies[many ? 3 : 1])};
  facts.touched[2].kernel = "sort";
  if (many) facts.touched.push_back(touched_by("force, many", tallies[1]));
  return facts;
}

template <unsigned On, typename Real>
std::unique_ptr<Solver> make(const Bodies& bodies, const Physics& physics) {
  return std::make_unique<SixKernels<Real>>(bodies, physics, On);
}

template <unsigned Bit>
void add_without(std::vector<Optimisation>& all) {
  const Named& named = names[all.size()];
  all.push_back(
      {named.name,
       named.meaning,
       {"six_kernels", make<all_switches & ~Bit, float>, make<all_switches & ~Bit, double>}});
  if constexpr (Bit * 2 < all_switches) add_without<Bit * 2>(all);
}
std::vector<Optimisation> without_each() {
  std::vector<Optimisation> all;
  add_without<1>(all);
  return all;
}

}  // namespace
}  // namespace six

const Method six_kernels{"six_kernels", six::make<six::all_switches, float>,
                         six::make<six::all_switches, double>};
const std::vector<Optimisation> six_kernels_without = six::without_each();

}  // namespace barnes_hut
