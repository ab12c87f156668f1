// A row a kernel of a step: its time, and how much of the step that is.
//
//   method       precision  bodies  kernel      time, ms  of the step, %
//   six_kernels  single       1024  build tree    0.0412            17.3
#include "studies/barnes_hut/tables/trial.h"

namespace barnes_hut {

namespace {

template <typename Real>
int rows(const Settings& chosen, const Bodies& bodies, study::Table& table) {
  for_each_method(chosen, bodies, table, [&](const Method& method) {
    const auto solver = begun<Real>(method, bodies, chosen.physics);
    const Clock::Laps laps = best_of(*solver, method, chosen.repeat);
    for (const auto& [kernel, seconds] : laps) {
      table.row({method.name, precision_of<Real>, count(bodies.size()), kernel,
                 milliseconds(seconds), study::number(seconds / sum_of(laps) * 100, 1)});
    }
  });
  return 0;
}

}  // namespace

const TableKind kernels_table{
    "--kernels",
    {"method", "precision", "bodies", "kernel", "time, ms", "of the step, %"},
    rows<float>,
    rows<double>};

}  // namespace barnes_hut
