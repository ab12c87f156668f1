#include "report/read_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

#include "base/read_file.h"
#include "record/counters.h"
#include "record/json.h"
#include "record/timing.h"
#include "report/read_profile.h"
#include "report/run_json.h"

namespace headroom {
namespace {

using FiguresJson = nlohmann::ordered_json;

constexpr int deepest_figure = 64;
constexpr const char* figures_hint = "give what 'headroom run --json FILE -- PROGRAM' wrote";

std::optional<double> known_number(const FiguresJson& json, std::string_view key) {
  const auto found = json.find(key);
  if (found == json.end() || found->is_null()) return std::nullopt;
  if (!found->is_number() || found->get<double>() < 0)
    throw Error{"", fmt::format("the value of {} is none: {}", key, found->dump())};
  return found->get<double>();
}

std::optional<double> sum(std::optional<double> a, std::optional<double> b) {
  return a && b ? std::optional(*a + *b) : std::nullopt;
}

std::optional<double> scaled_by(std::optional<double> value, double by) {
  return value ? std::optional(*value * by) : std::nullopt;
}

LaunchShape figures_shape(const FiguresJson& json) {
  const auto dim = [](const FiguresJson& each) {
    const auto values = each.get<std::array<unsigned, 3>>();
    return Dim3{values[0], values[1], values[2]};
  };
  LaunchShape shape;
  shape.grid = dim(json.at("grid"));
  shape.block = dim(json.at("block"));
  if (json.contains("cluster") && !json.at("cluster").is_null())
    shape.cluster = dim(json.at("cluster"));
  shape.dynamic_shared = json.at("dynamic_shared").get<uint64_t>();
  return shape;
}

void counted_values(const FiguresJson& json, Figures& figures) {
  const auto set = [&](std::string_view name, std::optional<double> value) {
    figures.values[*metric_of(name)] = value;
  };
  if (const FiguresJson& counters = json.at("counters"); counters.is_object())
    for (const CounterField& field : counter_fields())
      set(field.name, known_number(counters, field.name));
  if (json.contains("prediction") && json.at("prediction").is_object())
    set("predicted_ns", known_number(json.at("prediction"), "time_ns"));
  const bool bound = json.at("limiter").is_string();
  if (bound) set("floor_ns", scaled_by(known_number(json, "floor_seconds"), 1e9));
  set("occupancy", scaled_by(known_number(json.at("occupancy"), "fraction"), 100));
  const FiguresJson& resources = json.at("resources");
  set("registers", known_number(resources, "registers"));
  set("shared",
      sum(known_number(resources, "static_shared"), known_number(json, "dynamic_shared")));
  set("spill",
      sum(known_number(resources, "spill_stores"), known_number(resources, "spill_loads")));
  set("stack", known_number(resources, "stack"));
  set("findings", double(json.at("findings").size()));
  for (const FiguresJson& floor : json.at("floors"))
    for (const ResourceRow& row : resource_rows())
      if (row.name == floor.at("resource").get_ref<const std::string&>())
        figures.floors.push_back({row.resource, known_number(floor, "seconds").value_or(0)});
}

void measured_values(const FiguresJson& json, Figures& figures) {
  const auto set = [&](std::string_view name, std::optional<double> value) {
    figures.values[*metric_of(name)] = value;
  };
  set("floor_ns", scaled_by(known_number(json, "floor_seconds"), 1e9));
  set("occupancy", scaled_by(known_number(json, "occupancy"), 100));
  set("registers", known_number(json, "registers"));
  set("shared", sum(known_number(json, "static_shared"), known_number(json, "dynamic_shared")));
}

// Takes launch after launch, and what stands around them.
class FiguresReader {
 public:
  explicit FiguresReader(const std::string& file) { run_.file = file; }

  // Whether the parser is to keep the value.
  bool operator()(int depth, FiguresJson::parse_event_t event, FiguresJson& parsed) {
    using Event = FiguresJson::parse_event_t;
    if (depth > deepest_figure)
      throw Error{run_.file, "is no record of a run: nested too deeply", figures_hint};
    if (event == Event::key && depth == 1) key_ = parsed.get<std::string>();
    if (event == Event::key && depth == 3) return parsed != "source";  // large, and not compared
    if (event == Event::value && depth == 1 && key_ == "schema") take_schema(parsed);
    if (event != Event::object_end || depth != 2) return true;
    if (key_ == "launches") take_launch(parsed);
    return key_ != "launches" && key_ != "copies";
  }

  RunFigures finished(const FiguresJson& json) {
    if (!json.is_object()) throw Error{run_.file, "is no whole record of a run", figures_hint};
    if (!has_schema_) take_schema(json.value("schema", FiguresJson()));
    run_.command = json.at("program").at("command").get<std::vector<std::string>>();
    if (!json.at("launches").empty()) throw Error{"", "a launch is none"};
    run_.machine = json.at(run_.on_gpu ? "gpu" : "machine").at("name");
    if (!run_.on_gpu)
      run_.of_calls = std::max(0.0, double(json.at("findings").size()) - in_launches_);
    return std::move(run_);
  }

 private:
  void take_schema(const FiguresJson& schema) {
    if (schema.is_null()) throw Error{run_.file, "is no record of a run", figures_hint};
    run_.on_gpu = schema == timing_schema;
    if (!run_.on_gpu && schema != run_schema && schema != whole_run_schema)
      throw Error{run_.file,
                  fmt::format("has the schema {}, wanted is \"{}\" or \"{}\"", schema.dump(),
                              run_schema, timing_schema),
                  "run the program again with this version"};
    has_schema_ = true;
  }

  void take_launch(const FiguresJson& json) {
    if (!has_schema_) throw Error{run_.file, "is no record of a run", figures_hint};
    const size_t place = place_++;
    if (const auto reference = json.find("same_as"); reference != json.end()) {
      const auto whole = whole_.find(reference->get<size_t>());
      if (!reference->is_number_unsigned() || whole == whole_.end())
        throw Error{"", "a launch is the same as one that is not before it"};
      return keep(whole->second.first, whole->second.second);
    }
    Figures figures;
    figures.values.resize(metrics().size());
    const bool ended = run_.on_gpu || json.at("completed").get<bool>();
    const auto state = json.contains("state")
                           ? state_of(json.at("state").get_ref<const std::string&>())
                           : std::optional(ended ? State::ran : State::stopped);
    if (!state) throw Error{"", "the state of a launch is none"};
    figures.state = *state;
    figures.engine = json.value("engine", "");
    run_.on_gpu ? measured_values(json, figures) : counted_values(json, figures);
    const std::string& name = json.at("kernel").get_ref<const std::string&>();
    const auto [shape, is_new] = shapes_.insert({{name, figures_shape(json)}, run_.kernels.size()});
    if (is_new) run_.kernels.push_back({name, shape->first.second, {}, {}});
    const auto known = shared(std::move(figures));
    keep(shape->second, known);
    if (!run_.on_gpu) {
      whole_.insert({place, {shape->second, known}});
    } else if (const auto seconds = known_number(json, "seconds")) {
      run_.kernels[shape->second].measured.push_back(*seconds * 1e9);
    }
  }

  void keep(size_t shape, const std::shared_ptr<const Figures>& figures) {
    in_launches_ += figures->values[*metric_of("findings")].value_or(0);
    run_.kernels[shape].launches.push_back(figures);
  }

  std::shared_ptr<const Figures> shared(Figures figures) {
    std::string words = fmt::format("{} {}", int(figures.state), figures.engine);
    for (const auto& value : figures.values) words += value ? fmt::format(" {}", *value) : " -";
    for (const auto& [resource, seconds] : figures.floors)
      words += fmt::format(" {} {}", int(resource), seconds);
    auto& known = known_[words];
    if (!known) known = std::make_shared<Figures>(std::move(figures));
    return known;
  }

  RunFigures run_;
  std::string key_;
  bool has_schema_ = false;
  double in_launches_ = 0;  // findings
  size_t place_ = 0;        // of the next launch
  // Launches that stand whole: their shape and figures.
  std::map<size_t, std::pair<size_t, std::shared_ptr<const Figures>>> whole_;
  std::map<std::pair<std::string, LaunchShape>, size_t> shapes_;
  std::map<std::string, std::shared_ptr<const Figures>> known_;
};

// Of a file that may never end, or a pipe, which cannot be opened twice.
std::string rest_of(std::istream& file, const std::string& path) {
  std::string text;
  std::vector<char> piece(1 << 16);
  while (file.read(piece.data(), std::streamsize(piece.size())) || file.gcount()) {
    text.append(piece.data(), size_t(file.gcount()));
    if (text.size() > usual_file_limit)
      throw Error{path, fmt::format("has more than {} MiB", usual_file_limit >> 20), figures_hint};
  }
  return text;
}

}  // namespace

RunFigures read_figures(const std::string& path) {
  if (std::filesystem::is_directory(path)) throw Error{path, "is a folder", figures_hint};
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error{path, "cannot be read", figures_hint};
  if (file.peek() != '{') {  // no JSON: of another program, perhaps
    const std::string text = rest_of(file, path);
    if (is_profile(text)) return profile_figures(text, path);
    file.clear();
    file.seekg(0);
  }
  FiguresReader reader(path);
  try {
    const FiguresJson json = FiguresJson::parse(file, std::ref(reader), false);
    return reader.finished(json);
  } catch (const FiguresJson::exception& error) {
    throw Error{path, fmt::format("is damaged ({})", error.what()), figures_hint};
  } catch (const Error& error) {
    if (!error.where.empty()) throw;
    throw Error{path, fmt::format("is damaged ({})", error.problem), figures_hint};
  }
}

}  // namespace headroom
