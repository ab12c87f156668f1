#include "report/run_json.h"

#include <algorithm>
#include <unordered_map>

#include "base/version.h"
#include "model/source_page.h"
#include "model/verdict.h"
#include "report/json_parts.h"

namespace headroom {

namespace {

Json limit_json(const OccupancyLimit& limit) {
  return {{"resource", limit.resource},
          {"blocks", limit.blocks ? Json(*limit.blocks) : Json()},
          {"arithmetic", limit.arithmetic},
          {"relief", limit.relief},
          {"relief_blocks", limit.relief_blocks}};
}

Json occupancy_json(const Occupancy& o) {
  return {{"blocks_per_sm", o.blocks},
          {"warps", o.warps},
          {"max_warps", o.max_warps},
          {"fraction", o.fraction},
          {"limiters", o.limiters},
          {"limits", list(o.limits, limit_json)},
          {"impossible", o.impossible.empty() ? Json() : Json(o.impossible)}};
}

Json floor_json(const Floor& floor) {
  return {{"resource", name_of(floor.resource)},
          {"seconds", floor.seconds},
          {"basis", floor.basis == Basis::exact ? "exact" : "estimate"},
          {"certain", floor.certain},
          {"equation", floor.equation}};
}

// Counts that are not 0, and how often it was executed.
Json instruction_json(const MachineInstruction& instruction, const InstructionCounts& counts) {
  Json result = {
      {"address", instruction.address}, {"text", instruction.text}, {"executed", counts.executed}};
  for (const InstructionCountField& field : instruction_count_fields())
    if (counts.*field.value) result[std::string(field.name)] = counts.*field.value;
  return result;
}

Json source_json(const SourceCounts& source) {
  return list(source_lines(source), [&](const SourceLine& line) {
    return Json{{"file", line.file.empty() ? Json() : Json(line.file)},
                {"line", line.file.empty() ? Json() : Json(line.line)},
                {"instructions", list(line.instructions, [&](size_t i) {
                   Json json = instruction_json(source.listing->instructions[i], source.counts[i]);
                   if (!source.stalls.empty())
                     if (Json cycles = whole_stalls(source.stalls[i]); !cycles.empty())
                       json["stalls"] = std::move(cycles);
                   if (const AccessExample* access = example_of(source, i)) {
                     Json& example = json["access"] = to_json(*access);
                     example.erase("instruction");
                   }
                   return json;
                 })}};
  });
}

// The record's own keys, and what was explained beside them.
Json explained_json(const ExplainedLaunch& launch) {
  const Bounds& b = *launch.bounds;
  Json result = to_json(launch.record);
  if (!counted(launch.record)) result["counters"] = nullptr;
  result["executor_seconds"] = result["seconds"];
  result.erase("seconds");
  const auto& registers = launch.record.resources.registers;
  result["registers"] = registers ? Json(*registers) : Json();
  result["process"] = launch.process;
  result["mean_active_lanes"] = mean_active_lanes(launch.record.counters);
  result["occupancy"] = occupancy_json(*launch.occupancy);
  result["floors"] = list(b.floors, floor_json);
  result["floors_unknown"] = list(b.unknown, [](Resource unknown) { return name_of(unknown); });
  result["limiter"] = b.limiter < 0 ? Json() : Json(name_of(b.floors[b.limiter].resource));
  result["floor_seconds"] = b.seconds;
  result["floor_basis"] = b.limiter < 0 ? Json() : Json(estimated(b) ? "estimate" : "exact");
  result["certain_limiter"] =
      b.certain_limiter < 0 ? Json() : Json(name_of(b.floors[b.certain_limiter].resource));
  result["certain_seconds"] = b.certain_seconds;
  result["fits_l2"] = b.fits_l2;
  result["useful_bytes"] = b.useful_bytes;
  result["moved_bytes"] = b.moved_bytes;
  result["unique_bytes"] = b.unique_bytes;
  result["footprint_bytes"] = b.footprint_bytes;
  result["arithmetic_intensity"] = b.arithmetic_intensity;
  result["machine_balance"] = b.machine_balance > 0 ? Json(b.machine_balance) : Json();
  result["bound_by"] = launch.record.prediction ? Json(bound_or_wait(launch)) : Json();
  result["caveats"] = list(caveats_of(launch), caveat_json);
  if (launch.record.source) result["source"] = source_json(*launch.record.source);
  return result;
}

std::string one_line(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string indented(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

// Keys that tell launches apart which are the same otherwise.
constexpr const char* own_keys[] = {"index", "process", "executor_seconds"};

// Launch by launch into the empty list: as JSON values a hundred thousand of them take gigabytes. One
// that is as an earlier one but for its own keys has these alone, and the earlier one's place.
void fill_launches(std::string& text, const std::vector<ExplainedLaunch>& launches) {
  const std::string_view empty = "\n  \"launches\": []";  // no string holds a line's end
  std::string filled = "\n  \"launches\": [";
  std::unordered_map<std::string, size_t> places;  // by all but the own keys
  for (size_t i = 0; i < launches.size(); ++i) {
    filled += i ? ",\n    " : "\n    ";
    const Json whole = explained_json(launches[i]);
    Json own = Json::object(), shared = whole;
    for (const char* key : own_keys) {
      own[key] = whole.at(key);
      shared.erase(key);
    }
    const auto [place, is_new] = places.insert({one_line(shared), i});
    if (!is_new) {
      own["same_as"] = place->second;
      filled += one_line(own);
      continue;
    }
    for (const char c : indented(whole)) {
      filled += c;
      if (c == '\n') filled += "    ";
    }
  }
  filled += launches.empty() ? "]" : "\n  ]";
  text.replace(text.find(empty), empty.size(), filled);
}

// Counters of machine code alone are sums only where no launch lacks them.
Engine engine_of_all(const Explanation& report) {
  const bool machine =
      !report.launches.empty() &&
      std::ranges::all_of(report.launches, [](const ExplainedLaunch& launch) {
        return launch.record.engine == Engine::machine || launch.record.counters == Counters{};
      });
  return machine ? Engine::machine : Engine::ptx;
}

}  // namespace

std::string run_json(const Explanation& report) {
  Json result = {{"schema", run_schema}, {"headroom", version()}};
  result["program"] = {{"command", report.command},
                       {"exit_code", report.end.exit_code},
                       {"signal", report.end.signal ? Json(report.end.signal) : Json()},
                       {"used_cuda", report.used_cuda},
                       {"cut_off", report.cut_off},
                       {"incomplete", report.incomplete}};
  result["machine"] = {{"name", report.machine.name}, {"title", report.machine.title}};
  result["launches"] = Json::array();
  result["event_times"] = report.event_times;
  result["predicted_events"] = report.predicted_events;
  result["timing_loops"] = report.timing_loops;
  result["transfers"] = list(report.transfers, [](const Transfer& t) { return to_json(t); });
  result["unsupported_calls"] = report.unsupported_calls;
  result["findings"] = list(report.findings, [](const Finding& f) { return to_json(f); });
  result["caveats"] = list(report.caveats, run_caveat_json);
  result["totals"] = {{"launches", report.launches.size()},
                      {"launches_stopped", report.stopped},
                      {"launches_not_run", report.not_run},
                      {"launches_repeated", report.repeated},
                      {"kernels", report.kernel_names},
                      {"floor_seconds", report.total_seconds},
                      {"executor_seconds", report.executor_seconds},
                      {"counters", to_json(report.counters, engine_of_all(report))}};
  std::string text = indented(result);
  fill_launches(text, report.launches);
  return text + "\n";
}

}  // namespace headroom
