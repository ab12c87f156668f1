#include "lab/results.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "lab/embedded.h"

namespace headroom {
namespace {

using Json = nlohmann::ordered_json;

std::string text_in(const Json& json, const char* name) {
  return json.contains(name) && json[name].is_string() ? json[name].get<std::string>() : "";
}

double number_in(const Json& json, const char* name) {
  return json.contains(name) && json[name].is_number() ? json[name].get<double>() : 0;
}

std::vector<std::string> commands_in(const Json& json) {
  std::vector<std::string> commands;
  if (!json.contains("command")) return commands;
  if (json["command"].is_string()) commands.push_back(json["command"]);
  if (json["command"].is_array())
    for (const Json& each : json["command"])
      if (each.is_string()) commands.push_back(each);
  return commands;
}

std::vector<ClockRange> clocks_in(const Json& json) {
  std::vector<ClockRange> clocks;
  if (json.contains("clocks") && json["clocks"].is_array())
    for (const Json& each : json["clocks"])
      clocks.push_back({text_in(each, "what"), number_in(each, "least"), number_in(each, "median"),
                        number_in(each, "most")});
  return clocks;
}

// {"variant": "4 floats", "GB/s": 2600}
std::string line_of(const Json& row) {
  std::string line;
  for (const auto& [name, cell] : row.items())
    line += (line.empty() ? "" : ", ") + Json(name).dump() + ": " + cell.dump();
  return "{" + line + "}";
}

std::optional<double> share_of(const std::string& fact, double value, const Machine* machine) {
  if (fact.empty()) return value;
  if (!machine) return std::nullopt;
  for (const MachineField& field : machine_fields())
    if (field.name == fact && machine->*field.fact) return value / *(machine->*field.fact) * 100;
  return std::nullopt;
}

bool same_key(const Key& a, const Key& b) { return a.size() == b.size() && has_all(a, b); }

std::optional<double> ratio(std::optional<double> value, std::optional<double> over) {
  return value && over && *over > 0 ? std::optional(*value / *over) : std::nullopt;
}

// The figure of the row that differs from this one in the cells of `by.beside`.
std::optional<double> beside(const MeasureBy& by, const Key& row, const std::vector<Key>& all,
                             const std::vector<std::string>& key) {
  Key wanted = by.beside;
  const auto want = [&](const std::string& name) {
    if (const Cell* cell = find(row, name); cell && !find(wanted, name))
      wanted.push_back({name, *cell});
  };
  for (const auto& cell : by.where) want(cell.first);
  for (const std::string& name : key) want(name);
  const auto other =
      std::ranges::find_if(all, [&](const Key& each) { return has_all(each, wanted); });
  return other == all.end() ? std::nullopt : number_of(*other, by.value);
}

std::vector<Figure> plain_figures(const MeasureBy& by, const std::vector<const Key*>& rows,
                                  const std::vector<Key>& all, const std::vector<std::string>& key,
                                  const Machine* machine) {
  std::vector<Figure> result;
  for (const Key* row : rows) {
    auto value = number_of(*row, by.value);
    if (!by.beside.empty()) value = ratio(value, beside(by, *row, all, key));
    if (!by.over.empty()) value = ratio(value, number_of(*row, by.over));
    if (value) value = *value * by.scale;
    const auto shown = value ? share_of(by.of, *value, machine) : std::nullopt;
    const auto own = by.as.empty() ? chosen(*row, key) : by.as;
    if (shown && own) result.push_back({*own, *shown, number_of(*row, "spread, %")});
  }
  return result;
}

// By key the most of a column.
std::vector<Figure> most_figures(const MeasureBy& by, const std::vector<const Key*>& rows,
                                 const std::vector<std::string>& key) {
  std::vector<Figure> result;
  for (const Key* row : rows) {
    const auto value = number_of(*row, by.most);
    const auto own = by.as.empty() ? chosen(*row, key) : by.as;
    if (!value || !own) continue;
    const auto known =
        std::ranges::find_if(result, [&](const Figure& each) { return same_key(each.key, *own); });
    if (known == result.end())
      result.push_back({*own, *value, {}});
    else
      known->value = std::max(known->value, *value);
  }
  return result;
}

// By key the least `least` of the rows whose `reaching` comes to `share` of the most.
std::vector<Figure> least_figures(const MeasureBy& by, const std::vector<const Key*>& rows,
                                  const std::vector<std::string>& key) {
  std::vector<Figure> result;
  std::vector<Key> done;
  const auto is_of = [&](const Key& row, const Key& own) {
    return !by.as.empty() || has_all(row, own);
  };
  for (const Key* row : rows) {
    const auto own = by.as.empty() ? chosen(*row, key) : by.as;
    if (!own || std::ranges::any_of(done, [&](const Key& k) { return same_key(k, *own); }))
      continue;
    done.push_back(*own);
    double most = 0;
    for (const Key* other : rows)
      if (is_of(*other, *own)) most = std::max(most, number_of(*other, by.reaching).value_or(0));
    std::optional<double> least;
    for (const Key* other : rows) {
      const auto at = number_of(*other, by.least), reached = number_of(*other, by.reaching);
      if (!is_of(*other, *own) || !at || !reached || *reached < by.share * most) continue;
      if (!least || *at < *least) least = at;
    }
    if (least) result.push_back({*own, *least * by.scale, {}});
  }
  return result;
}

}  // namespace

Results parse_results(const std::string& text, const std::string& where) {
  Json json;
  try {
    json = Json::parse(text);
  } catch (const Json::parse_error& error) {
    throw Error{where, fmt::format("no JSON: {}", error.what()),
                "give a file that 'headroom reproduce --save' or 'headroom-lab measure' wrote"};
  }
  const std::string schema = json.is_object() ? text_in(json, "schema") : "";
  if (!schema.starts_with("headroom-"))
    throw Error{where, fmt::format("is not of the schema {}", results_schema),
                "give a file that 'headroom reproduce --save' or 'headroom-lab measure' wrote"};
  Results results;
  results.study = text_in(json, "study");
  // A study with a schema of its own: "headroom-transfer/1".
  if (results.study.empty() && schema != results_schema)
    results.study = schema.substr(9, schema.find('/') - 9);
  results.gpu = text_in(json, "gpu");
  if (results.study.empty() || results.gpu.empty() || !json.contains("rows") ||
      !json["rows"].is_array())
    throw Error{where, "'study', 'gpu' or 'rows' is missing", "measure it again"};
  results.title = text_in(json, "title");
  results.machine = text_in(json, "machine");
  results.driver = text_in(json, "driver");
  results.toolkit = text_in(json, "toolkit");
  results.date = text_in(json, "date");
  results.flags = text_in(json, "flags");
  results.method = text_in(json, "method");
  results.commands = commands_in(json);
  results.clocks = clocks_in(json);
  for (const Json& row : json["rows"])
    if (row.is_object()) results.rows.push_back(key_of(row));
  results.from = where;
  return results;
}

std::string results_json(const Results& results) {
  Json rows = Json::array();
  for (const Key& row : results.rows) rows.push_back(json_of(row));
  return results_json(results, rows);
}

std::string results_json(const Results& results, const Json& written) {
  Json json{{"schema", results_schema}, {"study", results.study}};
  const auto put = [&](const char* name, const std::string& text) {
    if (!text.empty()) json[name] = text;
  };
  put("title", results.title);
  if (written.is_object()) json.update(written);
  put("gpu", results.gpu);
  put("machine", results.machine);
  put("driver", results.driver);
  put("toolkit", results.toolkit);
  put("date", results.date);
  put("flags", results.flags);
  put("method", results.method);
  json["clocks"] = Json::array();
  for (const ClockRange& clock : results.clocks)
    json["clocks"].push_back({{"what", clock.what},
                              {"least", clock.least},
                              {"median", clock.median},
                              {"most", clock.most}});
  json["command"] = results.commands;
  const Json rows = written.is_array() ? written : json.value("rows", Json());
  json.erase("rows");
  std::string text = json.dump(1);
  if (!rows.is_array()) return text + "\n";
  text.resize(text.size() - 2);  // its "\n}"
  text += ",\n \"rows\": [";
  for (const Json& row : rows) text += (&row == &rows.front() ? "\n  " : ",\n  ") + line_of(row);
  return text + "\n ]\n}\n";
}

std::vector<Results> embedded_measurements() {
  std::vector<Results> all;
  for (const EmbeddedFile& file : embedded_results())
    all.push_back(parse_results(file.text, file.path));
  return all;
}

std::vector<Figure> figures(const MeasureBy& by, const Results& results,
                            const std::vector<std::string>& key, const Machine* machine) {
  std::vector<const Key*> rows;
  for (const Key& row : results.rows)
    if (has_all(row, by.where)) rows.push_back(&row);
  if (!by.most.empty()) return most_figures(by, rows, key);
  if (!by.least.empty()) return least_figures(by, rows, key);
  return plain_figures(by, rows, results.rows, key, machine);
}

}  // namespace headroom
