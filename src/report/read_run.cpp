#include "report/read_run.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "record/json.h"
#include "record/timing.h"
#include "report/run_json.h"

namespace headroom {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* hint = "give what 'headroom run --json FILE -- PROGRAM' wrote";

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
  return launch_from(whole);
}

}  // namespace

CountedRun read_run(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error{"--counters " + path, "cannot be read", hint};
  if (std::filesystem::is_directory(path)) throw Error{"--counters " + path, "is a folder", hint};
  const Json json = Json::parse(file, nullptr, false);
  if (!json.is_object() || !json.contains("schema"))
    throw Error{"--counters " + path, "is no record of a run", hint};
  if (json.at("schema") != run_schema)
    throw Error{
        "--counters " + path,
        fmt::format("has the schema {}, wanted is \"{}\"", json.at("schema").dump(), run_schema),
        json.at("schema") == timing_schema
            ? "that run was measured on a GPU: count it without --gpu"
            : "run the program again with this version"};
  CountedRun run;
  std::set<int> processes;
  try {
    run.machine = json.at("machine").at("name");
    for (const Json& launch : json.at("launches").get_ref<const Json::array_t&>()) {
      run.launches.push_back(launch_of(launch));
      processes.insert(launch.at("process").get<int>());
    }
  } catch (const Json::exception& error) {
    throw Error{"--counters " + path, fmt::format("is damaged ({})", error.what()), hint};
  }
  run.several_processes = processes.size() > 1;
  return run;
}

}  // namespace headroom
