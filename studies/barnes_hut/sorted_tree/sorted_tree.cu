// The tree that one would write for today's GPUs: bodies sorted along a curve that fills space, cells
// found by all bodies at once from the sorted keys, and groups of neighbours that walk together.
//
// All room is taken once, by bounds that hold for any bodies; how many cells there are is known on
// the device only, so that a step neither allocates nor waits for the host. Bodies stay in the order
// of the last sort, with their first number beside them.
#include <algorithm>
#include <string>

#include "studies/barnes_hut/sorted_tree/tree.h"

namespace barnes_hut {

namespace {

using namespace sorted;

enum class Cells { points, shapes };  // how they pull

template <typename Real>
class SortedTree : public Solver {
 public:
  SortedTree(const Bodies& bodies, const Physics& physics, Cells cells)
      : n_(int(bodies.size())),
        physics_(physics),
        sort_(n_),
        places_(n_),
        places_before_(n_),
        motions_(n_),
        motions_before_(n_),
        corners_(1),
        counts_(1),
        first_divided_(n_),
        divided_(max_divided(n_)),
        children_(max_divided(n_)),
        place_of_divided_(max_divided(n_)),
        finished_children_(max_divided(n_)),
        cells_(max_cells(n_)),
        centres_(max_cells(n_)),
        shapes_(cells == Cells::shapes ? max_cells(n_) : 0),
        acceleration_(3 * bodies.size()),
        met_(nbody::blocks_over(n_, bodies_in_group<Real>())) {
    std::vector<Place<Real>> places(n_);
    std::vector<Motion<Real>> motions(n_);
    for (int i = 0; i < n_; ++i) {
      const auto& body = bodies[i];
      places[i] = {Real(body.x), Real(body.y), Real(body.z), Real(body.mass)};
      motions[i] = {Real(body.velocity_x), Real(body.velocity_y), Real(body.velocity_z), i};
    }
    place_[now_]->write(places);
    motion_[now_]->write(motions);
    acceleration_.clear();
  }

  void accelerate(Clock& clock) override {
    find_corners(tree());
    clock.mark("bounding box");
    make_keys(tree(), sort_.keys(), sort_.bodies());
    clock.mark("keys");
    sort_.run();
    clock.mark("sort");
    const Tree<Real> before = tree();
    now_ ^= 1;
    gather(n_, sort_.order(), before.places, before.motions, tree().places, tree().motions);
    clock.mark("gather");
    divide_cells(tree());
    clock.mark("tree");
    find_moments(tree());
    clock.mark("moments");
    walk(tree());
    clock.mark("force");
  }
  void advance(double kick, double drift, Clock& clock) override {
    sorted::advance(tree(), Real(kick), Real(drift));
    clock.mark("advance");
  }
  void check() override { CHECK(cudaDeviceSynchronize()); }

  std::vector<double> accelerations() override {
    std::vector<Motion<Real>> motions;
    std::vector<Real> sorted;
    motion_[now_]->read(motions);
    acceleration_.read(sorted);
    std::vector<double> found(sorted.size());
    for (size_t i = 0; i < motions.size(); ++i) {
      for (size_t axis = 0; axis < 3; ++axis) {
        found[motions[i].origin + axis * n_] = sorted[i + axis * n_];
      }
    }
    return found;
  }
  Bodies state() override {
    std::vector<Place<Real>> places;
    std::vector<Motion<Real>> motions;
    place_[now_]->read(places);
    motion_[now_]->read(motions);
    const std::vector<double> acceleration = accelerations();
    Bodies bodies(n_);
    for (int i = 0; i < n_; ++i) {
      const Place<Real>& place = places[i];
      const Motion<Real>& motion = motions[i];
      const size_t origin = motion.origin;
      bodies[origin] = {place.x,
                        place.y,
                        place.z,
                        place.mass,
                        motion.x,
                        motion.y,
                        motion.z,
                        acceleration[origin],
                        acceleration[origin + n_],
                        acceleration[origin + 2 * size_t(n_)]};
    }
    return bodies;
  }
  TreeFacts facts() override;

 private:
  Tree<Real> tree() const {
    return {n_,
            Real(physics_.theta),
            Real(physics_.softening * physics_.softening),
            corners_.data(),
            sort_.sorted_keys(),
            place_[now_]->data(),
            motion_[now_]->data(),
            counts_.data(),
            first_divided_.data(),
            divided_.data(),
            children_.data(),
            place_of_divided_.data(),
            finished_children_.data(),
            cells_.data(),
            centres_.data(),
            shapes_.bytes() ? shapes_.data() : nullptr,
            acceleration_.data(),
            acceleration_.data() + n_,
            acceleration_.data() + 2 * size_t(n_),
            met_.data()};
  }

  int n_;
  Physics physics_;
  Sort sort_;
  study::DeviceBuffer<Place<Real>> places_, places_before_;
  study::DeviceBuffer<Motion<Real>> motions_, motions_before_;
  study::DeviceBuffer<Place<Real>>* place_[2] = {&places_, &places_before_};
  study::DeviceBuffer<Motion<Real>>* motion_[2] = {&motions_, &motions_before_};
  int now_ = 0;  // which of the two
  study::DeviceBuffer<Corners<Real>> corners_;
  study::DeviceBuffer<Counts> counts_;
  study::DeviceBuffer<unsigned> first_divided_;
  study::DeviceBuffer<Divided> divided_;
  study::DeviceBuffer<unsigned> children_, place_of_divided_, finished_children_;
  study::DeviceBuffer<Cell> cells_;
  study::DeviceBuffer<Place<Real>> centres_;
  study::DeviceBuffer<Shape<Real>> shapes_;  // none where cells pull as points
  study::DeviceBuffer<Real> acceleration_;
  study::DeviceBuffer<Met> met_;
};

template <typename T>
std::vector<T> first_of(const study::DeviceBuffer<T>& buffer, size_t count) {
  std::vector<T> host(count);
  CHECK(cudaMemcpy(host.data(), buffer.data(), count * sizeof(T), cudaMemcpyDeviceToHost));
  return host;
}

// The least, the mean and the most of what each item touches.
template <typename Items, typename Count>
Touched touched(const char* kernel, const Items& items, const Count& count) {
  Touched found{kernel, 0, 0, 0};
  double sum = 0;
  for (const auto& item : items) {
    const double here = count(item);
    found.least = &item == &items[0] ? here : std::min(found.least, here);
    found.most = std::max(found.most, here);
    sum += here;
  }
  found.mean = items.empty() ? 0 : sum / double(items.size());
  return found;
}

template <typename Real>
TreeFacts SortedTree<Real>::facts() {
  const Counts counts = first_of(counts_, 1)[0];
  const auto divided = first_of(divided_, counts.divided);
  const auto children = first_of(children_, counts.divided);
  const auto cells = first_of(cells_, counts.cells);
  std::vector<Met> met;
  met_.read(met);
  TreeFacts facts;
  facts.cells = counts.cells;
  for (const Divided& cell : divided) facts.depth = std::max(facts.depth, cell.level + 1);
  facts.children_per_cell = (counts.cells - 1.0 + n_) / counts.cells;
  const int group = bodies_in_group<Real>();
  for (size_t g = 0; g < met.size(); ++g) {
    const double bodies = std::min<double>(group, n_ - double(g) * group);
    facts.interactions += (double(met[g].points) + met[g].shapes) * bodies + met[g].distant;
  }
  facts.touched = {
      touched("tree", children, [](unsigned family) { return family % 8 + 2; }),
      touched("moments", cells, [](const Cell& cell) { return cell.count() + 1; }),
      touched("force", met, [](const Met& group) { return group.cells + group.bodies; })};
  return facts;
}

template <typename Real, Cells cells>
std::unique_ptr<Solver> make(const Bodies& bodies, const Physics& physics) {
  return std::make_unique<SortedTree<Real>>(bodies, physics, cells);
}

}  // namespace

const Method sorted_tree{"sorted_tree", make<float, Cells::points>, make<double, Cells::points>};
const Method sorted_tree_quadrupoles{"sorted_tree_quadrupoles", make<float, Cells::shapes>,
                                     make<double, Cells::shapes>};

}  // namespace barnes_hut
