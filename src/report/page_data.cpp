#include "report/page_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "model/curves.h"
#include "model/roofline.h"
#include "model/verdict.h"
#include "report/format.h"
#include "report/json_parts.h"
#include "report/page_kernel.h"

namespace headroom {
namespace {

constexpr size_t most_of_a_signature = 600;

Json page_known(bool known, double value) { return known ? Json(value) : Json(); }

double time_of(const KernelGroup& kernel) {
  return kernel.predicted_seconds.value_or(kernel.total_seconds);
}

std::vector<const KernelGroup*> by_time(const Explanation& report) {
  std::vector<const KernelGroup*> kernels;
  for (const KernelGroup& kernel : report.kernels) kernels.push_back(&kernel);
  std::ranges::stable_sort(kernels, std::greater{}, [](auto* each) { return time_of(*each); });
  return kernels;
}

// A kernel's row: its columns, and what stands in each.
struct RowColumnOfPage {
  const char* name;
  Json (*value)(const KernelGroup&, const ExplainedLaunch& worst);
};

std::string bound_word(const KernelGroup& kernel, const ExplainedLaunch& launch) {
  if (launch.record.prediction) return bound_or_wait(launch);
  if (kernel.limiter) return std::string(title_of(*kernel.limiter));
  const std::string state = text::state_word(launch.record.state);
  return state.empty() ? "unknown" : state;
}

using Group = KernelGroup;
using Worst = ExplainedLaunch;

constexpr RowColumnOfPage page_columns[] = {
    {"launches", [](const Group& g, const Worst&) -> Json { return g.launches.size(); }},
    {"first", [](const Group&, const Worst& w) -> Json { return w.record.index; }},
    {"grid", [](const Group&, const Worst& w) -> Json { return to_json(w.record.shape.grid); }},
    {"block", [](const Group&, const Worst& w) -> Json { return to_json(w.record.shape.block); }},
    {"registers",
     [](const Group&, const Worst& w) -> Json {
       const auto& registers = w.record.resources.registers;
       return registers ? Json(*registers) : Json();
     }},
    {"occupancy",
     [](const Group&, const Worst& w) -> Json {
       return page_known(w.occupancy->impossible.empty(), w.occupancy->fraction);
     }},
    {"limited by",
     [](const Group&, const Worst& w) -> Json {
       return fmt::format("{}", fmt::join(w.occupancy->limiters, ", "));
     }},
    {"predicted",
     [](const Group&, const Worst& w) -> Json {
       return w.record.prediction ? Json(w.record.prediction->seconds) : Json();
     }},
    {"unlike",  // the shortest launch, and the longest
     [](const Group& g, const Worst&) -> Json {
       return g.unlike() ? Json{g.least_predicted, g.most_predicted} : Json();
     }},
    {"range",
     [](const Group&, const Worst& w) -> Json {
       const auto& p = w.record.prediction;
       return p ? Json{p->low_seconds, p->high_seconds} : Json();
     }},
    {"all predicted",
     [](const Group& g, const Worst&) -> Json {
       return g.predicted_seconds ? Json(*g.predicted_seconds) : Json();
     }},
    {"floor",
     [](const Group& g, const Worst&) -> Json {
       return page_known(g.limiter.has_value(), g.floor_seconds);
     }},
    {"all floors",
     [](const Group& g, const Worst&) -> Json {
       return page_known(g.limiter.has_value(), g.total_seconds);
     }},
    {"bound by", [](const Group& g, const Worst& w) -> Json { return bound_word(g, w); }},
    {"by PTX",
     [](const Group&, const Worst& w) -> Json { return int(w.record.engine == Engine::ptx); }},
    {"intensity",
     [](const Group&, const Worst& w) -> Json {
       const auto point = roofline_point(w);
       return point ? Json(point->intensity) : Json();
     }},
    {"rate",
     [](const Group&, const Worst& w) -> Json {
       const auto point = roofline_point(w);
       return point ? Json(point->rate) : Json();
     }},
};

Json machine_json(const Machine& machine) {
  return {{"name", machine.name},
          {"title", machine.title},
          {"warps", machine.max_warps_per_sm.value_or(0)},
          {"banks", machine.shared_banks.value_or(32)},
          {"roofs", list(roofs(machine), [](const Roof& roof) {
             return Json{{"title", roof.title},
                         {"arithmetic", roof.arithmetic},
                         {"rate", roof.rate},
                         {"memory", roof.of_memory}};
           })}};
}

std::string compact_text(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// Signatures, each once, and how a table calls them.
struct Names {
  std::map<std::string, size_t> known;
  Json signatures = Json::array(), shorts = Json::array();
  size_t number(const std::string& name) {
    const auto [place, is_new] = known.insert({name, known.size()});
    if (is_new) {
      signatures.push_back(text::shorten(name, most_of_a_signature));
      shorts.push_back(text::shorten(text::bare_name(name), most_of_a_signature));
    }
    return place->second;
  }
};

// {over, unit, here, last, steps [[from, blocks, warps], …]}
Json curve_json(const OccupancyCurve& curve) {
  return {{"over", curve.over},
          {"unit", curve.unit},
          {"here", curve.here ? Json(*curve.here) : Json()},
          {"last", curve.last},
          {"steps", list(curve.steps, [](const OccupancyStep& step) {
             return Json{step.from, step.blocks, step.warps};
           })}};
}

// Curves of occupancy, those of equal blocks once: to sweep them takes longer than all else.
struct Curves {
  std::map<std::string, size_t> known;
  Json all = Json::array();
  size_t number(const Machine& machine, const LaunchRecord& record) {
    const BlockShape block = block_of(machine, record.shape, record.resources);
    const auto [place, is_new] = known.insert(
        {fmt::format("{} {} {} {} {} {} {}", block.threads, block.registers.value_or(-1),
                     block.static_shared, block.static_shared_unknown, block.dynamic_shared,
                     block.carveout.value_or(-1), block.max_threads.value_or(-1)),
         known.size()});
    if (is_new)
      all.push_back(list(occupancy_curves(machine, record.shape, record.resources), curve_json));
    return place->second;
  }
};

}  // namespace

std::string page_data(const Explanation& report, size_t most_bytes) {
  Names names;
  Json columns = Json::array({"name"}), rows = Json::array();
  for (const RowColumnOfPage& column : page_columns) columns.push_back(column.name);
  const auto kernels = by_time(report);
  for (const KernelGroup* kernel : kernels) {
    const ExplainedLaunch& worst = report.worst(*kernel);
    Json& row = rows.emplace_back(Json::array({names.number(worst.record.name)}));
    for (const RowColumnOfPage& column : page_columns) row.push_back(column.value(*kernel, worst));
  }
  Json data = {{"machine", machine_json(report.machine)},
               {"totals",
                {{"launches", report.launches.size()},
                 {"kernels", report.kernel_names},
                 {"floors", report.total_seconds},
                 {"predicted", report.predicted_seconds ? Json(*report.predicted_seconds) : Json()},
                 {"executor", report.executor_seconds},
                 {"findings", report.findings.size()}}},
               {"names", std::move(names.signatures)},
               {"short", std::move(names.shorts)},
               {"columns", std::move(columns)},
               {"kernels", std::move(rows)}};
  std::string details;
  size_t taken = compact_text(data).size();
  Curves curves;
  for (const KernelGroup* kernel : kernels) {
    Json detail = page_kernel(report, *kernel);
    const size_t curves_before = curves.all.size();
    detail["curves"] = curves.number(report.machine, report.worst(*kernel).record);
    const std::string text = compact_text(detail);
    taken += text.size() + 1;
    if (curves.all.size() > curves_before) taken += compact_text(curves.all.back()).size() + 1;
    if (taken > most_bytes) break;
    details += (details.empty() ? "" : ",") + text;
  }
  data["curves"] = std::move(curves.all);
  std::string text = compact_text(data);
  text.pop_back();
  return text + ",\"details\":[" + details + "]}";
}

}  // namespace headroom
