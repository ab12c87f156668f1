// What each of the ten published optimisations is worth: the six kernels without it, against all on.
//
//   switched off  precision  bodies  step, ms  all on, ms  over all on  kernel  kernel over all on  median error  verified
//   rsqrt         single       1024    0.0611      0.0575         1.06  force                 1.41         0.001      PASS
//
// The kernel is the one whose time grows most. The same number of repetitions each; all of them have to be right.
#include "studies/barnes_hut/accuracy.h"
#include "studies/barnes_hut/six_kernels/six_kernels.h"
#include "studies/barnes_hut/tables/trial.h"

namespace barnes_hut {

namespace {

// The kernel that takes longer by the most.
std::string slowed_down(const Clock::Laps& laps, const Clock::Laps& all_on) {
  std::string most;
  double by = -INFINITY;
  for (const auto& [kernel, seconds] : laps) {
    const double before = time_of(kernel, all_on);
    if (before <= 0 || seconds - before <= by) continue;
    by = seconds - before;
    most = kernel;
  }
  return most;
}

template <typename Real>
int rows(const Settings& chosen, const Bodies& bodies, study::Table& table) {
  const Accuracy accuracy(rounded<Real>(bodies), chosen.physics, chosen.sample, chosen.seed + 1);
  Errors errors;
  const auto times_of = [&](const Method& method) {
    const auto solver = begun<Real>(method, bodies, chosen.physics);
    errors = accuracy.of(solver->accelerations(), unit_roundoff<Real>);
    return best_of(*solver, method, chosen.repeat);
  };
  const Clock::Laps all_on = times_of(six_kernels);
  int failures = !errors.right;
  for (const auto& [name, meaning, without] : six_kernels_without) {
    const Clock::Laps laps = times_of(without);
    const std::string kernel = slowed_down(laps, all_on);
    failures += !errors.right;
    table.row({name, precision_of<Real>, count(bodies.size()), milliseconds(sum_of(laps)),
               milliseconds(sum_of(all_on)), study::number(sum_of(laps) / sum_of(all_on), 2),
               kernel, study::number(time_of(kernel, laps) / time_of(kernel, all_on), 2),
               scientific(errors.median), errors.right ? "PASS" : "FAIL"});
  }
  return failures;
}

}  // namespace

const TableKind switches_table{
    "--switches",
    {"switched off", "precision", "bodies", "step, ms", "all on, ms", "over all on", "kernel",
     "kernel over all on", "median error", "verified"},
    rows<float>,
    rows<double>,
    false};

}  // namespace barnes_hut
