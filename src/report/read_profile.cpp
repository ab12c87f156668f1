#include "report/read_profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/error.h"
#include "record/counters.h"

namespace headroom {
namespace {

constexpr std::string_view profile_head = "\"ID\",\"Process ID\"";
constexpr const char* profile_hint =
    "give what 'ncu --csv --page raw --print-units base' wrote, with its first line of names";

using Cells = std::vector<std::string>;

size_t table_of(const std::string& text) {
  if (text.starts_with(profile_head)) return 0;
  const size_t found = text.find("\n" + std::string(profile_head));
  return found == text.npos ? text.npos : found + 1;
}

// A line's cells; "" within quotes is a quote.
Cells cells_of(std::string_view line) {
  Cells cells(1);
  bool quoted = false;
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
      cells.back() += '"';
      ++i;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      cells.emplace_back();
    } else {
      cells.back() += c;
    }
  }
  return cells;
}

// Lines of the table: what the program and the profiler say between them begins otherwise.
std::vector<Cells> lines_of_table(const std::string& text, const std::string& path) {
  std::vector<Cells> lines;
  for (size_t begin = table_of(text); begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line(text.data() + begin, end - begin);
    if (line.starts_with('"')) {  // a rule's description may have lines of its own
      size_t last = end;
      while (std::ranges::count(line, '"') % 2 && last < text.size()) {
        last = std::min(text.find('\n', last + 1), text.size());
        line = {text.data() + begin, last - begin};
      }
      begin = last + 1;
    } else {
      begin = end + 1;
      continue;
    }
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(cells_of(line));
    if (lines.back().size() != lines.front().size())
      throw Error{path,
                  fmt::format("is damaged: a line has {} cells, the first has {}",
                              lines.back().size(), lines.front().size()),
                  profile_hint};
  }
  return lines;
}

// What one of the unit is in units of our figures: ns, bytes, counts.
std::optional<double> scale_of(std::string unit) {
  if (const size_t per = unit.find('/'); per != unit.npos) unit.resize(per);
  static const std::map<std::string, double> scales = {
      {"ns", 1},        {"nsecond", 1}, {"us", 1e3},     {"usecond", 1e3}, {"ms", 1e6},
      {"msecond", 1e6}, {"s", 1e9},     {"second", 1e9}, {"byte", 1},      {"Kbyte", 1e3},
      {"Mbyte", 1e6},   {"Gbyte", 1e9}, {"Tbyte", 1e12}};
  if (const auto found = scales.find(unit); found != scales.end()) return found->second;
  static const std::vector<std::string> plain = {"",       "inst",  "sector", "request", "register",
                                                 "thread", "block", "warp",   "cycle",   "%"};
  return std::ranges::find(plain, unit) != plain.end() ? std::optional(1.0) : std::nullopt;
}

// "65,77", "27.595.520": commas and points as in other countries. Read as ours they would be other
// numbers.
bool is_of_another_locale(const std::string& cell) {
  if (cell.empty() || !std::ranges::all_of(cell, [](char c) {
        return (c >= '0' && c <= '9') || c == '.' || c == ',';
      }))
    return false;
  const size_t point = cell.find('.');
  if (std::ranges::count(cell, '.') > 1) return true;
  const std::string whole = cell.substr(0, point);
  if (point != cell.npos && cell.find(',', point) != cell.npos) return true;
  for (size_t comma = whole.find(','); comma != whole.npos; comma = whole.find(',', comma + 1))
    if (whole.find(',', comma + 1) != comma + 4 && whole.size() != comma + 4) return true;
  return false;
}

// "17,301,504"; absent: "n/a", or nothing.
std::optional<double> number_of(std::string cell) {
  std::erase(cell, ',');
  char* end = nullptr;
  const double value = std::strtod(cell.c_str(), &end);
  if (cell.empty() || *end || !std::isfinite(value) || value < 0) return std::nullopt;
  return value;
}

// A metric of Nsight Compute, and the figure that it is; several of one name add up.
std::string_view figure_of(std::string_view metric) {
  for (const CounterField& field : counter_fields())
    if (metric == field.profiler || metric == field.of_machine_code) return field.name;
  static const std::map<std::string_view, std::string_view> others = {
      {"gpu__time_duration.sum", measured_metric},
      {"launch__registers_per_thread", "registers"},
      {"launch__shared_mem_per_block_static", "shared"},
      {"launch__shared_mem_per_block_dynamic", "shared"},
      {"sm__maximum_warps_per_active_cycle_pct", "occupancy"},
      // … as the sections of --page details call them
      {"Duration", measured_metric},
      {"Registers Per Thread", "registers"},
      {"Static Shared Memory Per Block", "shared"},
      {"Dynamic Shared Memory Per Block", "shared"},
      {"Theoretical Occupancy", "occupancy"}};
  const auto found = others.find(metric);
  return found == others.end() ? std::string_view() : found->second;
}

Dim3 dim_of_cell(const std::string& cell, const std::string& path) {
  unsigned x = 0, y = 0, z = 0;
  if (std::sscanf(cell.c_str(), "(%u, %u, %u)", &x, &y, &z) != 3)
    throw Error{path, fmt::format("is damaged: '{}' is no grid or block", cell), profile_hint};
  return {x, y, z};
}

class ProfileReader {
 public:
  ProfileReader(const Cells& head, const std::string& path) : head_(head), path_(path) {
    run_.file = path;
    run_.on_gpu = run_.profiled = true;
    by_line_ = column("Metric Name").has_value();
    for (const char* name : {"ID", "Process Name", "Kernel Name", "Block Size", "Grid Size"}) {
      if (!column(name)) throw Error{path, fmt::format("has no column \"{}\"", name), profile_hint};
    }
  }

  void take(const Cells& cells) {
    const std::string id = cells[*column("ID")];
    if (id.empty()) {  // the units
      units_ = cells;
      return;
    }
    if (id != id_) begin(id, cells);
    if (by_line_) {
      metric(cells[*column("Metric Name")], cells[*column("Metric Value")],
             cells[*column("Metric Unit")]);
      return;
    }
    for (size_t i = 0; i < cells.size(); ++i)
      metric(head_[i], cells[i], i < units_.size() ? units_[i] : "");
  }

  RunFigures finished() {
    end();
    if (run_.kernels.empty()) throw Error{path_, "has no launch in it", profile_hint};
    if (!any_)
      throw Error{
          path_, "has no metric that headroom counts",
          "docs/counters.md names those of Nsight Compute: ncu --csv --page raw --metrics …"};
    return std::move(run_);
  }

 private:
  std::optional<size_t> column(std::string_view name) const {
    const auto found = std::ranges::find(head_, name);
    return found == head_.end() ? std::nullopt : std::optional(size_t(found - head_.begin()));
  }
  void begin(const std::string& id, const Cells& cells) {
    end();
    id_ = id;
    if (run_.command.empty()) run_.command = {cells[*column("Process Name")]};
    kernel_ = cells[*column("Kernel Name")];
    shape_ = {};
    shape_.block = dim_of_cell(cells[*column("Block Size")], path_);
    shape_.grid = dim_of_cell(cells[*column("Grid Size")], path_);
    figures_ = {State::measured, "machine", {}, {}};
    figures_.values.resize(metrics().size());
  }
  void metric(const std::string& name, const std::string& cell, const std::string& unit) {
    const std::string_view figure = figure_of(name);
    if (figure.empty()) return;
    if (is_of_another_locale(cell))
      throw Error{path_, fmt::format("{} is {}: written for another locale", name, cell),
                  "write it with LC_ALL=C ncu …"};
    const auto value = number_of(cell);
    if (!value) return;
    const auto scale = scale_of(unit);
    if (!scale)
      throw Error{path_, fmt::format("{} has a unit that is not known: {}", name, unit),
                  "write it with ncu --print-units base"};
    any_ = true;
    auto& sum = figures_.values[*metric_of(figure)];
    sum = sum.value_or(0) + *value * *scale;
  }
  void end() {
    if (id_.empty()) return;
    const auto [place, is_new] = shapes_.insert({{kernel_, shape_}, run_.kernels.size()});
    if (is_new) run_.kernels.push_back({kernel_, shape_, {}, {}});
    ShapeFigures& shape = run_.kernels[place->second];
    auto& time = figures_.values[*metric_of(measured_metric)];
    if (time) shape.measured.push_back(*time);
    time.reset();  // of the shape, not of a launch
    shape.launches.push_back(std::make_shared<Figures>(std::move(figures_)));
  }

  const Cells& head_;
  const std::string& path_;
  bool by_line_ = false, any_ = false;
  Cells units_;
  RunFigures run_;
  std::string id_, kernel_;
  LaunchShape shape_;
  Figures figures_;
  std::map<std::pair<std::string, LaunchShape>, size_t> shapes_;
};

}  // namespace

bool is_profile(const std::string& text) { return table_of(text) != text.npos; }

RunFigures profile_figures(const std::string& text, const std::string& path) {
  const std::vector<Cells> lines = lines_of_table(text, path);
  ProfileReader reader(lines.front(), path);
  for (size_t i = 1; i < lines.size(); ++i) reader.take(lines[i]);
  return reader.finished();
}

}  // namespace headroom
