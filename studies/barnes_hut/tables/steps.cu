// A row a method: the time of a step, how far its pulls lie from all pairs, and how many there were.
//
//   method       precision  bodies  step, ms  force, ms  median error  90 % error  …  verified
//   sorted_tree  single       1024  …
#include "studies/barnes_hut/accuracy.h"
#include "studies/barnes_hut/tables/trial.h"

namespace barnes_hut {

namespace {

template <typename Real>
int rows(const Settings& chosen, const Bodies& bodies, study::Table& table) {
  int failures = 0;
  const Accuracy accuracy(rounded<Real>(bodies), chosen.physics, chosen.sample, chosen.seed + 1);
  for_each_method(chosen, bodies, table, [&](const Method& method) {
    const auto solver = begun<Real>(method, bodies, chosen.physics);
    const Errors errors = accuracy.of(solver->accelerations(), unit_roundoff<Real>);
    failures += !errors.right;
    const Clock::Laps laps = best_of(*solver, method, chosen.repeat);
    const double force = time_of("force", laps), interactions = solver->facts().interactions;
    table.row({method.name, precision_of<Real>, count(bodies.size()), milliseconds(sum_of(laps)),
               milliseconds(force), scientific(errors.median), scientific(errors.p90),
               scientific(errors.p99), scientific(errors.most),
               known(interactions / double(bodies.size()), 0),
               known(force > 0 ? interactions / force * 1e-9 : 0, 1),
               errors.right ? "PASS" : "FAIL"});
  });
  return failures;
}

}  // namespace

const TableKind steps_table{
    nullptr,
    {"method", "precision", "bodies", "step, ms", "force, ms", "median error", "90 % error",
     "99 % error", "max error", "interactions a body", "G interactions/s", "verified"},
    rows<float>,
    rows<double>};

}  // namespace barnes_hut
