#include "report/csv.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace headroom {
namespace {

// A column, and its cell of a launch.
template <class Launch>
struct CsvRow {
  CsvColumn column;
  std::string (*cell)(const Launch&);
};

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == text.npos) return text;
  std::string result = "\"";
  for (const char c : text) result += c == '"' ? "\"\"" : std::string(1, c);
  return result + "\"";
}

template <class T>
std::string known_cell(const std::optional<T>& value) {
  return value ? fmt::format("{}", *value) : "";
}
std::string nanoseconds(const std::optional<double>& seconds) {
  return seconds ? fmt::format("{:.6g}", *seconds * 1e9) : "";
}
// A start may be minutes after the first: all its digits.
std::string nanoseconds_after(const std::optional<double>& seconds) {
  return seconds ? fmt::format("{:.0f}", *seconds * 1e9) : "";
}

using Counted = ExplainedLaunch;
using Measured = MeasuredLaunch;

const LaunchShape& csv_shape(const Counted& launch) { return launch.record.shape; }
const LaunchShape& csv_shape(const Measured& launch) { return launch.timing.shape; }

std::string floor_cell(const Bounds* bounds) {
  return bounds && bounds->limiter >= 0 ? nanoseconds(bounds->seconds) : "";
}
std::string limiter_cell(const Bounds* bounds) {
  return bounds && bounds->limiter >= 0
             ? std::string(name_of(bounds->floors[size_t(bounds->limiter)].resource))
             : "";
}

template <class Launch, auto Dim, auto Axis>
std::string dim_cell(const Launch& launch) {
  return std::to_string(csv_shape(launch).*Dim.*Axis);
}

template <class Launch>
std::vector<CsvRow<Launch>> shape_rows() {
  using S = LaunchShape;
  return {{{"grid_x", "blocks", ""}, dim_cell<Launch, &S::grid, &Dim3::x>},
          {{"grid_y", "blocks", ""}, dim_cell<Launch, &S::grid, &Dim3::y>},
          {{"grid_z", "blocks", ""}, dim_cell<Launch, &S::grid, &Dim3::z>},
          {{"block_x", "threads", ""}, dim_cell<Launch, &S::block, &Dim3::x>},
          {{"block_y", "threads", ""}, dim_cell<Launch, &S::block, &Dim3::y>},
          {{"block_z", "threads", ""}, dim_cell<Launch, &S::block, &Dim3::z>},
          {{"cluster", "blocks", "of a cluster; empty: none asked for"},
           [](const Launch& launch) {
             const auto& cluster = csv_shape(launch).cluster;
             return cluster ? std::to_string(cluster->count()) : "";
           }},
          {{"dynamic_shared", "B a block", ""},
           [](const Launch& launch) { return std::to_string(csv_shape(launch).dynamic_shared); }}};
}

std::optional<double> predicted_of(const Counted& launch, double Prediction::*time) {
  const auto& prediction = launch.record.prediction;
  return prediction ? std::optional(*prediction.*time) : std::nullopt;
}

std::vector<CsvRow<Counted>> counted_rows() {
  std::vector<CsvRow<Counted>> rows = {
      {{"process", "", "its number"}, [](const Counted& l) { return std::to_string(l.process); }},
      {{"index", "", "of the launch in its process"},
       [](const Counted& l) { return std::to_string(l.record.index); }},
      {{"kernel", "", "demangled, with its parameters"},
       [](const Counted& l) { return quoted(l.record.name); }}};
  for (auto& row : shape_rows<Counted>()) rows.push_back(row);
  const std::vector<CsvRow<Counted>> more = {
      {{"static_shared", "B a block", ""},
       [](const Counted& l) { return known_cell(l.record.resources.static_shared); }},
      {{"registers", "a thread", ""},
       [](const Counted& l) { return known_cell(l.record.resources.registers); }},
      {{"spill_stores", "B a thread", ""},
       [](const Counted& l) { return known_cell(l.record.resources.spill_stores); }},
      {{"spill_loads", "B a thread", ""},
       [](const Counted& l) { return known_cell(l.record.resources.spill_loads); }},
      {{"stack", "B a thread", ""},
       [](const Counted& l) { return known_cell(l.record.resources.stack); }},
      {{"device", "", "its number"},
       [](const Counted& l) { return std::to_string(l.record.device); }},
      {{"stream", "", "its number; 0: the default one"},
       [](const Counted& l) { return std::to_string(l.record.stream); }},
      {{"engine", "", "what ran and was counted: machine or ptx"},
       [](const Counted& l) { return std::string(name_of(l.record.engine)); }},
      {{"state", "", "ran, stopped, refused, not_executed"},
       [](const Counted& l) { return std::string(name_of(l.record.state)); }},
      {{"findings", "", "faults of the program in this launch"},
       [](const Counted& l) { return std::to_string(l.record.findings.size()); }},
      {{"occupancy", "%", "of the warps that an SM holds"},
       [](const Counted& l) {
         return l.occupancy->impossible.empty() ? fmt::format("{:g}", l.occupancy->fraction * 100)
                                                : "";
       }},
      {{"limiter", "", "the resource with the largest floor"},
       [](const Counted& l) { return limiter_cell(l.bounds.get()); }},
      {{"floor_ns", "ns", "the largest floor: a lower bound"},
       [](const Counted& l) { return floor_cell(l.bounds.get()); }},
      {{"predicted_ns", "ns", "by the time model"},
       [](const Counted& l) { return nanoseconds(predicted_of(l, &Prediction::seconds)); }},
      {{"predicted_low_ns", "ns", "the range of the model"},
       [](const Counted& l) { return nanoseconds(predicted_of(l, &Prediction::low_seconds)); }},
      {{"predicted_high_ns", "ns", "the range of the model"},
       [](const Counted& l) { return nanoseconds(predicted_of(l, &Prediction::high_seconds)); }}};
  rows.insert(rows.end(), more.begin(), more.end());
  return rows;
}

std::vector<CsvRow<Measured>> measured_rows() {
  std::vector<CsvRow<Measured>> rows = {
      {{"process", "", "its number"}, [](const Measured& l) { return std::to_string(l.process); }},
      {{"index", "", "of the launch in its process"},
       [](const Measured& l) { return std::to_string(l.timing.index); }},
      {{"kernel", "", "demangled, with its parameters"},
       [](const Measured& l) { return quoted(l.timing.name); }}};
  for (auto& row : shape_rows<Measured>()) rows.push_back(row);
  const std::vector<CsvRow<Measured>> more = {
      {{"static_shared", "B a block", ""},
       [](const Measured& l) { return std::to_string(l.timing.static_shared); }},
      {{"registers", "a thread", ""},
       [](const Measured& l) { return std::to_string(l.timing.registers); }},
      {{"device", "", "its number"},
       [](const Measured& l) { return std::to_string(l.timing.device); }},
      {{"context", "", "its number"},
       [](const Measured& l) { return std::to_string(l.timing.context); }},
      {{"stream", "", "its number"},
       [](const Measured& l) { return std::to_string(l.timing.stream); }},
      {{"in_graph", "", "1: launched by a graph"},
       [](const Measured& l) { return std::string(l.timing.in_graph ? "1" : "0"); }},
      {{"state", "", "measured, or stopped: its end was not seen"},
       [](const Measured& l) { return std::string(name_of(l.timing.state)); }},
      {{"start_ns", "ns", "from the first activity of all processes"},
       [](const Measured& l) { return nanoseconds_after(l.timing.start); }},
      {{"measured_ns", "ns", ""}, [](const Measured& l) { return nanoseconds(l.timing.seconds); }},
      {{"occupancy", "%", "of the warps that an SM holds"},
       [](const Measured& l) {
         return l.occupancy ? fmt::format("{:g}", l.occupancy->fraction * 100) : "";
       }},
      {{"limiter", "", "the resource with the largest floor, with --counters"},
       [](const Measured& l) { return limiter_cell(l.bounds.get()); }},
      {{"floor_ns", "ns", "the largest floor, with --counters"},
       [](const Measured& l) { return floor_cell(l.bounds.get()); }}};
  rows.insert(rows.end(), more.begin(), more.end());
  return rows;
}

template <class Launch>
std::vector<CsvColumn> columns_of_csv(const std::vector<CsvRow<Launch>>& rows) {
  std::vector<CsvColumn> columns;
  for (const auto& row : rows) columns.push_back(row.column);
  return columns;
}

std::string csv_head(const std::vector<CsvColumn>& columns) {
  std::string text;
  for (const CsvColumn& column : columns)
    text += (text.empty() ? "" : ",") + std::string(column.name);
  return text + "\n";
}

template <class Launch>
void append_cells(std::string& text, const std::vector<CsvRow<Launch>>& rows,
                  const Launch& launch) {
  const char* before = "";
  for (const auto& row : rows) {
    text += before + row.cell(launch);
    before = ",";
  }
}

void append_counters(std::string& text, const LaunchRecord& record) {
  for (const CounterField& field : counter_fields()) {
    text += ',';
    if (counted(record) && (record.engine == Engine::machine || !field.machine_code_alone))
      text += std::to_string(record.counters.*field.value);
  }
}

}  // namespace

std::vector<CsvColumn> run_csv_columns() {
  std::vector<CsvColumn> columns = columns_of_csv(counted_rows());
  for (const CounterField& field : counter_fields())
    columns.push_back({field.name, field.unit, field.meaning});
  return columns;
}

std::vector<CsvColumn> gpu_csv_columns() { return columns_of_csv(measured_rows()); }

std::string run_csv(const Explanation& report) {
  const auto rows = counted_rows();
  std::string text = csv_head(run_csv_columns());
  for (const ExplainedLaunch& launch : report.launches) {
    append_cells(text, rows, launch);
    append_counters(text, launch.record);
    text += '\n';
  }
  return text;
}

std::string gpu_csv(const MeasuredExplanation& report) {
  const auto rows = measured_rows();
  std::string text = csv_head(gpu_csv_columns());
  for (const MeasuredLaunch& launch : report.launches) {
    append_cells(text, rows, launch);
    text += '\n';
  }
  return text;
}

}  // namespace headroom
