// What tables do with a solver, and how they write it down.
//
//   for_each_method<Real>(chosen, bodies, table, [&](const Method& method) {
//     const auto solver = begun<Real>(method, bodies, chosen.physics);      // after its first step
//     const Clock::Laps laps = best_of(*solver, method, chosen.repeat);
//   });
#pragma once
#include <cmath>
#include <cstdio>
#include <memory>

#include "studies/barnes_hut/settings.h"
#include "studies/barnes_hut/tables/tables.h"
#include "studies/common/precision.h"

namespace barnes_hut {

using study::precision_of;
using study::scientific;
using study::unit_roundoff;

inline study::Cell significant(double value) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.4g", value);
  return {digits, true};
}
inline study::Cell known(double value, int decimals) {
  return value > 0 ? study::number(value, decimals) : study::nothing;
}
inline study::Cell count(size_t value) { return study::number(double(value), 0); }
inline study::Cell milliseconds(double seconds) { return study::number(seconds * 1e3, 4); }

template <typename Real>
std::unique_ptr<Solver> made(const Method& method, const Bodies& bodies, const Physics& physics) {
  if constexpr (sizeof(Real) == 4) {
    return method.single_precision(bodies, physics);
  } else {
    return method.double_precision(bodies, physics);
  }
}

// The first step warms up; its accelerations are those of the bodies as they were given.
template <typename Real>
std::unique_ptr<Solver> begun(const Method& method, const Bodies& bodies, const Physics& physics) {
  std::unique_ptr<Solver> solver = made<Real>(method, bodies, physics);
  Clock off(Clock::off);
  solver->accelerate(off);
  solver->check();
  return solver;
}

inline double sum_of(const Clock::Laps& laps) {
  double sum = 0;
  for (const auto& lap : laps) sum += lap.second;
  return sum;
}
inline double time_of(const std::string& kernel, const Clock::Laps& laps) {
  for (const auto& [name, seconds] : laps) {
    if (name == kernel) return seconds;
  }
  return 0;
}

// The quickest of some steps, kernel by kernel. They move the bodies nowhere, so that all do the
// same work. A step that takes more than a second is not repeated.
inline Clock::Laps best_of(Solver& solver, const Method& method, int repeat) {
  Clock::Laps best;
  Clock clock(method.on_host ? Clock::host : Clock::device);
  for (int again = 0; again < repeat; ++again) {
    clock.start();
    solver.accelerate(clock);
    solver.advance(0, 0, clock);
    solver.check();
    const Clock::Laps laps = clock.laps();
    if (best.empty() || sum_of(laps) < sum_of(best)) best = laps;
    if (sum_of(best) > 1) break;
  }
  return best;
}

template <typename Do>
void for_each_method(const Settings& chosen, const Bodies& bodies, study::Table& table,
                     const Do& work) {
  for (const Method* method : chosen.methods) {
    if (int64_t(bodies.size()) > method->most) {
      table.note(method->name, "left out above " + std::to_string(method->most) + " bodies");
      continue;
    }
    work(*method);
  }
}

}  // namespace barnes_hut
