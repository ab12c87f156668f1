// The figures of a launch that was just explained; report/read_figures.cpp reads the same from a file.
#include "model/figures.h"

namespace headroom {
namespace {

std::optional<double> sum(std::optional<int> a, std::optional<int> b) {
  return a && b ? std::optional(double(*a) + *b) : std::nullopt;
}

}  // namespace

std::vector<std::optional<double>> values_of(const ExplainedLaunch& launch) {
  const LaunchRecord& record = launch.record;
  std::vector<std::optional<double>> values(metrics().size());
  const auto set = [&](std::string_view name, std::optional<double> value) {
    values[*metric_of(name)] = value;
  };
  if (counted(record))
    for (const CounterField& field : counter_fields())
      if (record.engine == Engine::machine || !field.machine_code_alone)
        set(field.name, double(record.counters.*field.value));
  if (record.prediction) set("predicted_ns", record.prediction->seconds * 1e9);
  if (launch.bounds->limiter >= 0) set("floor_ns", launch.bounds->seconds * 1e9);
  set("occupancy", launch.occupancy->fraction * 100);
  const Resources& resources = record.resources;
  set("registers", resources.registers);
  if (resources.static_shared)
    set("shared", double(*resources.static_shared) + double(record.shape.dynamic_shared));
  set("spill", sum(resources.spill_stores, resources.spill_loads));
  set("stack", resources.stack);
  set("findings", double(record.findings.size()));
  return values;
}

}  // namespace headroom
