// A row a method: the time of a step, how far its pulls lie from all pairs, and how many there were.
//
//   method       precision  bodies  step, ms  force, ms  median error  90 % error  …  verified
//   sorted_tree  single       1024  …
#include <headroom/timing/executor.h>

#include "studies/barnes_hut/accuracy.h"
#include "studies/barnes_hut/tables/trial.h"

namespace barnes_hut {

namespace {

struct Row {
  const Method* method;
  double step, force, interactions;
  Errors errors;
};

template <typename Real>
Row row_of(const Settings& chosen, const Bodies& bodies, const Method& method,
           const Accuracy& accuracy) {
  const auto solver = begun<Real>(method, bodies, chosen.physics);
  const Errors errors = accuracy.of(solver->accelerations(), unit_roundoff<Real>);
  const Clock::Laps laps = best_of(*solver, method, chosen.repeat);
  return {&method, sum_of(laps), time_of("force", laps), solver->facts().interactions, errors};
}

// How many times as fast as this method; empty for itself, where it did not run, and on an executor,
// where the times are of two kinds.
study::Cell over(const std::vector<Row>& rows, const std::string& other, const Row& row) {
  if (headroom::timing::on_executor()) return study::nothing;
  for (const Row& each : rows) {
    if (each.method->name == other && each.method != row.method) {
      return study::number(each.step / row.step, 2);
    }
  }
  return study::nothing;
}

template <typename Real>
int rows(const Settings& chosen, const Bodies& bodies, study::Table& table) {
  const Accuracy accuracy(rounded<Real>(bodies), chosen.physics, chosen.sample, chosen.seed + 1);
  std::vector<Row> found;
  for_each_method(chosen, bodies, table, [&](const Method& method) {
    found.push_back(row_of<Real>(chosen, bodies, method, accuracy));
  });
  int failures = 0;
  for (const Row& row : found) {
    failures += !row.errors.right;
    table.row({row.method->name, precision_of<Real>, count(bodies.size()), milliseconds(row.step),
               milliseconds(row.force), over(found, "openmp", row), over(found, "pthreads", row),
               scientific(row.errors.median), scientific(row.errors.p90),
               scientific(row.errors.p99), scientific(row.errors.most),
               known(row.interactions / double(bodies.size()), 0),
               known(row.force > 0 ? row.interactions / row.force * 1e-9 : 0, 1),
               row.errors.right ? "PASS" : "FAIL"});
  }
  return failures;
}

}  // namespace

const TableKind steps_table{
    nullptr,
    {"method", "precision", "bodies", "step, ms", "force, ms", "over openmp", "over pthreads",
     "median error", "90 % error", "99 % error", "max error", "interactions a body",
     "G interactions/s", "verified"},
    rows<float>,
    rows<double>};

}  // namespace barnes_hut
