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
  }
  return text_of(outcome);
}

}  // namespace

size_t RecordWriter::number(Numbers& known, const char* kind, std::string text,
                            std::string& lines) {
  const auto found = known.find(text);
  if (found != known.end()) return found->second;
  if (known.size() == most_kept) known.clear();
  lines += fmt::format("{{\"{}\":{}}}\n", kind, text);
  const size_t next = known.size();
  known.emplace(std::move(text), next);
  return next;
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
  begun_ = number(shapes_, "shape", shape_of(launch), lines);
  return lines + fmt::format("{{\"begin\":{}}}\n", *begun_);
}

std::string RecordWriter::launch(const LaunchRecord& launch) {
  std::string lines;
  const size_t shape = begun_ ? *begun_ : number(shapes_, "shape", shape_of(launch), lines);
  const size_t listing = launch.source ? number(launch.source->listing, lines) : 0;
  const size_t outcome = number(outcomes_, "outcome", outcome_of(launch, listing), lines);
  begun_.reset();
  return lines +
         fmt::format("{{\"launch\":[{},{},{}]}}\n", shape, outcome, text_of(launch.seconds));
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
                    {"timing_loops", record.timing_loops}}}}) +
         "\n";
}

}  // namespace headroom
