#include "lab/grid.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "report/format.h"

namespace headroom {
namespace {

using Value = std::optional<double>;
constexpr const char* none = "–";

std::string figure(Value value) {
  if (!value) return none;
  const double size = std::abs(*value);
  if (size >= 9999.5) return text::grouped(uint64_t(std::llround(*value)));
  const int decimals = size >= 999.5 ? 0 : size >= 99.95 ? 1 : size >= 9.995 ? 1 : 2;
  std::string digits = fmt::format("{:.{}f}", *value, decimals);
  if (digits.find('.') != digits.npos) {
    digits.erase(digits.find_last_not_of('0') + 1);
    if (digits.ends_with('.')) digits.pop_back();
  }
  return digits;
}

std::string sign_of(const std::string& bound) {
  if (bound == "at most" || bound == "up to") return "≤ ";
  if (bound == "less than") return "< ";
  if (bound == "more than") return "> ";
  return bound.empty() ? "" : bound + " ";
}

std::string published_figure(const LabRow& row) {
  if (!row.published) return none;
  return sign_of(row.published->bound) + figure(row.published->value) +
         (row.published->contradiction ? " !" : "");
}

Value measured_value(const LabRow& row, size_t i) {
  return row.measured[i] ? Value(row.measured[i]->value) : std::nullopt;
}

// A column of figures that all rows have: drawn plainly, and as factors in a ladder.
struct Series {
  std::string title;
  std::function<std::string(const LabRow&)> shown;
  std::function<Value(const LabRow&)> value;
};

bool any_own(const LabTable& table, const std::string& machine) {
  return std::ranges::any_of(table.rows, [&](const LabRow& row) {
    return row.predicted_own && row.published->machine != machine;
  });
}

// "gtx480" where all rows are of one machine.
std::string own_machine(const LabTable& table) {
  std::string only;
  for (const LabRow& row : table.rows) {
    if (!row.predicted_own) continue;
    if (!only.empty() && only != row.published->machine) return "own GPU";
    only = row.published->machine;
  }
  return only;
}

std::vector<Series> series_of(const LabTable& table, const std::string& machine) {
  std::vector<Series> all;
  all.push_back({"published", published_figure, [](const LabRow& row) {
                   return row.published ? Value(row.published->value) : std::nullopt;
                 }});
  if (any_own(table, machine))
    all.push_back({"predicted\n" + own_machine(table),
                   [&](const LabRow& row) { return figure(row.predicted_own); },
                   [](const LabRow& row) { return row.predicted_own; }});
  all.push_back({"predicted\n" + machine, [&](const LabRow& row) { return figure(row.predicted); },
                 [](const LabRow& row) { return row.predicted; }});
  for (size_t i = 0; i < table.measured_on.size(); ++i)
    all.push_back({"measured\n" + table.measured_on[i],
                   [i](const LabRow& row) { return figure(measured_value(row, i)); },
                   [i](const LabRow& row) { return measured_value(row, i); }});
  return all;
}

bool differs(const LabTable& table, std::string PublishedRow::*member, const std::string& usual) {
  return std::ranges::any_of(table.rows, [&](const LabRow& row) {
    return row.published && (*row.published).*member != usual;
  });
}

std::string of_row(const LabRow& row, std::string PublishedRow::*member, const std::string& other) {
  return row.published ? (*row.published).*member : other;
}

// How much more than the row before: "× 6.43".
std::string factor(Value before, Value now) {
  return before && now && *before > 0 ? "× " + figure(*now / *before) : "";
}

void plain_rows(const LabTable& table, const std::vector<Series>& series, Grid& grid) {
  const PublishedTable& published = table.published;
  const bool gpus = differs(table, &PublishedRow::gpu, published.gpu);
  const bool units = differs(table, &PublishedRow::unit, published.unit);
  for (const std::string& name : published.key) {
    const Cell* first = find(table.rows[0].key, name);
    grid.columns.push_back({name, first->number ? Align::right : Align::left});
  }
  grid.names = grid.columns.size();
  if (gpus) grid.columns.push_back({"published on", Align::left});
  if (units) grid.columns.push_back({"unit", Align::left});
  for (const Series& each : series) {
    grid.columns.push_back({each.title});
    if (published.ladder) grid.columns.push_back({"", Align::left, Give::nothing, 1});
  }
  const LabRow* before = nullptr;
  for (const LabRow& row : table.rows) {
    std::vector<std::string> cells;
    for (const std::string& name : published.key) cells.push_back(find(row.key, name)->text);
    if (gpus) cells.push_back(of_row(row, &PublishedRow::gpu, ""));
    if (units) cells.push_back(of_row(row, &PublishedRow::unit, published.unit));
    for (const Series& each : series) {
      cells.push_back(each.shown(row));
      if (published.ladder)
        cells.push_back(before ? factor(each.value(*before), each.value(row)) : "");
    }
    grid.rows.push_back(std::move(cells));
    before = &row;
  }
}

Key without(const Key& key, const std::string& name) {
  Key rest;
  for (const auto& each : key)
    if (each.first != name) rest.push_back(each);
  return rest;
}

// "≤" before each figure of a line becomes one before its title.
void state_bound_once(std::vector<std::string>& cells) {
  const std::string mark = "≤ ";
  const auto begin = cells.begin() + 2;
  if (!std::all_of(begin, cells.end(),
                   [&](const std::string& cell) { return cell.empty() || cell.starts_with(mark); }))
    return;
  for (auto cell = begin; cell != cells.end(); ++cell)
    if (!cell->empty()) cell->erase(0, mark.size());
  cells[1] = mark + cells[1];
}

// A curve: one line a rest of the key and series, the running cell along the columns.
void curve_rows(const LabTable& table, const std::vector<Series>& series, Grid& grid) {
  const std::string& across = table.published.across;
  std::map<double, std::string> along;
  std::vector<Key> lines;
  const auto add = [&](const LabRow& row) {
    const Cell* cell = find(row.key, across);
    along[cell->number.value_or(0)] = cell->text;
    const Key rest = without(row.key, across);
    if (!std::ranges::any_of(lines, [&](const Key& line) { return has_all(line, rest); }))
      lines.push_back(rest);
  };
  // What was measured is whole, and in the study's order.
  for (const LabRow& row : table.rows)
    if (!row.published) add(row);
  for (const LabRow& row : table.rows)
    if (row.published) add(row);
  grid.columns.push_back(
      {fmt::format("{}", fmt::join(table.published.key, ", ")), Align::left, Give::name});
  grid.columns.push_back({"", Align::left});
  grid.names = grid.columns.size();
  for (const auto& [number, text] : along) grid.columns.push_back({text});
  for (const Key& line : lines) {
    bool named = false;
    for (const Series& each : series) {
      std::string title = each.title;
      std::ranges::replace(title, '\n', ' ');
      std::vector<std::string> cells{named ? "" : text_of(line), title};
      bool any = false;
      for (const auto& [number, text] : along) {
        std::string shown;
        for (const LabRow& row : table.rows)
          if (has_all(row.key, line) && find(row.key, across)->text == text && each.value(row))
            shown = each.shown(row);
        any |= !shown.empty();
        cells.push_back(shown);
      }
      if (!any) continue;
      state_bound_once(cells);
      grid.rows.push_back(std::move(cells));
      named = true;
    }
  }
}

// Rows that say why they have no figure, by what they say: each name once, none where it is all of the table.
class Absent {
 public:
  void add(const std::string& name, const std::string& why) {
    auto found = std::ranges::find(reasons_, why, &Reason::why);
    if (found == reasons_.end()) found = reasons_.insert(reasons_.end(), {why, {}, 0});
    if (!std::ranges::count(found->names, name)) found->names.push_back(name);
    ++found->rows;
  }
  std::vector<std::string> notes(size_t rows) const {
    std::vector<std::string> lines;
    for (const Reason& each : reasons_)
      lines.push_back(each.rows == rows
                          ? each.why
                          : fmt::format("{}: {}", fmt::join(each.names, "; "), each.why));
    return lines;
  }

 private:
  struct Reason {
    std::string why;
    std::vector<std::string> names;
    size_t rows;
  };
  std::vector<Reason> reasons_;
};

void note_rows(const LabTable& table, Grid& grid) {
  Absent absent;
  for (const LabRow& row : table.rows) {
    if (!row.published) continue;
    const PublishedRow& p = *row.published;
    const std::string name = text_of(row.key);
    if (p.contradiction)
      grid.notes.push_back(fmt::format("! {}: {} is printed; {}: {}", name, figure(p.value),
                                       p.contradiction->because, figure(p.contradiction->value)));
    if (!p.note.empty())
      grid.notes.push_back(
          fmt::format("{}{}: {}", name, p.gpu == table.published.gpu ? "" : ", " + p.gpu, p.note));
    if (!p.absent.empty()) absent.add(name, p.absent);
  }
  for (std::string& line : absent.notes(table.published.rows.size()))
    grid.notes.push_back(std::move(line));
}

std::string clocks_text(const Results& results) {
  std::string text;
  for (const ClockRange& clock : results.clocks) {
    const bool megahertz = clock.what.ends_with("_mhz");
    if (!megahertz) continue;
    const std::string range =
        clock.least == clock.most
            ? fmt::format("{:g}", clock.median)
            : fmt::format("{:g} ({:g} to {:g})", clock.median, clock.least, clock.most);
    text += fmt::format("; {} {} MHz", clock.what.starts_with("sm") ? "SMs" : "memory", range);
  }
  return text;
}

std::string spread_text(const Results& results) {
  std::optional<double> most;
  for (const Key& row : results.rows)
    if (const auto spread = number_of(row, "spread, %")) most = std::max(most.value_or(0), *spread);
  return most ? fmt::format("; spread of a row at most {:g} %", *most) : "";
}

}  // namespace

std::string sentence(const Caveat& caveat) {
  return fmt::format("{}: {}; {}", caveat.what, caveat.cause, caveat.advice);
}

std::vector<std::string> provenance(const Lab& lab) {
  std::vector<std::string> lines;
  for (const Results& each : lab.results) {
    std::string line = fmt::format("{} on {}", each.study, each.gpu);
    const auto add = [&](const char* before, const std::string& value) {
      if (!value.empty()) line += before + value;
    };
    add(", ", each.date);
    add(", driver ", each.driver);
    add(", CUDA ", each.toolkit);
    line += clocks_text(each);
    add("; nvcc ", each.flags);
    if (each.commands.size() == 1) line += "; " + each.commands.front();
    if (each.commands.size() > 1) line += fmt::format("; {} commands", each.commands.size());
    add("; ", each.method);
    line += spread_text(each);
    line += fmt::format(" ({})", each.from);
    lines.push_back(std::move(line));
  }
  return lines;
}

std::string title_of(const PublishedTable& table) {
  return fmt::format("{}, {}", table.title, table.unit);
}

std::string origin_of(const PublishedTable& table) {
  return fmt::format("[{}] {}, {}", table.source, table.page, table.gpu);
}

Grid grid_of(const LabTable& table, const std::string& machine) {
  const PublishedTable& published = table.published;
  Grid grid;
  const std::vector<Series> series = series_of(table, machine);
  published.across.empty() ? plain_rows(table, series, grid) : curve_rows(table, series, grid);
  note_rows(table, grid);
  for (const std::string& basis : table.bases) grid.notes.push_back("predicted: " + basis);
  for (const Caveat& caveat : table.caveats) grid.notes.push_back("caveat: " + sentence(caveat));
  return grid;
}

}  // namespace headroom
