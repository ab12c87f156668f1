#include "report/check_document.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "base/version.h"
#include "record/json.h"
#include "report/format.h"
#include "report/json_parts.h"
#include "report/notes.h"

namespace headroom {

namespace {

std::string counts(const CheckReport& report) {
  if (saw_nothing(report)) return "no CUDA call was seen: nothing was checked";
  if (report.findings.empty()) return "no findings";
  std::map<std::string, size_t> by_class;
  for (const DistinctFinding& each : report.findings) ++by_class[class_of(each.first)];
  std::vector<std::string> parts;
  for (const auto& [name, number] : by_class) parts.push_back(fmt::format("{} {}", number, name));
  return fmt::format("{} ({})", text::counted(report.findings.size(), "finding", "findings"),
                     fmt::join(parts, ", "));
}

// "races and uninitialised values: not checked in a, b and 2 more"
std::string told(const CheckReport::NotChecked& one,
                 const std::map<std::string, std::string>& names) {
  constexpr size_t most_names = 3;
  std::vector<std::string> classes, kernels;
  for (const std::string& each : one.classes)
    classes.push_back(each == "race" ? "races" : "uninitialised values");
  for (size_t i = 0; i < std::min(one.kernels.size(), most_names); ++i)
    kernels.push_back(names.at(one.kernels[i]));
  const size_t more = one.kernels.size() - kernels.size();
  return fmt::format("{}: not checked in {}{}", fmt::join(classes, " and "),
                     fmt::join(kernels, ", "), more ? fmt::format(" and {} more", more) : "");
}

std::string what_ran(const Explanation& run) {
  if (run.launches.empty())
    return run.incomplete  ? "no launch could be recorded"
           : run.used_cuda ? "no kernel was launched"
                           : "the program made no CUDA call";
  std::string what =
      fmt::format("{} of {}", text::counted(run.launches.size(), "launch", "launches"),
                  text::counted(run.kernel_names, "kernel", "kernels"));
  if (run.stopped) what += fmt::format(", {} stopped", run.stopped);
  if (run.not_run) what += fmt::format(", {} not run", run.not_run);
  return what;
}

Json finding_json(const DistinctFinding& each) {
  Json json = to_json(each.first);
  json["class"] = class_of(each.first);
  json["times"] = each.times;
  json["launches"] = each.launches;
  return json;
}

}  // namespace

bool saw_nothing(const CheckReport& report) {
  const Explanation& run = report.run;
  return run.launches.empty() && !run.used_cuda && !run.incomplete && report.findings.empty() &&
         run.end.exit_code == 0 && !run.end.signal;
}

Document check_document(const CheckReport& report) {
  Document document{"headroom check"};
  for (const DistinctFinding& each : report.findings) document.add(finding_told(each));
  document.add(caveats_list(report.run));
  List notes;
  for (const std::string& rule : report.unused_rules)
    notes.items.push_back("note: no finding is suppressed by " + rule);
  document.add(notes);
  const std::string name = report.run.command.empty() ? "the program" : report.run.command[0];
  const std::string suppressed =
      report.suppressed.empty() ? "" : fmt::format(", {} suppressed", report.suppressed.size());
  if (failed_before_cuda(report.run)) {
    document.add(
        Heading{1,
                fmt::format("headroom check: {}: {}, before any CUDA call: nothing was checked",
                            name, how_it_ended(report.run.end)),
                ""});
    return document;
  }
  std::vector<std::string> parts{counts(report) + suppressed};
  const auto names = names_in_text(report.run);
  for (const CheckReport::NotChecked& each : report.not_checked) parts.push_back(told(each, names));
  if (!saw_nothing(report)) parts.push_back(what_ran(report.run));
  document.add(Heading{1,
                       fmt::format("headroom check: {}: {}; {}", name, fmt::join(parts, "; "),
                                   how_it_ended(report.run.end)),
                       ""});
  return document;
}

std::string check_json(const CheckReport& report) {
  const Explanation& run = report.run;
  Json result = {{"schema", "headroom-check/1"}, {"headroom", version()}};
  result["program"] = {{"command", run.command},
                       {"exit_code", run.end.exit_code},
                       {"signal", run.end.signal ? Json(run.end.signal) : Json()},
                       {"used_cuda", run.used_cuda},
                       {"cut_off", run.cut_off},
                       {"incomplete", run.incomplete}};
  result["machine"] = {{"name", run.machine.name}, {"title", run.machine.title}};
  result["findings"] = list(report.findings, finding_json);
  result["suppressed"] = list(report.suppressed, finding_json);
  result["unused_rules"] = report.unused_rules;
  result["not_checked"] = list(report.not_checked, [](const CheckReport::NotChecked& each) {
    return Json{{"classes", each.classes}, {"kernels", each.kernels}, {"why", each.why}};
  });
  result["caveats"] = list(run.caveats, run_caveat_json);
  result["totals"] = {{"launches", run.launches.size()},
                      {"launches_stopped", run.stopped},
                      {"launches_not_run", run.not_run},
                      {"kernels", run.kernel_names},
                      {"executor_seconds", run.executor_seconds}};
  return result.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace headroom
