#include <cmath>

#include "base/version.h"
#include "report/compare_document.h"
#include "report/json_parts.h"

namespace headroom {

namespace {

Json value_json(const std::optional<double>& value) {
  if (!value) return nullptr;
  const bool whole = *value == std::floor(*value) && std::abs(*value) < 9e15;
  return whole ? Json(int64_t(*value)) : Json(*value);
}

Json change_json(const Change& change) {
  const bool both = change.before && change.after;
  const bool ratio = both && std::isfinite(change.percent());
  return {{"figure", metrics()[change.metric].name},
          {"old", value_json(change.before)},
          {"new", value_json(change.after)},
          {"change", both ? value_json(change.difference()) : Json()},
          {"percent", ratio ? Json(change.percent()) : Json()}};
}

Json shape_json(const LaunchShape& shape) {
  Json result = to_json(shape);
  for (const char* absent : {"mangled", "carveout", "cooperative"}) result.erase(absent);
  return result;
}

Json launches_json(const ComparedLaunches& launches) {
  return {{"launches", launches.count},
          {"old_state", name_of(launches.before->state)},
          {"new_state", name_of(launches.after->state)},
          {"changes", list(launches.changes, change_json)},
          {"because", launches.because ? change_json(*launches.because) : Json()}};
}

Json samples_json(const Samples& samples) {
  return {{"count", samples.count},
          {"median_ns", samples.median},
          {"lower_quartile_ns", samples.lower},
          {"upper_quartile_ns", samples.upper}};
}

Json measured_json(const SampleComparison& measured) {
  constexpr const char* verdicts[] = {"tie", "differ", "too few"};
  return {{"old", samples_json(measured.before)},
          {"new", samples_json(measured.after)},
          {"p", measured.p},
          {"verdict", verdicts[size_t(measured.verdict)]}};
}

Json compared_json(const ComparedKernel& kernel) {
  return {{"kernel", kernel.kernel},
          {"old", shape_json(kernel.before)},
          {"new", shape_json(kernel.after)},
          {"old_launches", kernel.launches_before},
          {"new_launches", kernel.launches_after},
          {"changed", kernel.changed()},
          {"launches", list(kernel.launches, launches_json)},
          {"measured", kernel.measured ? measured_json(*kernel.measured) : Json()}};
}

Json one_sided_json(const OneSided& kernel) {
  return {{"kernel", kernel.kernel},
          {"shape", shape_json(kernel.shape)},
          {"launches", kernel.launches}};
}

Json run_figures_json(const RunFigures& run) {
  return {{"file", run.file},
          {"command", run.command},
          {run.on_gpu ? "gpu" : "machine", run.machine.empty() ? Json() : Json(run.machine)},
          {"profiled", run.profiled},
          {"findings_of_calls", value_json(run.of_calls)}};
}

}  // namespace

std::string compare_json(const Comparison& comparison, const Judgement& judgement) {
  Json result = {{"schema", "headroom-compare/1"}, {"headroom", version()}};
  result["old"] = run_figures_json(comparison.before);
  result["new"] = run_figures_json(comparison.after);
  result["kernels"] = list(comparison.kernels, compared_json);
  result["only_old"] = list(comparison.only_before, one_sided_json);
  result["only_new"] = list(comparison.only_after, one_sided_json);
  result["caveats"] = list(comparison.caveats, caveat_json);
  result["violations"] = list(judgement.violations, [](const Violation& each) {
    return Json{{"gate", each.gate},
                {"kernel", each.kernel},
                {"launches", each.launches},
                {"change", change_json(each.change)}};
  });
  result["not_comparable"] = judgement.unknown;
  return result.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace headroom
