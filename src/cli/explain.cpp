#include "cli/explain.h"

namespace headroom {

std::vector<ExplainedLaunch> explain_launches(const Machine& machine,
                                              const std::vector<Record>& records) {
  std::vector<ExplainedLaunch> result;
  for (const Record& record : records)
    for (const LaunchRecord& launch : record.launches) {
      const Occupancy occupied = occupancy_of(machine, launch.shape, launch.resources);
      // What never ran, or was interrupted, has no counters to bound.
      const bool has_run = launch.completed() || counted(launch);
      result.push_back({launch, record.process, occupied,
                        has_run ? bound(machine, launch, occupied) : Bounds{}});
    }
  return result;
}

}  // namespace headroom
