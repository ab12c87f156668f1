#include "report/sarif.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <optional>
#include <set>

#include "report/format.h"
#include "report/json_parts.h"

namespace headroom {

namespace {

struct Line {
  std::string file;
  int number = 0;
};

// "reduce.cu:12"; nothing of "PTX line 40 (compile with …)".
std::optional<Line> line_of(const std::string& source) {
  const size_t colon = source.rfind(':');
  if (colon == source.npos || colon + 1 == source.size()) return std::nullopt;
  const std::string digits = source.substr(colon + 1);
  if (digits.size() > 9 || !std::ranges::all_of(digits, [](unsigned char c) { return isdigit(c); }))
    return std::nullopt;
  return Line{source.substr(0, colon), std::stoi(digits)};
}

// What a URI may hold as it is; all else is %XX.
std::string uri(const std::string& path) {
  std::string text;
  for (const unsigned char c : path)
    text += isalnum(c) || std::string_view("-._~/").find(char(c)) != std::string_view::npos
                ? std::string(1, char(c))
                : fmt::format("%{:02X}", c);
  return text;
}

Json file_json(const std::string& file, const std::string& root) {
  const std::filesystem::path path = std::filesystem::path(file).lexically_normal(),
                              below = path.lexically_relative(root);
  if (path.is_relative()) return {{"uri", uri(path.string())}, {"uriBaseId", "%SRCROOT%"}};
  if (!below.empty() && *below.begin() != "..")
    return {{"uri", uri(below.string())}, {"uriBaseId", "%SRCROOT%"}};
  return {{"uri", "file://" + uri(path.string())}};
}

Json location(const std::string& source, const std::string& kernel, const std::string& message,
              const std::string& root) {
  Json json;
  if (const auto line = line_of(source))
    json["physicalLocation"] = {{"artifactLocation", file_json(line->file, root)},
                                {"region", {{"startLine", std::max(1, line->number)}}}};
  if (!kernel.empty())
    json["logicalLocations"] = {{{"fullyQualifiedName", kernel}, {"kind", "function"}}};
  if (!message.empty()) json["message"] = {{"text", message}};
  return json;
}

std::string hash_of(const std::vector<std::string>& parts) {
  uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
  for (const std::string& part : parts)
    for (const unsigned char c : part + '\n') hash = (hash ^ c) * 0x100000001b3;
  return fmt::format("{:016x}", hash);
}

// The same for a finding whose line moved: of its kind, kernel, file and instructions. Those of calls have
// nothing else to tell them apart.
std::string fingerprint(const Finding& finding) {
  const auto line = line_of(finding.source);
  const std::string file =
      line ? std::filesystem::path(line->file).filename().string() : std::string();
  return hash_of({finding.kind, finding.kernel, file, finding.instruction,
                  finding.other ? finding.other->instruction : std::string(),
                  finding.kernel.empty() ? finding.what + finding.source : std::string()});
}

Json result_json(const DistinctFinding& each, const std::string& root, bool suppressed) {
  const Finding& finding = each.first;
  std::string message = finding.what;
  if (!finding.kernel.empty()) message += " (in " + finding.kernel + ")";
  if (!finding.advice.empty()) message += ". To do: " + finding.advice;
  Json json = {{"ruleId", finding.kind},
               {"level", "error"},
               {"message", {{"text", message}}},
               {"locations", Json::array()},
               {"partialFingerprints", {{"headroom/v1", fingerprint(finding)}}},
               {"occurrenceCount", std::max<uint64_t>(1, each.times)}};
  if (!finding.kernel.empty())
    json["locations"].push_back(location(finding.source, finding.kernel, "", root));
  if (const auto& other = finding.other; other && !other->source.empty())
    json["relatedLocations"] = {location(other->source,
                                         other->kernel.empty() ? finding.kernel : other->kernel,
                                         "the " + other->use, root)};
  if (suppressed) json["suppressions"] = {{{"kind", "external"}}};
  return json;
}

constexpr double least_gain = 0.05;  // of a launch's time: less is not worth a remark

// Of the launch with the largest floor: launches of one shape are advised alike. Nothing where no line is known.
void take_advice(const ExplainedLaunch& launch, const std::string& root,
                 std::set<std::string>& kinds, Json& results) {
  if (!launch.record.prediction) return;
  const Prediction& prediction = *launch.record.prediction;
  for (const Advice& advice : prediction.advice) {
    if (advice.file.empty() || advice.gain_seconds < least_gain * prediction.seconds) continue;
    const std::string kind = "advice_" + advice.id,
                      where = fmt::format("{}:{}", advice.file, advice.line);
    kinds.insert(kind);
    results.push_back(
        {{"ruleId", kind},
         {"level", "note"},
         {"message",
          {{"text", fmt::format("{}: {}; it costs {} of {}, as predicted. To do: {}",
                                text::short_name(launch.record.name), advice.what,
                                microseconds(advice.gain_seconds), microseconds(prediction.seconds),
                                advice.next)}}},
         {"locations", Json::array({location(where, launch.record.name, "", root)})},
         {"partialFingerprints",
          {{"headroom/v1", hash_of({kind, launch.record.name,
                                    std::filesystem::path(advice.file).filename().string()})}}}});
  }
}

// "race_shared" -> "Race shared": the rule's name where nothing else is known of it.
Json rule_json(const std::string& kind) {
  std::string words = kind;
  std::ranges::replace(words, '_', ' ');
  return {{"id", kind}, {"shortDescription", {{"text", words}}}};
}

// Of one run of a program.
std::string whole(const Explanation& run, const std::set<std::string>& kinds, Json results,
                  const std::string& root, const std::string& version) {
  Json invocation = {{"executionSuccessful", !run.incomplete && !run.cut_off},
                     {"exitCode", run.end.exit_code}};
  if (run.end.signal) invocation["exitSignalNumber"] = run.end.signal;
  Json notes = list(run.caveats, [](const RunCaveat& caveat) {
    const std::string text = caveat.what + (caveat.cause.empty() ? "" : "; " + caveat.cause);
    return Json{{"level", caveat.what == not_checked_for_races ? "warning" : "note"},
                {"message", {{"text", text}}}};
  });
  if (!notes.empty()) invocation["toolExecutionNotifications"] = std::move(notes);
  const Json driver = {
      {"name", "headroom"}, {"version", version}, {"rules", list(kinds, rule_json)}};
  const Json one = {
      {"tool", {{"driver", driver}}},
      {"originalUriBaseIds",
       {{"%SRCROOT%", {{"uri", "file://" + uri(root) + (root.ends_with('/') ? "" : "/")}}}}},
      {"invocations", Json::array({invocation})},
      {"results", std::move(results)}};
  const Json all = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                    {"version", "2.1.0"},
                    {"runs", Json::array({one})}};
  return all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string sarif(const CheckReport& report, const std::string& root, const std::string& version) {
  std::set<std::string> kinds;
  Json results = Json::array();
  for (const DistinctFinding& each : report.findings) {
    kinds.insert(each.first.kind);
    results.push_back(result_json(each, root, false));
  }
  for (const DistinctFinding& each : report.suppressed) {
    kinds.insert(each.first.kind);
    results.push_back(result_json(each, root, true));
  }
  return whole(report.run, kinds, std::move(results), root, version);
}

std::string sarif(const Explanation& run, const std::string& root, const std::string& version) {
  std::set<std::string> kinds;
  Json results = Json::array();
  for (const DistinctFinding& each : distinct(run.findings)) {
    kinds.insert(each.first.kind);
    results.push_back(result_json(each, root, false));
  }
  for (const KernelGroup& kernel : run.kernels)
    take_advice(run.worst(kernel), root, kinds, results);
  return whole(run, kinds, std::move(results), root, version);
}

}  // namespace headroom
