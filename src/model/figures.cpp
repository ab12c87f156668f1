#include "model/figures.h"

#include <algorithm>

#include "record/counters.h"

namespace headroom {

const std::vector<Metric>& metrics() {
  static const std::vector<Metric> all = [] {
    std::vector<Metric> result;
    for (const CounterField& field : counter_fields()) result.push_back({field.name, field.unit});
    for (const Metric& more : {Metric{"predicted_ns", "ns"},
                               {"floor_ns", "ns"},
                               {"occupancy", "%"},
                               {"registers", "a thread"},
                               {"shared", "B a block"},
                               {"spill", "B a thread"},
                               {"stack", "B a thread"},
                               {"findings", ""},
                               {measured_metric, "ns"},
                               {launches_metric, ""}})
      result.push_back(more);
    return result;
  }();
  return all;
}

std::optional<size_t> metric_of(std::string_view name) {
  const auto found = std::ranges::find(metrics(), name, &Metric::name);
  if (found == metrics().end()) return std::nullopt;
  return size_t(found - metrics().begin());
}

}  // namespace headroom
