// The other baseline on the host, in the manner of SPLASH-2's Barnes: threads insert bodies into one
// octree under locks (locked_tree.h), share out the bodies in the order of the tree by what they
// cost in the step before, and every body walks the tree alone, without vectors. POSIX threads and
// barriers (crew.h), as many as OpenMP would take.
//
// Source of the manner: S. Woo et al., "The SPLASH-2 Programs: Characterization and Methodological
// Considerations", ISCA 1995; J. Singh et al., "Load Balancing and Data Locality in Adaptive
// Hierarchical N-body Methods: Barnes–Hut, Fast Multipole, and Radiosity", 1995.
#include <omp.h>

#include "studies/barnes_hut/host/crew.h"
#include "studies/barnes_hut/host/locked_tree.h"
#include "studies/barnes_hut/host/state.h"

namespace barnes_hut {

namespace {

template <typename Real>
class Pthreads : public Solver {
 public:
  Pthreads(const Bodies& bodies, const Physics& physics)
      : physics_(physics),
        state_(bodies),
        keys_(bodies.size()),
        order_(bodies.size()),
        costs_(bodies.size(), 1),
        other_costs_(bodies.size()),
        tree_(int(bodies.size())),
        crew_(omp_get_max_threads()),
        pools_(crew_.size()),
        workers_(crew_.size()) {}

  void accelerate(Clock& clock) override {
    gather();
    clock.mark("sort");
    const Cube cube = cube_around(box());
    clock.mark("bounding box");
    build(cube);
    clock.mark("build tree");
    crew_([&](int thread) { tree_.prepare(pools_[thread]); });
    crew_([&](int thread) {
      tree_.summarise(pools_[thread], [&](LockedCell<Real>& cell) { add_up(cell); });
    });
    clock.mark("summarise");
    crew_([&](int thread) { share_out(thread); });
    shared_out_ = true;
    clock.mark("sort");
    crew_([&](int thread) { pull(workers_[thread]); });
    clock.mark("force");
  }

  void advance(double kick, double drift, Clock& clock) override {
    crew_([&](int thread) {
      const Share share = share_of(state_.size(), thread, crew_.size());
      state_.advance(share.first, share.last, Real(kick), Real(drift));
    });
    clock.mark("advance");
  }

  std::vector<double> accelerations() override { return state_.accelerations(); }
  Bodies state() override { return state_.bodies(); }

  TreeFacts facts() override {
    TreeFacts facts;
    Touched build{"build tree", INFINITY, 0, 0}, force{"force", INFINITY, 0, 0};
    for (const auto& pool : pools_) {
      facts.cells += int64_t(pool.made.size());
      facts.depth = std::max(facts.depth, pool.depth);
      if (pool.touched == 0) continue;
      include(build, pool.touched_least, double(pool.touched), pool.touched_most);
    }
    for (const Worker& worker : workers_) {
      facts.interactions += double(worker.pulls);
      if (!worker.bodies.empty()) include(force, worker.least, worker.touched, worker.most);
    }
    facts.children_per_cell = (double(facts.cells) - 1 + state_.size()) / double(facts.cells);
    facts.touched = {build, force};
    return facts;
  }

 private:
  struct Worker {
    std::vector<int> bodies;  // its own, in the order of the tree
    int64_t pulls = 0;
    double touched = 0, least = INFINITY, most = 0;  // nodes, by walks
  };

  void include(Touched& all, double least, double sum, double most) const {
    all.least = std::min(all.least, least), all.most = std::max(all.most, most);
    all.mean += sum / state_.size();
  }

  Box<Real> box() {
    std::vector<Box<Real>> boxes(crew_.size());
    crew_([&](int thread) {
      Box<Real> own;
      const Share share = share_of(state_.size(), thread, crew_.size());
      for (int i = share.first; i < share.last; ++i) {
        own.include(state_.x[i], state_.y[i], state_.z[i]);
      }
      boxes[thread] = own;
    });
    for (const auto& each : boxes) boxes[0].include(each);
    return boxes[0];
  }

  // Bodies in the order of the last tree, so that a thread's bodies and cells lie together.
  void gather() {
    if (!shared_out_) return;  // this is the first
    crew_([&](int thread) {
      size_t next = 0;
      for (int before = 0; before < thread; ++before) next += workers_[before].bodies.size();
      for (const int body : workers_[thread].bodies) {
        order_[next] = body, other_costs_[next] = costs_[body];
        ++next;
      }
    });
    crew_([&](int thread) {
      const Share share = share_of(state_.size(), thread, crew_.size());
      state_.gather(order_, share.first, share.last);
    });
    state_.take_gathered();
    costs_.swap(other_costs_);
  }

  void build(const Cube& cube) {
    tree_.begin(cube.edge, pools_);
    crew_([&](int thread) {
      const Share share = share_of(state_.size(), thread, crew_.size());
      for (int i = share.first; i < share.last; ++i) {
        keys_[i] = cube.key(state_.x[i], state_.y[i], state_.z[i]);
      }
    });
    crew_([&](int thread) {
      const Share share = share_of(state_.size(), thread, crew_.size());
      for (int i = share.first; i < share.last; ++i) tree_.insert(i, keys_, pools_[thread]);
    });
  }

  void add_up(LockedCell<Real>& cell) {
    double x = 0, y = 0, z = 0, mass = 0;
    Box<Real> centres;
    cell.cost = 0;
    const auto add = [&](Real its_mass, Real at_x, Real at_y, Real at_z, int64_t cost) {
      const double m = its_mass;
      x += m * at_x, y += m * at_y, z += m * at_z, mass += m;
      centres.include(at_x, at_y, at_z);
      cell.cost += cost;
    };
    for (const int place : cell.places) {
      if (tree_.is_cell(place)) {
        const LockedCell<Real>& child = tree_[place];
        add(child.mass, child.x, child.y, child.z, child.cost);
      }
      for (int body = tree_.first_body(place); body >= 0; body = tree_.next_body(body)) {
        add(state_.mass[body], state_.x[body], state_.y[body], state_.z[body], costs_[body]);
      }
    }
    const auto within = [&](double centre, int axis) {
      // Bodies at one place have their centre there, not where rounding puts it; bodies without
      // mass pull nothing, from anywhere.
      return std::clamp(Real(mass == 0 ? 0 : centre / mass), centres.least[axis],
                        centres.most[axis]);
    };
    cell.x = within(x, 0), cell.y = within(y, 1), cell.z = within(z, 2), cell.mass = Real(mass);
  }

  // A thread's bodies are those whose costs begin in its share of all costs.
  void share_out(int thread) {
    const int64_t cost = tree_[0].cost, threads = crew_.size();
    const int64_t begin = cost * thread / threads, end = cost * (thread + 1) / threads;
    workers_[thread].bodies.clear();
    int64_t before = 0;
    collect(0, before, begin, end, workers_[thread].bodies);
  }
  void collect(int number, int64_t& before, int64_t begin, int64_t end, std::vector<int>& bodies) {
    for (const int place : tree_[number].places) {
      if (tree_.is_cell(place)) {
        const int64_t beyond = before + tree_[place].cost;
        if (beyond > begin && before < end) collect(place, before, begin, end, bodies);
        before = beyond;
      }
      for (int body = tree_.first_body(place); body >= 0; body = tree_.next_body(body)) {
        if (before >= begin && before < end) bodies.push_back(body);
        before += costs_[body];
      }
    }
  }

  void pull(Worker& worker) {
    worker.pulls = 0, worker.touched = 0, worker.least = INFINITY, worker.most = 0;
    for (const int body : worker.bodies) {
      const int touched = walk(body);
      worker.pulls += costs_[body];
      worker.touched += touched;
      worker.least = std::min(worker.least, double(touched));
      worker.most = std::max(worker.most, double(touched));
    }
  }

  // How many nodes it touched.
  int walk(int body) {
    const Real own_x = state_.x[body], own_y = state_.y[body], own_z = state_.z[body];
    const Real softening2 = Real(physics_.softening) * Real(physics_.softening);
    const Real theta2 = Real(physics_.theta * physics_.theta);
    Real ax = 0, ay = 0, az = 0;
    int pulls = 0, touched = 0;
    const auto pull = [&](Real dx, Real dy, Real dz, Real distance2, Real mass) {
      const Real root = 1 / std::sqrt(distance2 + softening2);
      const Real by = mass * root * root * root;
      ax += dx * by, ay += dy * by, az += dz * by;
      ++pulls;
    };
    int open[7 * key_levels + 8];  // no level leaves more than seven for later
    int waiting = 0;
    open[waiting++] = 0;
    while (waiting > 0) {
      const LockedCell<Real>& cell = tree_[open[--waiting]];
      ++touched;
      const Real dx = cell.x - own_x, dy = cell.y - own_y, dz = cell.z - own_z;
      const Real distance2 = dx * dx + dy * dy + dz * dz;
      if (tree_.edge2(cell.level) < theta2 * distance2) {
        pull(dx, dy, dz, distance2, cell.mass);
        continue;
      }
      for (const auto& at : cell.places) {
        const int place = at.load(std::memory_order_relaxed);
        if (tree_.is_cell(place)) open[waiting++] = place;
        for (int other = tree_.first_body(place); other >= 0; other = tree_.next_body(other)) {
          const Real ox = state_.x[other] - own_x, oy = state_.y[other] - own_y;
          const Real oz = state_.z[other] - own_z;
          pull(ox, oy, oz, ox * ox + oy * oy + oz * oz, state_.mass[other]);
          ++touched;
        }
      }
    }
    state_.acceleration_x[body] = ax;
    state_.acceleration_y[body] = ay;
    state_.acceleration_z[body] = az;
    costs_[body] = pulls;
    return touched;
  }

  Physics physics_;
  HostState<Real> state_;
  std::vector<uint64_t> keys_;
  std::vector<int> order_, costs_, other_costs_;  // costs: pulls on each body in the last step
  LockedTree<Real> tree_;
  Crew crew_;
  std::vector<typename LockedTree<Real>::Pool> pools_;
  std::vector<Worker> workers_;
  bool shared_out_ = false;
};

template <typename Real>
std::unique_ptr<Solver> make(const Bodies& bodies, const Physics& physics) {
  return std::make_unique<Pthreads<Real>>(bodies, physics);
}

}  // namespace

const Method pthreads{"pthreads", make<float>, make<double>, true, 1 << 25};

}  // namespace barnes_hut
