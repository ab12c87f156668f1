// What probes said, as text and back: their lines of output, and the file that keeps them.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "machine/measured.h"

namespace headroom {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

MeasuredValue value_from(const json& object) {
  MeasuredValue value{object.at("value"), object.at("unit"), object.value("instruction", "")};
  if (object.contains("at")) value.at = object["at"].get<std::map<std::string, double>>();
  value.median = object.at("median");
  value.least = object.at("least");
  value.most = object.at("most");
  value.samples = object.at("samples");
  return value;
}

ordered_json json_of(const MeasuredValue& value) {
  ordered_json object{
      {"value", value.name}, {"unit", value.unit}, {"instruction", value.instruction}};
  if (!value.at.empty()) object["at"] = value.at;
  object["median"] = value.median;
  object["least"] = value.least;
  object["most"] = value.most;
  object["samples"] = value.samples;
  return object;
}

Caveat caveat_from(const json& object) {
  return {object.at("what"), object.at("cause"), object.at("advice")};
}
ordered_json json_of(const Caveat& caveat) {
  return {{"what", caveat.what}, {"cause", caveat.cause}, {"advice", caveat.advice}};
}

std::optional<Clock> clock_from(const json& object, const char* key) {
  if (!object.contains(key)) return {};
  const json& clock = object[key];
  return Clock{clock.at("median"), clock.at("least"), clock.at("most")};
}
ordered_json json_of(const Clock& clock) {
  return {{"unit", "MHz"}, {"median", clock.median}, {"least", clock.least}, {"most", clock.most}};
}

void take_line(ProbeResult& result, const json& line) {
  if (line.contains("value")) {
    result.values.push_back(value_from(line));
  } else if (line.contains("check")) {
    result.checked += line.at("checked").get<double>();
    if (!line.at("passed").get<bool>()) result.failed.push_back(line["check"]);
  } else if (line.contains("caveat")) {
    result.caveats.push_back(caveat_from(line["caveat"]));
  } else if (line.contains("error")) {
    result.error = fmt::format("{} ({})", line.at("text").get<std::string>(),
                               line["error"].get<std::string>());
  } else if (line.contains("seed")) {
    result.seed = line["seed"];
  } else if (line.contains("end")) {
    result.ended = true;
  }
}

ProbeResult result_from(const std::string& name, const json& object) {
  ProbeResult result;
  result.name = name;
  result.date = object.at("date");
  result.seconds = object.at("seconds");
  result.seed = object.at("seed");
  result.checked = object.at("checked");
  for (const json& each : object.at("caveats")) result.caveats.push_back(caveat_from(each));
  for (const json& each : object.at("values")) result.values.push_back(value_from(each));
  result.sm_clock = clock_from(object, "sm_clock");
  result.memory_clock = clock_from(object, "memory_clock");
  result.ended = true;
  return result;
}

// A line for each value: a person reads and compares these files.
std::string text_of(const ProbeResult& result) {
  ordered_json head{{"date", result.date},
                    {"seconds", result.seconds},
                    {"seed", result.seed},
                    {"checked", result.checked},
                    {"caveats", ordered_json::array()}};
  for (const Caveat& each : result.caveats) head["caveats"].push_back(json_of(each));
  if (result.sm_clock) head["sm_clock"] = json_of(*result.sm_clock);
  if (result.memory_clock) head["memory_clock"] = json_of(*result.memory_clock);
  std::string text = fmt::format("    {}: {{\n", json(result.name).dump());
  for (const auto& [key, value] : head.items())
    text += fmt::format("      {}: {},\n", json(key).dump(), value.dump());
  text += "      \"values\": [";
  for (size_t i = 0; i < result.values.size(); ++i)
    text += fmt::format("{}\n        {}", i ? "," : "", json_of(result.values[i]).dump());
  return text + (result.values.empty() ? "]\n    }" : "\n      ]\n    }");
}

}  // namespace

ProbeResult read_probe(const std::string& name, const std::string& lines) {
  ProbeResult result;
  result.name = name;
  std::istringstream in(lines);
  for (std::string line; std::getline(in, line);) {
    try {
      take_line(result, json::parse(line));
    } catch (const json::exception&) {
      result.error = fmt::format("it printed '{}', which is no line of a probe", line);
      return result;
    }
  }
  return result;
}

Measured parse_measured(const std::string& text, const std::string& where) {
  try {
    const ordered_json file = ordered_json::parse(text);
    Measured measured{
        file.at("machine"), file.at("gpu"), file.at("driver"), file.at("toolkit"), {}};
    for (const auto& [name, object] : file.at("probes").items())
      measured.probes.push_back(result_from(name, json(object)));
    return measured;
  } catch (const json::exception& error) {
    throw Error{where, fmt::format("is no file of measurements: {}", error.what()),
                "'headroom machine measure' writes one"};
  }
}

std::string measured_json(const Measured& measured) {
  std::string text = "{\n";
  const std::pair<const char*, const std::string&> heads[] = {{"machine", measured.machine},
                                                              {"gpu", measured.gpu},
                                                              {"driver", measured.driver},
                                                              {"toolkit", measured.toolkit}};
  for (const auto& [key, value] : heads)
    text += fmt::format("  \"{}\": {},\n", key, json(value).dump());
  text += "  \"probes\": {";
  for (size_t i = 0; i < measured.probes.size(); ++i)
    text += (i ? ",\n" : "\n") + text_of(measured.probes[i]);
  return text + (measured.probes.empty() ? "}\n}\n" : "\n  }\n}\n");
}

}  // namespace headroom
