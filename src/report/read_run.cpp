#include "report/read_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "record/json.h"
#include "record/timing.h"
#include "report/run_json.h"

namespace headroom {
namespace {

using Json = nlohmann::ordered_json;

constexpr int deepest = 64;  // far more than a record has, far less than a stack takes
constexpr const char* hint = "give what 'headroom run --json FILE -- PROGRAM' wrote";

uint32_t index_of(const std::string& file, std::vector<std::string>& files) {
  const auto known = std::ranges::find(files, file);
  const auto index = uint32_t(known - files.begin());
  if (known == files.end()) files.push_back(file);
  return index;
}

// By address again, from the lines that they were written under.
std::shared_ptr<const SourceCounts> source_from(const Json& lines) {
  struct Counted {
    MachineInstruction instruction;
    InstructionCounts counts;
    std::optional<AccessExample> access;
    StallCycles stalls;
  };
  std::vector<Counted> all;
  MachineListing listing;
  bool predicted = false;
  for (const Json& line : lines) {
    const bool known = !line.at("file").is_null();
    const uint32_t file = known ? index_of(line.at("file"), listing.files) : no_source_file;
    if (known && !line.at("line").is_number_unsigned())
      throw Error{"", "the number of a source line is none"};
    const uint32_t number = known ? line.at("line").get<uint32_t>() : 0;
    for (const Json& each : line.at("instructions")) {
      InstructionCounts counts{};
      for (const InstructionCountField& field : instruction_count_fields())
        counts.*field.value = each.value(std::string(field.name), uint64_t(0));
      std::optional<AccessExample> access;
      if (const auto example = each.find("access"); example != each.end()) {
        Json whole = *example;
        whole["instruction"] = 0;
        access = example_from(whole, 1);
      }
      StallCycles waits{};
      for (const StallRow& row : stalls)
        if (const auto found = each.find("stalls"); found != each.end())
          waits[size_t(row.stall)] = std::max(0.0, found->value(std::string(row.name), 0.0));
      predicted |= each.contains("stalls");
      all.push_back({{each.at("address").get<uint64_t>(), each.at("text"), file, number},
                     counts,
                     access,
                     waits});
    }
  }
  std::ranges::stable_sort(all, {}, [](const Counted& each) { return each.instruction.address; });
  SourceCounts source;
  for (Counted& each : all) {
    if (each.access) {
      each.access->instruction = uint32_t(listing.instructions.size());
      source.examples.push_back(*each.access);
    }
    listing.instructions.push_back(std::move(each.instruction));
    source.counts.push_back(each.counts);
    if (predicted) source.stalls.push_back(each.stalls);
  }
  source.listing = std::make_shared<MachineListing>(std::move(listing));
  return std::make_shared<SourceCounts>(std::move(source));
}

LaunchRecord launch_of(Json json) {
  if (json.at("counters").is_null()) json["counters"] = to_json(Counters{}, Engine::ptx);
  json["seconds"] = json.at("executor_seconds");
  // Keys that this schema had not from the beginning.
  const State ended = json.at("completed").get<bool>() ? State::ran : State::stopped;
  Json whole = {{"cluster", nullptr},
                {"carveout", nullptr},
                {"cooperative", false},
                {"state", name_of(ended)}};
  whole.update(json);
  LaunchRecord launch = launch_from(whole);
  if (json.contains("source")) launch.source = source_from(json.at("source"));
  return launch;
}

Record& record_of(int process, std::vector<Record>& records) {
  const auto known = std::ranges::find(records, process, &Record::process);
  if (known != records.end()) return *known;
  Record& record = records.emplace_back();
  record.process = process;
  record.ended = true;
  return record;
}

// The launch that another is the same as; of those before it.
const LaunchRecord& same_as(const Json& place, const std::map<size_t, LaunchRecord>& whole) {
  const auto found = whole.find(place.get<size_t>());
  if (!place.is_number_unsigned() || found == whole.end())
    throw Error{"", "a launch is the same as one that is not before it"};
  return found->second;
}

std::vector<Record> records_from(const Json& json) {
  std::vector<Record> records;
  std::map<size_t, LaunchRecord> whole;  // by place
  const auto& launches = json.at("launches").get_ref<const Json::array_t&>();
  for (size_t i = 0; i < launches.size(); ++i) {
    const auto reference = launches[i].find("same_as");
    LaunchRecord launch = reference != launches[i].end()
                              ? same_as(*reference, whole)
                              : whole.emplace(i, launch_of(launches[i])).first->second;
    launch.index = launches[i].at("index").get<int>();
    launch.seconds = launches[i].at("executor_seconds").is_null()
                         ? std::nan("")
                         : launches[i].at("executor_seconds").get<double>();
    record_of(launches[i].at("process").get<int>(), records).launches.push_back(std::move(launch));
  }
  const Json& program = json.at("program");
  if (records.empty() && !program.at("used_cuda").get<bool>()) return records;
  if (records.empty()) record_of(0, records);
  Record& first = records.front();
  first.ended = !program.at("cut_off").get<bool>();
  for (const Json& each : json.at("transfers")) first.transfers.push_back(transfer_from(each));
  first.unsupported_calls = json.at("unsupported_calls").get<std::vector<std::string>>();
  first.event_times = json.at("event_times").get<uint64_t>();
  first.predicted_events = json.value("predicted_events", false);
  first.timing_loops = json.value("timing_loops", uint64_t(0));
  first.repeated = json.at("totals").value("launches_repeated", uint64_t(0));
  if (program.value("incomplete", false)) {
    Record& lost = records.emplace_back();
    lost.ended = lost.incomplete = true;
  }
  return records;
}

ProgramEnd end_from(const Json& program) {
  const Json& signal = program.at("signal");
  return {.exit_code = program.at("exit_code").get<int>(),
          .signal = signal.is_null() ? 0 : signal.get<int>()};
}

SavedRun run_from(const Json& json) {
  SavedRun run;
  run.command = json.at("program").at("command").get<std::vector<std::string>>();
  run.end = end_from(json.at("program"));
  run.machine = json.at("machine").at("name");
  run.records = records_from(json);
  for (const Json& caveat : json.at("caveats"))
    if (caveat.at("kernels").empty())
      run.caveats.push_back({caveat.at("what"), caveat.at("cause"), caveat.at("advice")});
  return run;
}

}  // namespace

SavedRun read_run(const std::string& path, const std::string& where) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error{where, "cannot be read", hint};
  if (std::filesystem::is_directory(path)) throw Error{where, "is a folder", hint};
  const auto is_flat = [&](int depth, Json::parse_event_t, Json&) {
    if (depth > deepest) throw Error{where, "is no record of a run: nested too deeply", hint};
    return true;
  };
  const Json json = Json::parse(file, is_flat, false);
  if (!json.is_object() || !json.contains("schema"))
    throw Error{where, "is no record of a run", hint};
  if (json.at("schema") != run_schema && json.at("schema") != whole_run_schema)
    throw Error{
        where,
        fmt::format("has the schema {}, wanted is \"{}\"", json.at("schema").dump(), run_schema),
        json.at("schema") == timing_schema
            ? "that run was measured on a GPU: count it without --gpu"
            : "run the program again with this version"};
  try {
    return run_from(json);
  } catch (const Json::exception& error) {
    throw Error{where, fmt::format("is damaged ({})", error.what()), hint};
  } catch (const Error& error) {
    throw Error{where, fmt::format("is damaged ({})", error.problem), hint};
  }
}

CountedRun counted_by(SavedRun run) {
  CountedRun counted;
  counted.machine = std::move(run.machine);
  counted.several_processes =
      std::ranges::count_if(run.records, [](auto& each) { return !each.launches.empty(); }) > 1;
  for (Record& record : run.records)
    std::ranges::move(record.launches, std::back_inserter(counted.launches));
  return counted;
}

}  // namespace headroom
