#include "report/run_document.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "model/verdict.h"
#include "report/format.h"
#include "report/kernel_notes.h"
#include "report/notes.h"
#include "report/occupancy_document.h"
#include "report/prediction_document.h"

namespace headroom {

namespace {

constexpr size_t max_rows = 40;  // a program that changes its grid at every launch has hundreds
constexpr size_t max_reasons = 6;
constexpr size_t on_a_screen = 8;  // kernels, with the findings above them still in sight

std::string per_request_cell(const KernelGroup& kernel) {
  const auto each = [](const Access& access) {
    return access.requests ? text::ratio(access.per_request()) : std::string("–");
  };
  return each(kernel.global_load) + "/" + each(kernel.global_store);
}

std::string conflicts_cell(const KernelGroup& kernel) {
  const uint64_t conflicts = kernel.shared_load.conflicts + kernel.shared_store.conflicts;
  // How often atomics conflict is not known.
  const bool unknown = kernel.counters.shared_atomic_instructions > 0;
  if (unknown && conflicts > 0) return "≥" + text::compact(double(conflicts));
  if (unknown || kernel.shared_load.instructions + kernel.shared_store.instructions == 0)
    return "–";
  return text::compact(double(conflicts));
}

// What stands in a row; which of it a table has follows from what it is of.
struct Row {
  std::string name, launches, shape, registers, occupancy, per_request, conflicts, predicted, gain,
      floor, sum, bound;
};

// What is not known of the launch makes more than twice of it.
bool is_wide(const Prediction& prediction) {
  return prediction.high_seconds > 2 * prediction.low_seconds;
}

bool by_ptx(const ExplainedLaunch& launch) { return launch.record.engine == Engine::ptx; }

Row row_of(const Explanation& report, const KernelGroup& kernel) {
  const ExplainedLaunch& launch = report.worst(kernel);
  const auto& registers = launch.record.resources.registers;
  const std::string state = text::state_word(launch.record.state);
  const std::string absent = state.empty() ? "?" : "–";
  const bool bound = kernel.limiter.has_value();
  const bool has_begun = launch.record.completed() || launch.record.state == State::stopped;
  const bool tells = has_begun || !launch.occupancy->impossible.empty();
  Row row{text::bare_name(launch.record.name),
          text::grouped(kernel.launches.size()),
          text::launch_shape(launch.record.shape.grid, launch.record.shape.block),
          registers ? std::to_string(*registers) : "?",
          tells ? occupancy_cell(*launch.occupancy) : "–",
          per_request_cell(kernel),
          conflicts_cell(kernel),
          "–",
          "–",
          bound ? text::marked(text::microseconds(kernel.floor_seconds), kernel.floor_estimated)
                : absent,
          kernel.predicted_seconds
              ? text::marked(text::microseconds(*kernel.predicted_seconds), by_ptx(launch))
          : bound ? text::marked(text::microseconds(kernel.total_seconds), kernel.total_estimated)
                  : absent,
          bound ? text::marked(std::string(title_of(*kernel.limiter)), kernel.limiter_estimated)
          : state.empty() ? "unknown"
                          : state};
  if (const auto& prediction = launch.record.prediction) {
    row.predicted = (kernel.unlike() ? "≤ " : "") +
                    text::marked(text::microseconds(prediction->seconds), by_ptx(launch)) +
                    (is_wide(*prediction) ? "?" : "");
    if (!prediction->advice.empty())
      row.gain = text::microseconds(prediction->advice.front().gain_seconds);
    row.bound = bound_or_wait(launch);
  }
  return row;
}

double weight(const KernelGroup* kernel) {
  return kernel->predicted_seconds.value_or(kernel->total_seconds);
}

// The kernels that take longest together, by what is predicted or else by floors, most first.
std::vector<const KernelGroup*> heaviest(const Explanation& report, size_t most) {
  std::vector<const KernelGroup*> result;
  for (const KernelGroup& kernel : report.kernels) result.push_back(&kernel);
  std::stable_sort(result.begin(), result.end(),
                   [](auto* a, auto* b) { return weight(a) > weight(b); });
  if (result.size() > most) result.resize(most);
  return result;
}

bool is_predicted(const Explanation& report) {
  return std::ranges::any_of(report.launches, [](const ExplainedLaunch& launch) {
    return launch.record.prediction.has_value();
  });
}

struct RowColumn {
  Column column;
  std::string Row::*cell;
};

// Counts where nothing is predicted; --kernel has them in any case.
// Where a terminal is narrow, what else --kernel has goes first, and what tells rows apart last.
std::vector<RowColumn> columns_of(bool predicts, bool sums, bool names_repeat) {
  enum { kept, first, second, third, fourth, fifth, sixth };
  std::vector<RowColumn> columns;
  const auto add = [&](Column column, std::string Row::*cell, int drop = kept) {
    column.drop = drop;
    columns.push_back({std::move(column), cell});
  };
  add({"kernel", Align::left, Give::name}, &Row::name);
  add({"n"}, &Row::launches);
  add({"grid × block", Align::left}, &Row::shape, names_repeat ? sixth : third);
  add({"regs"}, &Row::registers, second);
  add({"occupancy", Align::left, Give::words}, &Row::occupancy, first);
  if (!predicts) {
    add({"sectors\n/ request"}, &Row::per_request, fifth);
    add({"bank\nconfl."}, &Row::conflicts, fourth);
  }
  if (predicts) add({"predicted\nµs"}, &Row::predicted);
  if (predicts) add({"gain\nµs"}, &Row::gain);
  if (predicts && sums) add({"all n\nµs"}, &Row::sum, fifth);
  add({"floor\nµs"}, &Row::floor);
  if (!predicts && sums) add({"sum\nµs"}, &Row::sum);
  add({predicts ? "bound by,\nor waits for" : "largest\nfloor", Align::left, Give::words},
      &Row::bound);
  return columns;
}

bool names_repeat(const Explanation& report, const std::vector<const KernelGroup*>& kernels) {
  std::set<std::string> names;
  for (const KernelGroup* kernel : kernels)
    names.insert(text::bare_name(report.worst(*kernel).record.name));
  return names.size() < kernels.size();
}

bool is_of_pytorch(const Explanation& report, const KernelGroup& kernel) {
  const std::string& name = report.worst(kernel).record.name;
  return name.find("at::native::") != name.npos || name.find("at_cuda_detail::") != name.npos;
}

// Kernels of PyTorch itself beside the program's own, that matter less than the heaviest of these: they
// fill tensors and copy them, and would crowd the table.
std::vector<const KernelGroup*> folded(const Explanation& report) {
  double heaviest_own = -1;
  for (const KernelGroup& kernel : report.kernels)
    if (!is_of_pytorch(report, kernel)) heaviest_own = std::max(heaviest_own, weight(&kernel));
  std::vector<const KernelGroup*> all;
  for (const KernelGroup& kernel : report.kernels)
    if (is_of_pytorch(report, kernel) && report.worst(kernel).record.completed() &&
        weight(&kernel) <= heaviest_own)
      all.push_back(&kernel);
  return all.size() > 1 ? all : std::vector<const KernelGroup*>{};
}

std::string told(const Explanation& report, const std::vector<const KernelGroup*>& kernels) {
  constexpr size_t most_names = 3;
  std::vector<std::string> names;
  double seconds = 0;
  for (const KernelGroup* kernel : kernels) {
    seconds += weight(kernel);
    const std::string name = text::short_name(report.worst(*kernel).record.name);
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  if (names.size() > most_names) names.resize(most_names);
  return fmt::format(
      "… and {} kernels of PyTorch, {} µs together: {} (--kernel at:: tells of them)",
      kernels.size(), text::microseconds(seconds), fmt::join(names, ", "));
}

std::string range(double from, double to) {
  return fmt::format("{} … {} µs", text::microseconds(from), text::microseconds(to));
}

// "hash_insert 80.0 … 166 µs, …" of those of the kernels in the table that have a range.
std::string ranges(const std::vector<std::pair<std::string, std::string>>& ranges) {
  constexpr size_t most_ranges = 6;
  std::vector<std::string> told;
  for (const auto& [name, words] : ranges)
    if (told.size() < most_ranges) told.push_back(name + " " + words);
  std::string text = fmt::format("{}", fmt::join(told, ", "));
  if (ranges.size() > told.size()) text += fmt::format(" and {} more", ranges.size() - told.size());
  return text;
}

// What the marks in the column of predicted times stand for.
std::vector<std::string> marks(const Explanation& report,
                               const std::vector<const KernelGroup*>& shown) {
  std::vector<std::pair<std::string, std::string>> unlike, wide;
  const auto names_of = names_in_text(report);
  for (const KernelGroup* kernel : shown) {
    const LaunchRecord& record = report.worst(*kernel).record;
    if (!record.prediction) continue;
    const std::string& name = names_of.at(record.name);
    if (kernel->unlike())
      unlike.emplace_back(name, range(kernel->least_predicted, kernel->most_predicted));
    if (is_wide(*record.prediction))
      wide.emplace_back(name,
                        range(record.prediction->low_seconds, record.prediction->high_seconds));
  }
  std::vector<std::string> notes;
  if (!unlike.empty())
    notes.push_back("≤: of unlike launches the longest, but for n and all n: " + ranges(unlike));
  if (!wide.empty())
    notes.push_back("?: by what L2 holds before and by unlike blocks: " + ranges(wide));
  return notes;
}

Grid kernel_grid(const Explanation& report) {
  const auto of_pytorch = folded(report);
  auto shown = heaviest(report, max_rows + of_pytorch.size());
  std::erase_if(shown, [&](auto* kernel) {
    return std::ranges::find(of_pytorch, kernel) != of_pytorch.end();
  });
  if (shown.size() > max_rows) shown.resize(max_rows);
  const std::set<const KernelGroup*> is_shown(shown.begin(), shown.end());
  // A sum says something only where a kernel was launched more than once.
  const bool sums = std::any_of(shown.begin(), shown.end(),
                                [](auto* kernel) { return kernel->launches.size() > 1; });
  const std::vector<RowColumn> columns =
      columns_of(is_predicted(report), sums, names_repeat(report, shown));
  Grid grid;
  for (const RowColumn& each : columns) grid.columns.push_back(each.column);
  for (const KernelGroup& kernel : report.kernels) {
    if (!is_shown.contains(&kernel)) continue;
    const Row row = row_of(report, kernel);
    auto& cells = grid.rows.emplace_back();
    for (const RowColumn& each : columns) cells.push_back(row.*each.cell);
  }
  grid.notes = marks(report, shown);
  if (const size_t told_of = shown.size() + of_pytorch.size(); told_of < report.kernels.size())
    grid.notes.push_back(fmt::format("… and {} more kernels with smaller floors (--json lists all)",
                                     report.kernels.size() - told_of));
  if (!of_pytorch.empty()) grid.notes.push_back(told(report, of_pytorch));
  return grid;
}

// "naive, coalesced: largest lower bound L1/TEX, …": kernels with the same equation in one sentence.
List reasons(const Explanation& report) {
  std::vector<std::pair<std::string, std::vector<std::string>>> sentences;
  const auto names_of = names_in_text(report);
  for (const KernelGroup* kernel : heaviest(report, report.kernels.size())) {
    const ExplainedLaunch& launch = report.worst(*kernel);
    if (launch.bounds->limiter < 0 || !launch.record.completed()) continue;
    const Floor& floor = launch.bounds->floors[launch.bounds->limiter];
    const std::string bound = fmt::format("largest lower bound {}, {}{}", title_of(floor.resource),
                                          floor.equation, basis_text(floor));
    const std::string& name = names_of.at(launch.record.name);
    auto same =
        std::find_if(sentences.begin(), sentences.end(), [&](auto& s) { return s.first == bound; });
    if (same == sentences.end()) same = sentences.insert(same, {bound, {}});
    if (std::find(same->second.begin(), same->second.end(), name) == same->second.end())
      same->second.push_back(name);
  }
  List result;
  for (size_t i = 0; i < std::min(sentences.size(), max_reasons); ++i) {
    const auto& [bound, names] = sentences[i];
    result.items.push_back(fmt::format("{}: {}", fmt::join(names, ", "), bound));
  }
  if (sentences.size() > max_reasons) {
    size_t left = 0;
    for (size_t i = max_reasons; i < sentences.size(); ++i) left += sentences[i].second.size();
    result.items.push_back(fmt::format("… and {}: --kernel NAME tells",
                                       text::counted(left, "more kernel", "more kernels")));
  }
  return result;
}

std::string transfers(const Explanation& report) {
  std::string result;
  for (const Transfer& transfer : report.transfers) {
    if (transfer.calls == 0) continue;
    std::string words = transfer.direction;
    std::replace(words.begin(), words.end(), '_', ' ');
    result +=
        fmt::format("{}{} {} in {}", result.empty() ? "" : "; ", words, text::bytes(transfer.bytes),
                    text::counted(transfer.calls, "call", "calls"));
  }
  return result;
}

// The run as a whole, and how to read the table; who has a fault to mend reads neither.
List legend(const Explanation& report) {
  List lines{{}, Tone::faint};
  const auto line = [&](std::string words) { lines.items.push_back(std::move(words)); };
  if (report.stopped > 0) return {};
  if (const std::string moved = transfers(report); !moved.empty())
    line("Transfers: " + moved + ".");
  if (report.not_run == report.launches.size()) return lines;
  const std::string sum =
      text::marked(text::microseconds(report.total_seconds), report.total_estimated);
  const bool any_by_ptx = std::ranges::any_of(report.launches, [](const ExplainedLaunch& launch) {
    return launch.record.completed() && by_ptx(launch);
  });
  const std::string predicted =
      report.predicted_seconds
          ? fmt::format("{} µs are predicted, ",
                        text::marked(text::microseconds(*report.predicted_seconds), any_by_ptx))
          : "";
  line(fmt::format("All launches: {}the floors add up to {} µs; the emulator took {:.1f} s.",
                   predicted, sum, report.executor_seconds));
  if (report.repeated > 0)
    line(
        fmt::format("{} did again what one before did, with the same arguments on the same "
                    "memory, and {} not run.",
                    text::counted(report.repeated, "launch", "launches"),
                    report.repeated == 1 ? "was" : "were"));
  const bool sums = std::ranges::any_of(
      report.kernels, [](const KernelGroup& kernel) { return kernel.launches.size() > 1; });
  if (is_predicted(report))
    line(fmt::format(
        "predicted: what a model of the machine says{}; gain: what the first advice saves of it; "
        "{}floor: a lower bound, the least time one resource needs for what the launch did.",
        sums ? " of one launch, the longest" : "",
        sums ? "all n: of all launches together; " : ""));
  else
    line(
        "floor: a lower bound, the least time one resource needs for what the launch did; no "
        "prediction of its time.");
  if (report.total_estimated || (any_by_ptx && is_predicted(report)))
    line("~ marks an estimate from PTX instructions: machine code may have fewer, or more.");
  line(is_predicted(report)
           ? "−: what the model saves without that one obstacle. --kernel NAME tells more."
           : "sectors / request: loads/stores, 4.0 is ideal for 4-byte ones. --kernel NAME tells "
             "more.");
  return lines;
}

}  // namespace

Document run_document(const Explanation& report) {
  Document document{"headroom run"};
  document.add(findings_told(report.findings));
  document.add(program_heading(report));
  if (!report.launches.empty()) {
    document.add(kernel_grid(report));
    document.add(is_predicted(report) ? next_steps(report) : reasons(report));
    if (is_predicted(report)) document.add(kernel_notes(report));
    document.add(legend(report));
  }
  document.add(caveats_list(report));
  if (report.kernels.size() > on_a_screen) document.add(findings_reminder(report.findings));
  return document;
}

}  // namespace headroom
