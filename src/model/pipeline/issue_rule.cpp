#include "model/pipeline/issue_rule.h"

#include <algorithm>

namespace headroom {
namespace {

constexpr double lanes = 32;

double at_once_of(const Machine& machine) {
  return std::max(1.0, machine.instructions_per_issue.value_or(1));
}

double interval_of(const Machine& machine) {
  const double schedulers = schedulers_of(machine);
  const double issued = machine.issue_per_clock.value_or(schedulers);
  return std::max(1.0, schedulers * at_once_of(machine) / issued);
}

struct Rate {
  const Fact* per_clock = nullptr;  // lanes of the SM
  double otherwise = 1;             // cycles, where that is not known
};
Rate rate_of(Unit unit, const Machine& m) {
  switch (unit) {
    case Unit::fma: return {&m.fp32_per_clock, 2};
    case Unit::fma_heavy:
    case Unit::alu: return {&m.integer_per_clock, 2};
    case Unit::fp64: return {&m.fp64_per_clock, 16};
    case Unit::xu: return {&m.special_per_clock, 8};
    case Unit::lsu:
    case Unit::tex:
    case Unit::adu:
    case Unit::uniform: return {nullptr, 2};
    default: return {nullptr, 1};
  }
}

// Lanes that take a warp in the time between two issues.
double group_of(const Machine& machine) { return lanes / interval_of(machine); }

}  // namespace

double schedulers_of(const Machine& machine) {
  return std::max(1.0, machine.warp_schedulers.value_or(4));
}

uint8_t cycles_on(Unit unit, const Machine& machine) {
  const Rate rate = rate_of(unit, machine);
  if (!rate.per_clock) return uint8_t(rate.otherwise);
  if (!*rate.per_clock || **rate.per_clock <= 0) return uint8_t(rate.otherwise);
  const double of_scheduler = **rate.per_clock / schedulers_of(machine);
  return uint8_t(std::clamp(lanes / of_scheduler, interval_of(machine), 255.0));
}

IssueRule issue_rule(const Machine& machine) {
  IssueRule rule{interval_of(machine), int(at_once_of(machine)), {}};
  const double schedulers = schedulers_of(machine);
  for (size_t u = 0; u < units; ++u) {
    const Rate rate = rate_of(Unit(u), machine);
    if (!rate.per_clock || !*rate.per_clock) continue;
    const double groups = **rate.per_clock / group_of(machine);
    const bool is_even = int(groups) % int(schedulers) == 0;
    if (groups > schedulers && !is_even) rule.groups[u] = int(groups);
  }
  return rule;
}

}  // namespace headroom
