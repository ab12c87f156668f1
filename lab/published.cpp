#include "lab/published.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "lab/embedded.h"

namespace headroom {
namespace {

using Json = nlohmann::ordered_json;

// One object of the file: its members are taken by name, and one that nobody took is an error.
class Object {
 public:
  Object(const Json& json, std::string where) : json_(json), where_(std::move(where)) {
    if (!json.is_object()) fail("an object is expected");
  }

  void known(std::initializer_list<const char*> names) const {
    for (const auto& [name, value] : json_.items())
      if (std::ranges::find(names, name) == names.end())
        throw Error{where_, fmt::format("no member '{}' is known here", name),
                    fmt::format("known are: {}", fmt::join(names, ", "))};
  }
  bool has(const char* name) const { return json_.contains(name); }
  const Json& at(const char* name) const {
    if (!has(name)) fail(fmt::format("'{}' is missing", name));
    return json_[name];
  }
  std::string text(const char* name, const std::string& otherwise) const {
    if (!has(name) || json_[name].is_null()) return has(name) ? "" : otherwise;
    if (!json_[name].is_string()) fail(fmt::format("'{}' must be a text", name));
    return json_[name];
  }
  std::string text(const char* name) const {
    at(name);
    return text(name, "");
  }
  double number(const char* name) const {
    if (!at(name).is_number()) fail(fmt::format("'{}' must be a number", name));
    return json_[name];
  }
  double number(const char* name, double otherwise) const {
    return has(name) ? number(name) : otherwise;
  }
  Key key(const char* name) const {
    if (!has(name)) return {};
    if (!json_[name].is_object()) fail(fmt::format("'{}' must be an object", name));
    return key_of(json_[name]);
  }
  std::vector<std::string> texts(const char* name) const {
    std::vector<std::string> result;
    if (!has(name)) return result;
    if (!json_[name].is_array()) fail(fmt::format("'{}' must be a list", name));
    for (const Json& each : json_[name]) {
      if (!each.is_string()) fail(fmt::format("'{}' must be a list of texts", name));
      result.push_back(each);
    }
    return result;
  }
  Object below(const char* name) const { return {at(name), fmt::format("{}: {}", where_, name)}; }
  template <typename Read>
  auto list(const char* name, Read read) const {
    std::vector<decltype(read(*this))> result;
    if (!at(name).is_array()) fail(fmt::format("'{}' must be a list", name));
    for (size_t i = 0; i < json_[name].size(); ++i)
      result.push_back(read(Object(json_[name][i], fmt::format("{}: {}[{}]", where_, name, i))));
    return result;
  }
  [[noreturn]] void fail(const std::string& problem) const { throw Error{where_, problem}; }

 private:
  const Json& json_;
  std::string where_;
};

std::optional<MeasureBy> measure_by(const Object& owner, const char* name) {
  if (!owner.has(name)) return std::nullopt;
  const Object object = owner.below(name);
  object.known({"study", "value", "over", "scale", "of", "beside", "where", "as", "most", "least",
                "reaching", "share"});
  MeasureBy by;
  by.study = object.text("study");
  by.value = object.text("value", "");
  by.over = object.text("over", "");
  by.scale = object.number("scale", 1);
  by.of = object.text("of", "");
  by.beside = object.key("beside");
  by.where = object.key("where");
  by.as = object.key("as");
  by.most = object.text("most", "");
  by.least = object.text("least", "");
  by.reaching = object.text("reaching", "");
  by.share = object.number("share", 0);
  if (by.value.empty() + by.most.empty() + by.least.empty() != 2)
    object.fail("one of 'value', 'most' and 'least' is needed");
  if (!by.least.empty() && (by.reaching.empty() || by.share <= 0 || by.share > 1))
    object.fail("'least' needs 'reaching', and a 'share' above 0 and at most 1");
  return by;
}

std::optional<PredictBy> predict_by(const Object& owner) {
  if (!owner.has("predict") || owner.at("predict").is_null()) return std::nullopt;
  const Object object = owner.below("predict");
  object.known({"model", "fact", "assume", "arguments", "from"});
  PredictBy by;
  by.model = object.text("model");
  by.fact = object.text("fact", "");
  by.arguments = object.texts("arguments");
  by.from = measure_by(object, "from");
  if (runs_on_executor(by) != by.from.has_value())
    object.fail("'from' is of the model that runs the study, which needs it");
  if (object.has("assume")) {
    const Object assume = object.below("assume");
    assume.known({"machine", "dram_latency", "because"});
    by.assume = {assume.text("machine"), assume.number("dram_latency"), assume.text("because")};
  }
  return by;
}

PublishedRow published_row(const Object& object, const PublishedTable& table) {
  object.known({"key", "value", "bound", "unit", "source", "page", "gpu", "machine", "predict",
                "measured", "contradiction", "note", "absent"});
  PublishedRow row;
  row.key = object.key("key");
  for (const std::string& name : table.key)
    if (!find(row.key, name)) object.fail(fmt::format("its key lacks '{}'", name));
  row.value = object.number("value");
  row.bound = object.text("bound", "");
  row.unit = object.text("unit", table.unit);
  row.source = object.text("source", table.source);
  row.page = object.text("page", table.page);
  row.gpu = object.text("gpu", table.gpu);
  row.machine = object.text("machine", table.machine);
  row.predict = object.has("predict") ? predict_by(object) : table.predict;
  // What is assumed for a calculation is no answer to what the fact is.
  if (row.predict && table.predict && row.predict->model != "fact")
    row.predict->assume = table.predict->assume;
  row.measured = measure_by(object, "measured");
  if (row.measured) row.measured->as = row.key;
  row.note = object.text("note", "");
  row.absent = object.text("absent", "");
  if (object.has("contradiction")) {
    const Object other = object.below("contradiction");
    other.known({"value", "because"});
    row.contradiction = {other.number("value"), other.text("because")};
  }
  return row;
}

PublishedTable published_table(const Object& object) {
  object.known({"name", "title", "source", "page", "gpu", "machine", "unit", "key", "across",
                "ladder", "predict", "measured", "rows"});
  PublishedTable table;
  table.name = object.text("name");
  table.title = object.text("title");
  table.source = object.text("source");
  table.page = object.text("page");
  table.gpu = object.text("gpu");
  table.machine = object.text("machine", "");
  table.unit = object.text("unit");
  table.key = object.texts("key");
  table.across = object.text("across", "");
  table.ladder = object.has("ladder") && object.at("ladder") == true;
  table.predict = predict_by(object);
  table.measured = measure_by(object, "measured");
  table.rows = object.list("rows", [&](const Object& row) { return published_row(row, table); });
  if (table.key.empty() || table.rows.empty()) object.fail("a key and rows are needed");
  if (!table.across.empty() && std::ranges::find(table.key, table.across) == table.key.end())
    object.fail(fmt::format("'across' names '{}', which is not in the key", table.across));
  if (source_title(table.source).empty())
    object.fail(fmt::format("the source '{}' is not in studies/sources.json", table.source));
  return table;
}

Json parsed(const std::string& text, const std::string& where) {
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    throw Error{where, fmt::format("no JSON: {}", error.what())};
  }
}

}  // namespace

PublishedStudy parse_published(const std::string& text, const std::string& where) {
  const Json json = parsed(text, where);
  const Object object(json, where);
  object.known({"schema", "study", "about", "runs", "tables"});
  constexpr const char* schema = "headroom-published/1";
  if (object.text("schema") != schema)
    object.fail(fmt::format("schema '{}', this version reads '{}'", object.text("schema"), schema));
  PublishedStudy study{object.text("study"), object.text("about"), {}, {}};
  if (object.has("runs"))
    study.runs = object.list("runs", [](const Object& run) {
      run.known({"arguments", "columns"});
      return StudyRun{run.texts("arguments"), run.key("columns")};
    });
  study.tables = object.list("tables", published_table);
  return study;
}

const std::vector<PublishedStudy>& published_studies() {
  static const std::vector<PublishedStudy> studies = [] {
    std::vector<PublishedStudy> all;
    for (const EmbeddedFile& file : embedded_published())
      if (file.path.ends_with("/published.json"))
        all.push_back(parse_published(file.text, file.path));
    return all;
  }();
  return studies;
}

std::string source_title(const std::string& source) {
  for (const EmbeddedFile& file : embedded_published())
    if (file.path == "studies/sources.json")
      return parsed(file.text, file.path).value(source, std::string());
  return "";
}

}  // namespace headroom
