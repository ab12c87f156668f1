#include "report/gpu_json.h"

#include "base/version.h"
#include "report/json_parts.h"

namespace headroom {
namespace {

template <class T>
Json known(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

constexpr const char* how_joined[] = {"no", "by order", "by shape"};

Json launch_json(const MeasuredLaunch& launch) {
  Json result = to_json(launch.timing);
  result["process"] = launch.process;
  result["occupancy"] = launch.occupancy ? Json(launch.occupancy->fraction) : Json();
  result["joined"] = how_joined[size_t(launch.joined)];
  const bool bound = launch.bounds && launch.bounds->limiter >= 0;
  result["floor_seconds"] = bound ? Json(launch.bounds->seconds) : Json();
  result["limiter"] =
      bound ? Json(name_of(launch.bounds->floors[launch.bounds->limiter].resource)) : Json();
  result["floor_basis"] = bound ? Json(estimated(*launch.bounds) ? "estimate" : "exact") : Json();
  result["certain_seconds"] = launch.bounds && launch.bounds->certain_limiter >= 0
                                  ? Json(launch.bounds->certain_seconds)
                                  : Json();
  result["useful_bytes"] = launch.bounds ? Json(launch.bounds->useful_bytes) : Json();
  result["moved_bytes"] = launch.bounds ? Json(launch.bounds->moved_bytes) : Json();
  result["headroom"] = known(launch.headroom());
  result["useful_rate"] = known(launch.useful_rate());
  result["moved_rate"] = known(launch.moved_rate());
  return result;
}

Json distribution_json(const Distribution& d) {
  if (d.count == 0) return nullptr;
  return {{"count", d.count}, {"median", d.median}, {"least", d.least},
          {"most", d.most},   {"total", d.total},   {"spread", known(d.spread)}};
}

Json group_json(const MeasuredExplanation& report, const MeasuredGroup& group) {
  const LaunchTiming& first = report.launches[group.launches.front()].timing;
  return {{"kernel", first.name},
          {"grid", to_json(first.shape.grid)},
          {"block", to_json(first.shape.block)},
          {"launches", group.launches.size()},
          {"seconds", distribution_json(group.seconds)},
          {"share", group.share},
          {"joined", group.joined},
          {"floor_seconds", known(group.floor_seconds)},
          {"limiter", group.limiter ? Json(name_of(*group.limiter)) : Json()},
          {"headroom", known(group.headroom)},
          {"useful_rate", known(group.useful_rate)},
          {"moved_rate", known(group.moved_rate)}};
}

Json copy_group_json(const CopyGroup& group) {
  return {{"direction", group.direction}, {"from", group.from},   {"to", group.to},
          {"calls", group.calls},         {"bytes", group.bytes}, {"seconds", group.seconds},
          {"rate", known(group.rate())}};
}

std::string text_of(const Json& json, int indent = -1) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

// Launches and copies may be millions: written one a line, never all of them as JSON values.
void append_list(std::string& text, const char* key, const auto& values, auto json) {
  text += std::string(",\n  \"") + key + "\": [";
  const char* before = "\n    ";
  for (const auto& value : values) {
    text += before + text_of(json(value));
    before = ",\n    ";
  }
  text += values.empty() ? "]" : "\n  ]";
}

std::string with_lists(std::string text, const MeasuredExplanation& report) {
  text.resize(text.rfind("\n}"));
  append_list(text, "launches", report.launches, launch_json);
  append_list(text, "copies", report.copies, [](const CopyTiming& copy) { return to_json(copy); });
  return text + "\n}\n";
}

}  // namespace

std::string gpu_json(const MeasuredExplanation& report) {
  Json result = {{"schema", timing_schema}, {"headroom", version()}};
  result["program"] = {{"command", report.command},
                       {"exit_code", report.end.exit_code},
                       {"signal", report.end.signal ? Json(report.end.signal) : Json()},
                       {"processes", report.processes}};
  result["gpu"] = report.device ? to_json(*report.device) : Json::object();
  result["gpu"]["name"] = report.gpu;
  result["gpu"]["driver_version"] = report.driver_version;
  result["gpu"]["cupti_version"] = report.cupti_version;
  result["machine"] = report.machine
                          ? Json{{"name", report.machine->name}, {"title", report.machine->title}}
                          : Json();
  result["counters"] = report.counters.empty() ? Json() : Json(report.counters);
  result["kernels"] =
      list(report.kernels, [&](const MeasuredGroup& group) { return group_json(report, group); });
  result["transfers"] = list(report.transfers, copy_group_json);
  result["caveats"] = list(report.caveats, caveat_json);
  result["totals"] = {{"launches", report.launches.size()},
                      {"kernels", report.kernel_names},
                      {"kernel_seconds", report.kernel_seconds}};
  return with_lists(text_of(result, 2), report);
}

}  // namespace headroom
