#include "report/run_json.h"

#include <nlohmann/json.hpp>

namespace headroom {

namespace {

using Json = nlohmann::ordered_json;

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

Json json(const Dim3& d) { return {d.x, d.y, d.z}; }

Json json(const Caveat& c) { return {{"what", c.what}, {"cause", c.cause}, {"advice", c.advice}}; }

Json json(const Finding& f) {
  return {{"kind", f.kind},
          {"kernel", f.kernel},
          {"source", f.source},
          {"instruction", f.instruction},
          {"block", f.block},
          {"thread", f.thread},
          {"address", f.address},
          {"what", f.what},
          {"cuda_error", f.cuda_error}};
}

Json json(const OccupancyLimit&);
Json json(const Floor&);
Json json(const ExplainedLaunch&);
Json json(const Transfer&);

template <class T>
Json list(const std::vector<T>& values) {
  Json result = Json::array();
  for (const T& value : values) result.push_back(json(value));
  return result;
}

Json json(const Counters& counters) {
  Json result = Json::object();
  for (const CounterField& field : counter_fields())
    result[std::string(field.name)] = counters.*field.value;
  return result;
}

Json json(const Resources& r) {
  return {{"registers", or_null(r.registers)},
          {"static_shared", or_null(r.static_shared)},
          {"stack", or_null(r.stack)},
          {"spill_stores", or_null(r.spill_stores)},
          {"spill_loads", or_null(r.spill_loads)},
          {"constant", or_null(r.constant)},
          {"from", r.from}};
}

Json json(const OccupancyLimit& l) {
  return {{"resource", l.resource},
          {"blocks", or_null(l.blocks)},
          {"arithmetic", l.arithmetic},
          {"relief", l.relief},
          {"relief_blocks", l.relief_blocks}};
}

Json json(const Occupancy& o) {
  return {{"blocks_per_sm", o.blocks},
          {"warps", o.warps},
          {"max_warps", o.max_warps},
          {"fraction", o.fraction},
          {"limiters", o.limiters},
          {"limits", list(o.limits)},
          {"impossible", o.impossible.empty() ? Json() : Json(o.impossible)}};
}

Json json(const Floor& f) {
  return {{"resource", f.resource},
          {"seconds", f.seconds},
          {"basis", f.basis == Basis::exact ? "exact" : "estimate"},
          {"equation", f.equation}};
}

Json json(const ExplainedLaunch& launch) {
  const LaunchRecord& r = launch.record;
  const Bounds& b = launch.bounds;
  Json result = {{"index", r.index},
                 {"process", launch.process},
                 {"kernel", r.kernel},
                 {"mangled", r.mangled},
                 {"image", r.image},
                 {"grid", json(r.grid)},
                 {"block", json(r.block)},
                 {"dynamic_shared", r.dynamic_shared},
                 {"device", r.device},
                 {"stream", r.stream},
                 {"registers", or_null(r.resources.registers)},
                 {"resources", json(r.resources)},
                 {"counters", counted(r) ? json(r.counters) : Json()},
                 {"mean_active_lanes", mean_active_lanes(r.counters)},
                 {"occupancy", json(launch.occupancy)},
                 {"floors", list(b.floors)},
                 {"floors_unknown", b.unknown},
                 {"limiter", b.limiter < 0 ? Json() : Json(b.floors[b.limiter].resource)},
                 {"floor_seconds", b.seconds},
                 {"fits_l2", b.fits_l2},
                 {"useful_bytes", b.useful_bytes},
                 {"moved_bytes", b.moved_bytes},
                 {"unique_bytes", b.unique_bytes},
                 {"arithmetic_intensity", b.arithmetic_intensity},
                 {"machine_balance", b.machine_balance > 0 ? Json(b.machine_balance) : Json()},
                 {"completed", r.completed},
                 {"ordered", r.ordered},
                 {"executor_seconds", r.seconds},
                 {"findings", list(r.findings)}};
  result["caveats"] = list(caveats_of(launch));
  return result;
}

Json json(const Transfer& t) {
  return {{"direction", t.direction}, {"calls", t.calls}, {"bytes", t.bytes}};
}

}  // namespace

std::string run_json(const RunReport& report) {
  Json result = {{"schema", run_schema}};
  result["program"] = {{"command", report.command},
                       {"exit_code", report.end.exit_code},
                       {"signal", report.end.signal ? Json(report.end.signal) : Json()},
                       {"used_cuda", report.used_cuda},
                       {"cut_off", report.cut_off}};
  result["machine"] = {{"name", report.machine.name}, {"title", report.machine.title}};
  result["launches"] = list(report.launches);
  result["transfers"] = list(report.transfers);
  result["unsupported_calls"] = report.unsupported_calls;
  result["findings"] = list(report.findings);
  result["caveats"] = list(report.caveats);
  result["totals"] = {{"launches", report.launches.size()},
                      {"kernels", report.kernels.size()},
                      {"floor_seconds", report.total_seconds},
                      {"executor_seconds", report.executor_seconds},
                      {"counters", json(report.counters)}};
  return result.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace headroom
