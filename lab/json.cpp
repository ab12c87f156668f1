// The reproduction lab as JSON: every table with its rows and where each figure is from.
#include "lab/text.h"
#include "report/json_parts.h"

namespace headroom {
namespace {

Json key_json(const Key& key) {
  Json json = Json::object();
  for (const auto& [name, cell] : key)
    json[name] = cell.number ? Json(*cell.number) : Json(cell.text);
  return json;
}

Json value_json(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

Json published_json(const PublishedRow& row) {
  Json json{{"value", row.value}, {"unit", row.unit},       {"bound", row.bound},
            {"gpu", row.gpu},     {"machine", row.machine}, {"source", row.source},
            {"page", row.page},   {"note", row.note},       {"absent", row.absent}};
  json["contradiction"] = Json();
  if (row.contradiction)
    json["contradiction"] = {{"value", row.contradiction->value},
                             {"because", row.contradiction->because}};
  return json;
}

Json row_json(const LabTable& table, const LabRow& row) {
  Json json{{"key", key_json(row.key)}};
  json["published"] = row.published ? published_json(*row.published) : Json();
  const auto& by = row.published ? row.published->predict : table.published.predict;
  json["predicted_by"] = by ? Json(by->model) : Json();
  json["predicted_own"] = value_json(row.predicted_own);
  json["predicted"] = value_json(row.predicted);
  json["measured"] = Json::array();
  for (const auto& figure : row.measured)
    json["measured"].push_back(
        figure ? Json{{"value", figure->value}, {"spread_percent", value_json(figure->spread)}}
               : Json());
  return json;
}

Json table_json(const LabTable& table) {
  const PublishedTable& p = table.published;
  Json json{{"name", p.name},
            {"title", p.title},
            {"source", p.source},
            {"page", p.page},
            {"gpu", p.gpu},
            {"unit", p.unit},
            {"measured_on", table.measured_on},
            {"bases", table.bases}};
  json["rows"] = Json::array();
  for (const LabRow& row : table.rows) json["rows"].push_back(row_json(table, row));
  json["caveats"] = Json::array();
  for (const Caveat& caveat : table.caveats) json["caveats"].push_back(caveat_json(caveat));
  return json;
}

}  // namespace

std::string lab_json(const Lab& lab) {
  Json json{{"schema", "headroom-reproduction/1"}, {"machine", lab.machine.name}};
  json["results"] = Json::array();
  for (const Results& each : lab.results) {
    Json result = Json::parse(results_json(each));
    result.erase("rows");
    result["from"] = each.from;
    json["results"].push_back(result);
  }
  json["tables"] = Json::array();
  for (const LabTable& table : lab.tables) json["tables"].push_back(table_json(table));
  json["caveats"] = Json::array();
  for (const Caveat& caveat : lab.caveats) json["caveats"].push_back(caveat_json(caveat));
  return json.dump(1) + "\n";
}

}  // namespace headroom
