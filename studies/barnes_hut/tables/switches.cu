// What each of the ten published optimisations is worth: the six kernels without it, against all on.
//
//   switched off  precision  bodies  step, ms  all on, ms  over all on  median error  verified
//   rsqrt         single       1024    0.0611      0.0575         1.06         0.001      PASS
//
// The same number of repetitions each; all of them have to be right.
#include "studies/barnes_hut/accuracy.h"
#include "studies/barnes_hut/six_kernels/six_kernels.h"
#include "studies/barnes_hut/tables/trial.h"

namespace barnes_hut {

namespace {

template <typename Real>
int rows(const Settings& chosen, const Bodies& bodies, study::Table& table) {
  const Accuracy accuracy(rounded<Real>(bodies), chosen.physics, chosen.sample, chosen.seed + 1);
  Errors errors;
  const auto time_of_step = [&](const Method& method) {
    const auto solver = begun<Real>(method, bodies, chosen.physics);
    errors = accuracy.of(solver->accelerations(), unit_roundoff<Real>);
    return sum_of(best_of(*solver, method, chosen.repeat));
  };
  const double all_on = time_of_step(six_kernels);
  int failures = !errors.right;
  for (const auto& [name, meaning, without] : six_kernels_without) {
    const double step = time_of_step(without);
    failures += !errors.right;
    table.row({name, precision_of<Real>, count(bodies.size()), milliseconds(step),
               milliseconds(all_on), study::number(step / all_on, 2), scientific(errors.median),
               errors.right ? "PASS" : "FAIL"});
  }
  return failures;
}

}  // namespace

const TableKind switches_table{"--switches",
                               {"switched off", "precision", "bodies", "step, ms", "all on, ms",
                                "over all on", "median error", "verified"},
                               rows<float>,
                               rows<double>,
                               false};

}  // namespace barnes_hut
