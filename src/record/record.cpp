// The record's file: a header line, two lines per launch (it begins, it is over), an end line.
// Written line by line, so that a program which dies leaves a file whose last line may be cut off
// and whose others are whole.
#include "record/record.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>

#include "record/json.h"

namespace headroom {
namespace {

using Json = nlohmann::ordered_json;

// Arguments and paths may hold bytes that are not UTF-8: replaced, as JSON cannot keep them.
std::string line(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

constexpr const char* foreign_hint =
    "give a file that headroom wrote with --record, by this version";

void take_header(const Json& json, Record& record, const std::string& path) {
  if (!json.is_object() || !json.contains("schema"))
    throw Error{path, "is not a record of headroom", foreign_hint};
  if (json.at("schema") != record_schema)
    throw Error{path,
                fmt::format("has the schema {}, and this version reads \"{}\"",
                            line(json.at("schema")), record_schema),
                "run the program again with this version"};
  record.process = json.at("process").get<int>();
  record.program = json.at("program").get<std::vector<std::string>>();
  record.machine = json.at("machine").get<std::string>();
}

LaunchRecord begun_from(const Json& begin) {
  Json whole = to_json(LaunchRecord{});
  whole.update(begin);
  return launch_from(whole);
}

void take_begun(Record& record, std::optional<LaunchRecord>& begun) {
  if (!begun) return;
  begun->caveats.push_back({"interrupted while it ran", "the program ended before the kernel did",
                            "its counters and floors are unknown"});
  record.launches.push_back(std::move(*begun));
  begun.reset();
}

void take_line(const Json& json, Record& record, std::optional<LaunchRecord>& begun) {
  if (record.ended) throw Error{"", "a line after the end"};
  if (json.contains("begin")) {
    begun = begun_from(json.at("begin"));
    return;
  }
  if (json.contains("launch")) {
    record.launches.push_back(launch_from(json.at("launch")));
    begun.reset();
    return;
  }
  take_begun(record, begun);
  const Json& end = json.at("end");
  for (const Json& transfer : end.at("transfers"))
    record.transfers.push_back(transfer_from(transfer));
  record.unsupported_calls = end.at("unsupported_calls").get<std::vector<std::string>>();
  record.event_times = end.value("event_times", uint64_t(0));
  record.ended = true;
}

}  // namespace

std::string record_header_line(const Record& record) {
  return line({{"schema", record_schema},
               {"process", record.process},
               {"program", record.program},
               {"machine", record.machine}});
}

std::string record_begin_line(const LaunchRecord& launch) {
  static const Json empty = to_json(LaunchRecord{});
  const Json whole = to_json(launch);
  Json begin = Json::object();
  for (const auto& [key, value] : whole.items())
    if (value != empty.at(key)) begin[key] = value;
  return line({{"begin", std::move(begin)}});
}

std::string record_launch_line(const LaunchRecord& launch) {
  return line({{"launch", to_json(launch)}});
}

std::string record_end_line(const Record& record) {
  Json transfers = Json::array();
  for (const Transfer& transfer : record.transfers) transfers.push_back(to_json(transfer));
  return line({{"end",
                {{"launches", record.launches.size()},
                 {"transfers", std::move(transfers)},
                 {"unsupported_calls", record.unsupported_calls},
                 {"event_times", record.event_times}}}});
}

Record read_record(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error{path, "cannot be read", "is the path right?"};
  Record record;
  std::optional<LaunchRecord> begun;
  std::string text;
  int number = 0;
  while (std::getline(file, text)) {
    ++number;
    const bool cut_off = file.eof();  // no newline behind it
    const Json json = Json::parse(text, nullptr, false);
    if (json.is_discarded() && number == 1)
      throw Error{path, "is not a record of headroom", foreign_hint};
    if (json.is_discarded() && cut_off) break;
    const std::string where = fmt::format("{}:{}", path, number);
    try {
      if (json.is_discarded()) throw Error{where, "is not JSON", foreign_hint};
      number == 1 ? take_header(json, record, path) : take_line(json, record, begun);
    } catch (const Json::exception& error) {
      throw Error{where, fmt::format("is not a line of a record ({})", error.what()), foreign_hint};
    } catch (const Error& error) {
      throw Error{error.where.empty() ? where : error.where, error.problem,
                  error.hint.empty() ? foreign_hint : error.hint};
    }
  }
  if (number == 0)
    throw Error{path, "is empty", "the program ended before it used CUDA, or was stopped"};
  take_begun(record, begun);
  return record;
}

}  // namespace headroom
