#include "record/writer.h"

#include <fmt/format.h>

#include "base/version.h"
#include "kernel/resources.h"
#include "record/json.h"

namespace headroom {
namespace {

using Json = nlohmann::ordered_json;

// Arguments and paths may hold bytes that are not UTF-8: replaced, as JSON cannot keep them.
std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string shape_of(const LaunchRecord& launch) {
  Json json = launched_json(launch);
  json["caveats"] = to_json(launch.caveats);
  return text_of(json);
}

std::string outcome_of(const LaunchRecord& launch, size_t listing) {
  Json outcome = outcome_json(launch);
  Json& counters = outcome["counters"] = Json::array();
  for (const CounterField& field : counter_fields())
    counters.push_back(launch.counters.*field.value);
  if (launch.source) {
    Json& source = outcome["source"] = {{"listing", listing}};
    source.update(to_json(launch.source->counts));
    Json& examples = source["examples"] = Json::array();
    for (const AccessExample& each : launch.source->examples) examples.push_back(to_json(each));
    if (!launch.source->stalls.empty()) source["stalls"] = to_json(launch.source->stalls);
  }
  return text_of(outcome);
}

// Of all that shape_of and outcome_of write.
bool same_shape(const LaunchRecord& a, const LaunchRecord& b) {
  return a.shape == b.shape && a.stream == b.stream && a.device == b.device && a.name == b.name &&
         a.engine == b.engine && a.image == b.image && a.resources == b.resources &&
         a.caveats == b.caveats;
}
bool same_outcome(const LaunchRecord& a, const LaunchRecord& b) {
  return a.counters == b.counters && a.floor_seconds == b.floor_seconds && a.ordered == b.ordered &&
         a.state == b.state && !a.source && !b.source && a.caveats == b.caveats &&
         a.findings == b.findings && a.prediction == b.prediction;
}

constexpr size_t most_recent = 8;

}  // namespace

std::optional<size_t> RecordWriter::recent(const Numbers& known, const LaunchRecord& launch,
                                           Same same) {
  for (const auto& [before, number] : known.recent)
    if (same(before, launch)) return number;
  return std::nullopt;
}

void RecordWriter::remember(Numbers& known, const LaunchRecord& launch, size_t number) {
  if (known.recent.size() < most_recent) {
    known.recent.emplace_back(launch, number);
  } else {
    known.recent[known.next_recent++ % most_recent] = {launch, number};
  }
}

size_t RecordWriter::number(Numbers& known, const char* kind, std::string text,
                            std::string& lines) {
  const auto found = known.by_text.find(text);
  if (found != known.by_text.end()) return found->second;
  if (known.by_text.size() == most_kept) known = {};
  lines += fmt::format("{{\"{}\":{}}}\n", kind, text);
  const size_t next = known.by_text.size();
  known.by_text.emplace(std::move(text), next);
  return next;
}

size_t RecordWriter::shape(const LaunchRecord& launch, std::string& lines) {
  if (const auto known = recent(shapes_, launch, same_shape)) return *known;
  const size_t made = number(shapes_, "shape", shape_of(launch), lines);
  remember(shapes_, launch, made);
  return made;
}

size_t RecordWriter::outcome(const LaunchRecord& launch, std::string& lines) {
  if (const auto known = recent(outcomes_, launch, same_outcome)) return *known;
  const size_t listing = launch.source ? number(launch.source->listing, lines) : 0;
  const size_t made = number(outcomes_, "outcome", outcome_of(launch, listing), lines);
  if (!launch.source) remember(outcomes_, launch, made);
  return made;
}

size_t RecordWriter::number(const std::shared_ptr<const MachineListing>& listing,
                            std::string& lines) {
  const auto [known, is_new] = listings_.try_emplace(listing, listings_.size());
  if (is_new) lines += text_of({{"listing", to_json(*listing)}}) + "\n";
  return known->second;
}

std::string RecordWriter::header(const Record& record) {
  Json names = Json::array();
  for (const CounterField& field : counter_fields()) names.push_back(std::string(field.name));
  return text_of({{"schema", record_schema},
                  {"headroom", version()},
                  {"process", record.process},
                  {"program", record.program},
                  {"machine", record.machine},
                  {"counters", std::move(names)}}) +
         "\n";
}

std::string RecordWriter::begin(const LaunchRecord& launch) {
  std::string lines;
  begun_ = shape(launch, lines);
  return lines + fmt::format("{{\"begin\":{}}}\n", *begun_);
}

std::string RecordWriter::over(const char* kind, const LaunchRecord& launch) {
  std::string lines;
  const size_t what = begun_ ? *begun_ : shape(launch, lines), became = outcome(launch, lines);
  return lines +
         fmt::format("{{\"{}\":[{},{},{}]}}\n", kind, what, became, text_of(launch.seconds));
}

std::string RecordWriter::ran(const LaunchRecord& launch) { return over("ran", launch); }

std::string RecordWriter::launch(const LaunchRecord& launch) {
  const std::string lines = over("launch", launch);
  begun_.reset();
  return lines;
}

std::string RecordWriter::action(const HostAction& action) {
  const Json values = {action.what,  action.device,  action.stream,
                       action.bytes, action.seconds, action.after};
  return text_of({{"action", values}}) + "\n";
}

std::string RecordWriter::end(const Record& record, size_t launches) {
  Json transfers = Json::array();
  for (const Transfer& transfer : record.transfers) transfers.push_back(to_json(transfer));
  Json findings = Json::array();
  for (const Finding& finding : record.findings) findings.push_back(to_json(finding));
  return text_of({{"end",
                   {{"launches", launches},
                    {"transfers", std::move(transfers)},
                    {"unsupported_calls", record.unsupported_calls},
                    {"findings", std::move(findings)},
                    {"event_times", record.event_times},
                    {"predicted_events", record.predicted_events},
                    {"timing_loops", record.timing_loops},
                    {"repeated", record.repeated}}}}) +
         "\n";
}

}  // namespace headroom
