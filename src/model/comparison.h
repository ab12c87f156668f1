// Two runs of a program beside each other: which kernels changed, by how much, and the counter that
// moved the time.
//
//   compare(before, after, matches)
//     ->  copy(float*): 3 launches: predicted_ns 12000 -> 15600, global_load_sectors 4096 -> 16384,
//         because of global_load_sectors; 2 kernels unchanged; only after: scan(int*)
//
// Kernels are matched by name. Shapes of one name are matched by their shape where the runs have
// the same ones or not as many, and else in order of their first launch; builds of a kernel with one
// shape likewise by their registers; launches of a build in order.
#pragma once
#include <functional>

#include "base/error.h"
#include "model/figures.h"
#include "model/rank_test.h"

namespace headroom {

struct Change {
  size_t metric = 0;
  std::optional<double> before, after;
  double difference() const { return after.value_or(0) - before.value_or(0); }
  // Of `before`, in per cent; infinite where that is 0 and `after` is not.
  double percent() const;
};

// Launches of a kernel with the same figures before, and the same after.
struct ComparedLaunches {
  size_t count = 0;
  std::shared_ptr<const Figures> before, after;
  std::vector<Change> changes;
  std::optional<Change> because;  // the figure that moved the time
  bool changed() const { return !changes.empty() || state_changed(); }
  // Launches that ended here and there have not.
  bool state_changed() const {
    const auto ended = [](State state) { return state == State::ran || state == State::measured; };
    return before->state != after->state && !(ended(before->state) && ended(after->state));
  }
  bool one_engine() const { return before->engine == after->engine; }
};

struct ComparedKernel {
  std::string kernel;
  LaunchShape before, after;
  size_t launches_before = 0, launches_after = 0;
  std::vector<ComparedLaunches> launches;  // those that changed first
  std::optional<SampleComparison> measured;
  bool changed() const;
  Change measured_change() const;
};

struct OneSided {
  std::string kernel;
  LaunchShape shape;
  size_t launches = 0;
};

struct Comparison {
  RunFigures before, after;  // their kernels are moved out
  std::vector<ComparedKernel> kernels;
  std::vector<OneSided> only_before, only_after;
  std::vector<Caveat> caveats;
};

// Of kernels for whose name `wanted` holds. Throws Error where there is nothing to compare: one run
// was on a GPU, the other on the executor.
Comparison compare(RunFigures before, RunFigures after,
                   const std::function<bool(const std::string& kernel)>& wanted);

}  // namespace headroom
