// A record's file back (writer.h). It was written line by line, so that a program which dies leaves a
// file whose last line may be cut off and whose others are whole; behind it are zeros, the room for
// lines that never came.
#include "record/record.h"

#include <fmt/format.h>

#include <charconv>
#include <fstream>
#include <map>

#include "record/json.h"
#include "record/writer.h"

namespace headroom {
namespace {

using Json = nlohmann::ordered_json;

std::string line(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

constexpr const char* foreign_hint = "run the program again with this version";

constexpr const char* unknown_number = "names a shape or an outcome that no line introduced";

// The lines of one file: what was introduced so far, and the launch that began last.
class Lines {
 public:
  Lines(Record& record, const std::string& path) : record_(record), path_(path) {}

  void take(const Json& json) {
    if (record_.ended) throw Error{"", "a line after the end"};
    if (json.contains("shape")) return keep(shapes_, json.at("shape"));
    if (json.contains("outcome")) return keep(outcomes_, json.at("outcome"));
    if (json.contains("listing")) {
      listings_.push_back(std::make_shared<MachineListing>(listing_from(json.at("listing"))));
      return;
    }
    if (json.contains("begin")) {
      return begin(json.at("begin").get<size_t>());
    }
    if (json.contains("ran")) {
      ran_ = launch_of(json.at("ran"));
      return;
    }
    if (json.contains("launch")) return take_launch(launch_of(json.at("launch")));
    if (json.contains("action")) return take_action(json.at("action"));
    take_end(json.at("end"));
  }

  void take_header(const Json& json) {
    if (!json.is_object() || !json.contains("schema"))
      throw Error{path_, "is not a record of headroom", foreign_hint};
    if (json.at("schema") != record_schema)
      throw Error{path_,
                  fmt::format("has the schema {}, and this version reads \"{}\"",
                              line(json.at("schema")), record_schema),
                  foreign_hint};
    record_.process = json.at("process").get<int>();
    record_.program = json.at("program").get<std::vector<std::string>>();
    record_.machine = json.at("machine").get<std::string>();
    counters_ = json.at("counters").get<std::vector<std::string>>();
  }

  // A line of what most are, as the writer writes it: false if it is another.
  bool take_often(const std::string& text) {
    if (record_.ended) return false;
    const char* const end = text.data() + text.size();
    const auto begins = [&](std::string_view with) {
      return text.compare(0, with.size(), with) == 0;
    };
    constexpr std::string_view began = "{\"begin\":", launched = "{\"launch\":[";
    if (begins(began)) {
      size_t shape = 0;
      const char* at = std::from_chars(text.data() + began.size(), end, shape).ptr;
      if (std::string_view(at, end) != "}") return false;
      begin(shape);
      return true;
    }
    if (!begins(launched)) return false;
    Pair pair;
    double seconds = 0;
    const char* at = std::from_chars(text.data() + launched.size(), end, pair.first).ptr;
    if (at == end || *at != ',') return false;
    at = std::from_chars(at + 1, end, pair.second).ptr;
    if (at == end || *at != ',') return false;
    at = std::from_chars(at + 1, end, seconds).ptr;
    if (std::string_view(at, end) != "]}") return false;
    take_launch(launch_of(pair, seconds));
    return true;
  }

  // A launch that began and has no line of its own.
  void take_begun() {
    if (ran_) {
      ran_->caveats.push_back({"no predicted time",
                               "the program was interrupted while it was predicted",
                               "its counters are whole; --no-model predicts none"});
      return take_launch(std::move(*ran_));
    }
    if (!begun_) return;
    LaunchRecord launch = launch_from(whole(shapes_.at(*begun_)));
    launch.index = int(record_.launches.size());
    launch.state = State::stopped;
    launch.caveats.push_back({"interrupted while it ran", "the program ended before the kernel did",
                              "its counters and floors are unknown; --hang-after 1e9 ends one "
                              "that never would"});
    take_launch(std::move(launch));
  }

 private:
  using Pair = std::pair<size_t, size_t>;  // a shape and an outcome

  static Json whole(const Json& part) {
    static const Json empty = to_json(LaunchRecord{});
    Json json = empty;
    json.update(part);
    return json;
  }

  void begin(size_t shape) {
    static_cast<void>(shapes_.at(shape));
    begun_ = shape;
  }

  void keep(std::vector<Json>& list, Json part) {
    if (list.size() == most_kept) {
      list.clear();
      merged_.clear();
    }
    list.push_back(std::move(part));
  }

  LaunchRecord merge(const Pair& pair) {
    Json json = whole(shapes_.at(pair.first));
    json.update(outcomes_.at(pair.second));
    const Json values = json.at("counters");
    json["counters"] = Json::object();
    for (size_t i = 0; i < counters_.size(); ++i) json["counters"][counters_[i]] = values.at(i);
    LaunchRecord launch = launch_from(json);
    if (json.contains("source")) launch.source = source_from(json.at("source"));
    return launch;
  }

  std::shared_ptr<const SourceCounts> source_from(const Json& json) {
    const auto& listing = listings_.at(json.at("listing").get<size_t>());
    const size_t instructions = listing->instructions.size();
    SourceCounts source{listing, instruction_counts_from(json, instructions), {}};
    for (const Json& each : json.value("examples", Json::array()))
      source.examples.push_back(example_from(each, instructions));
    if (const auto cycles = json.find("stalls"); cycles != json.end())
      source.stalls = stall_cycles_from(*cycles, instructions);
    return std::make_shared<SourceCounts>(std::move(source));
  }

  LaunchRecord launch_of(const Pair& pair, double seconds) {
    auto found = merged_.find(pair);
    if (found == merged_.end()) found = merged_.emplace(pair, merge(pair)).first;
    LaunchRecord launch = found->second;
    launch.index = int(record_.launches.size());
    launch.seconds = seconds;
    return launch;
  }

  LaunchRecord launch_of(const Json& numbers) {
    return launch_of({numbers.at(0).get<size_t>(), numbers.at(1).get<size_t>()},
                     numbers.at(2).get<double>());
  }

  void take_launch(LaunchRecord launch) {
    record_.launches.push_back(std::move(launch));
    over();
  }

  void over() {
    begun_.reset();
    ran_.reset();
  }

  void take_action(const Json& action) {
    record_.actions.push_back({action.at(0).get<std::string>(), action.at(1).get<int>(),
                               action.at(2).get<uint64_t>(), action.at(3).get<uint64_t>(),
                               action.at(4).get<double>(), action.at(5).get<uint64_t>(),
                               record_.launches.size()});
  }

  void take_end(const Json& end) {
    take_begun();
    for (const Json& transfer : end.at("transfers"))
      record_.transfers.push_back(transfer_from(transfer));
    record_.unsupported_calls = end.at("unsupported_calls").get<std::vector<std::string>>();
    if (end.contains("findings"))  // not in records of earlier versions
      for (const Json& finding : end.at("findings"))
        record_.findings.push_back(finding_from(finding));
    record_.event_times = end.value("event_times", uint64_t(0));
    record_.predicted_events = end.value("predicted_events", false);
    record_.timing_loops = end.value("timing_loops", uint64_t(0));
    record_.repeated = end.value("repeated", uint64_t(0));
    record_.ended = true;
  }

  Record& record_;
  const std::string& path_;
  std::vector<std::string> counters_;  // their names
  std::vector<Json> shapes_, outcomes_;
  std::vector<std::shared_ptr<const MachineListing>> listings_;
  std::map<Pair, LaunchRecord> merged_;
  std::optional<size_t> begun_;      // the shape
  std::optional<LaunchRecord> ran_;  // the same launch, whose time is not predicted yet
};

}  // namespace

Record read_record(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error{path, "cannot be read", "is the path right?"};
  Record record;
  Lines lines(record, path);
  std::string text;
  int number = 0;
  while (std::getline(file, text)) {
    const bool cut_off = file.eof();  // no newline behind it
    if (cut_off) text.erase(text.find_last_not_of('\0') + 1);
    if (text.empty() && cut_off) break;
    ++number;
    const auto where = [&] { return fmt::format("{}:{}", path, number); };
    try {
      if (number > 1 && !cut_off && lines.take_often(text)) continue;
      const Json json = Json::parse(text, nullptr, false);
      if (json.is_discarded() && number == 1)
        throw Error{path, "is not a record of headroom", foreign_hint};
      if (json.is_discarded() && cut_off) break;
      if (json.is_discarded()) throw Error{where(), "is not JSON", foreign_hint};
      number == 1 ? lines.take_header(json) : lines.take(json);
    } catch (const std::out_of_range&) {
      throw Error{where(), unknown_number, foreign_hint};
    } catch (const Json::exception& error) {
      throw Error{where(), fmt::format("is not a line of a record ({})", error.what()),
                  foreign_hint};
    } catch (const Error& error) {
      throw Error{error.where.empty() ? where() : error.where, error.problem,
                  error.hint.empty() ? foreign_hint : error.hint};
    }
  }
  if (number == 0)
    throw Error{path, "is empty", "the program ended before it used CUDA, or was stopped"};
  lines.take_begun();
  return record;
}

}  // namespace headroom
