// n bodies under their own gravity, by a tree: far bodies pull as one. The gravitational constant is
// 1, and the pull of bodies or of a cell of mass m at distance d, softened, is
//
//   m d / (|d|^2 + softening^2)^(3/2)
//
// A cell of size l is taken as one where l < theta d; with theta 0 no cell is, and the sum is that
// over all pairs. A solver is one way to do it, on the device or on the host:
//
//   std::unique_ptr<Solver> solver = six_kernels.single_precision(bodies, physics);
//   solver->accelerate(clock);               // the tree, and the pulls
//   solver->advance(dt / 2, dt, clock);      // velocities, then places
//   solver->accelerations()                  {x0, x1, …, y0, …, z0, …}, in the order of `bodies`
//
// Sources: J. Barnes, P. Hut, "A hierarchical O(N log N) force-calculation algorithm", Nature 1986;
// M. Burtscher, "CUDA Optimization Tutorial", slides, part II.
#pragma once
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "studies/barnes_hut/clock.h"
#include "studies/nbody/nbody.h"

namespace barnes_hut {

using Bodies = std::vector<nbody::Body<double>>;

struct Physics {
  double theta = 0.5, softening = 0.01;
};

// How many nodes an activity of a kernel touches: a thread's body, a cell, or a warp's walk.
struct Touched {
  std::string kernel;
  double least, mean, most;
};

// What a tree is like. Unknown is 0, or not in the list.
struct TreeFacts {
  int64_t cells = 0;
  int depth = 0;                 // the levels of cells below the root
  double children_per_cell = 0;  // cells and bodies
  double interactions = 0;       // pulls of a cell or a body on a body, in the last accelerate()
  std::vector<Touched> touched;
};

// What a solver cannot go on after: what, and what to do.
struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Solver {
 public:
  virtual ~Solver() = default;
  // All kernels up to the accelerations. Asynchronous on the default stream where the solver works
  // on the device. Marks the end of each kernel on the clock.
  virtual void accelerate(Clock& clock) = 0;
  // Velocities by `kick` of the accelerations, then places by `drift` of the velocities.
  virtual void advance(double kick, double drift, Clock& clock) = 0;
  // Waits for the device; throws Failure where a kernel gave up.
  virtual void check() {}
  // In the order of the bodies given at first, whatever the solver does with them.
  virtual std::vector<double> accelerations() = 0;
  virtual Bodies state() = 0;
  // Of the tree of the last accelerate(); may run kernels of its own that count.
  virtual TreeFacts facts() { return {}; }
};

// Refuses no bodies: those that cannot be computed with were refused before (start.h).
template <typename Real>
using Make = std::unique_ptr<Solver> (*)(const Bodies& bodies, const Physics& physics);

struct Method {
  const char* name;
  Make<float> single_precision;
  Make<double> double_precision;
  bool on_host = false;
  int64_t most = 1 << 27;  // more bodies would take minutes
};

extern const Method all_pairs, six_kernels, sorted_tree, sorted_tree_quadrupoles, openmp, pthreads;

}  // namespace barnes_hut
