#include "record/timing.h"

#include "record/json.h"

namespace headroom {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
Json known(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

}  // namespace

Json to_json(const LaunchTiming& launch) {
  Json json = {{"index", launch.index}, {"kernel", launch.name}};
  json.update(to_json(launch.shape));
  json.update({{"state", name_of(launch.state)},
               {"start", known(launch.start)},
               {"seconds", known(launch.seconds)},
               {"registers", launch.registers},
               {"static_shared", launch.static_shared},
               {"local_per_thread", launch.local_per_thread},
               {"shared_carveout", launch.shared_carveout ? Json(launch.shared_carveout) : Json()},
               {"device", launch.device},
               {"context", launch.context},
               {"stream", launch.stream},
               {"in_graph", launch.in_graph}});
  return json;
}

Json to_json(const CopyTiming& copy) {
  return {{"direction", copy.direction},
          {"from", copy.from.empty() ? Json() : Json(copy.from)},
          {"to", copy.to.empty() ? Json() : Json(copy.to)},
          {"bytes", copy.bytes},
          {"start", known(copy.start)},
          {"seconds", known(copy.seconds)},
          {"device", copy.device},
          {"to_device", copy.to_device},
          {"context", copy.context},
          {"stream", copy.stream},
          {"asynchronous", copy.asynchronous},
          {"in_graph", copy.in_graph}};
}

Json to_json(const GpuDevice& device) {
  return {{"id", device.id},
          {"name", device.name},
          {"compute_capability", device.compute_major + device.compute_minor / 10.0},
          {"multiprocessors", device.multiprocessors},
          {"clock_mhz", device.clock_mhz},
          {"memory_bytes", device.memory_bytes},
          {"memory_bandwidth", device.memory_bandwidth},
          {"l2_bytes", device.l2_bytes}};
}

}  // namespace headroom
