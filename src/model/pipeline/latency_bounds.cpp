#include "model/pipeline/latency_bounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/quantity.h"

namespace headroom {

std::vector<LatencyBound> latency_bounds(const LaunchModel& model, const LaunchTime& time) {
  const PredictTask& task = model.task;
  const size_t warps = size_t(std::ceil(double(task.record.shape.block.count()) / 32));
  std::vector<LatencyBound> bounds{
      {"launch", model.overhead, "the launch begins and ends"},
      {"critical_path", model.overhead + (model.way_alone + model.longest_rest) / model.clock,
       fmt::format("its longest warp, alone on an SM: {} cycles",
                   prefixed(model.way_alone + model.longest_rest, ""))}};
  if (model.blocks_of_sm > 1)
    bounds.push_back(
        {"block_starts",
         model.overhead + (model.blocks_of_sm - 1) * cycles_of_start(warps) / model.clock,
         fmt::format("the busiest SM starts {:.0f} blocks, one every {:.0f} cycles",
                     model.blocks_of_sm, cycles_of_start(warps))});
  if (model.atomic_seconds > 0)
    bounds.push_back({"atomics", model.overhead + model.atomic_seconds,
                      "atomics of the busiest place in L2, one after the other"});
  if (model.retry_seconds > 0)
    bounds.push_back({"retried_swaps", model.overhead + model.retry_seconds,
                      "compare-and-swap at the busiest place, tried until it holds"});
  if (time.store_seconds > 0)
    bounds.push_back({"same_stores", model.overhead + time.store_seconds,
                      "stores of all blocks to one place in L2, one after the other"});
  std::ranges::stable_sort(bounds, std::ranges::greater{}, &LatencyBound::seconds);
  return bounds;
}

}  // namespace headroom
