#include "cli/explain.h"

namespace headroom {

namespace {

Occupancy occupancy_of(const Machine& machine, const LaunchRecord& record) {
  BlockShape shape;
  shape.threads = int(record.block.count());
  shape.registers = record.resources.registers;
  shape.static_shared = uint64_t(record.resources.static_shared.value_or(0));
  shape.dynamic_shared = record.dynamic_shared;
  return occupancy(machine, shape);
}

}  // namespace

std::vector<ExplainedLaunch> explain_launches(const Machine& machine,
                                              const std::vector<Record>& records) {
  std::vector<ExplainedLaunch> result;
  for (const Record& record : records)
    for (const LaunchRecord& launch : record.launches) {
      const Occupancy occupied = occupancy_of(machine, launch);
      // What never ran, or was interrupted, has no counters to bound.
      const bool has_run = launch.completed || counted(launch);
      result.push_back({launch, record.process, occupied,
                        has_run ? bound(machine, launch, occupied) : Bounds{}});
    }
  return result;
}

}  // namespace headroom
