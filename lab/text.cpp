#include "lab/text.h"

#include <fmt/format.h>

#include <algorithm>

#include "lab/grid.h"
#include "report/format.h"
#include "report/table.h"

namespace headroom {
namespace {

constexpr const char* reading =
    "published by the source | predicted by our model for a machine | measured on a GPU; – is "
    "unknown "
    "or has no answer, ≤ a ceiling, ! contradicted by the source itself";

std::string heading(const Lab& lab) {
  return fmt::format("The sources' tables, predicted for {} ({})", lab.machine.title,
                     lab.machine.name);
}

// What has to be escaped in a cell of a Markdown table, and in HTML.
std::string escaped(const std::string& text, bool html) {
  std::string result;
  for (const char c : text) {
    if (html && c == '<')
      result += "&lt;";
    else if (html && c == '>')
      result += "&gt;";
    else if (html && c == '&')
      result += "&amp;";
    else if (!html && (c == '|' || c == '*' || c == '<'))
      result += std::string("\\") + c;
    else
      result += c == '\n' ? ' ' : c;
  }
  return result;
}

std::string markdown_table(const Grid& grid) {
  std::string titles = "|", rule = "|", rows;
  for (const Column& column : grid.columns) {
    titles += " " + escaped(column.title, false) + " |";
    rule += column.align == Align::left ? "---|" : "---:|";
  }
  for (const auto& row : grid.rows) {
    rows += "|";
    for (const std::string& cell : row) rows += " " + escaped(cell, false) + " |";
    rows += "\n";
  }
  return titles + "\n" + rule + "\n" + rows;
}

std::string html_table(const Grid& grid) {
  const auto row_of = [&](const auto& cells, const char* tag) {
    std::string row = "<tr>";
    for (size_t i = 0; i < cells.size(); ++i)
      row += fmt::format("<{0}{1}>{2}</{0}>", tag,
                         grid.columns[i].align == Align::left ? " class=\"name\"" : "",
                         escaped(cells[i], true));
    return row + "</tr>\n";
  };
  std::vector<std::string> titles;
  for (const Column& column : grid.columns) titles.push_back(column.title);
  std::string result = "<table>\n" + row_of(titles, "th");
  for (const auto& row : grid.rows) result += row_of(row, "td");
  return result + "</table>\n";
}

constexpr const char* html_style =
    "body{font:15px/1.4 sans-serif;max-width:70em;margin:2em auto;padding:0 1em}"
    "table{border-collapse:collapse;margin:.5em 0}th,td{padding:.15em .6em;text-align:right;"
    "border-bottom:1px solid #ddd}.name{text-align:left}.table{overflow-x:auto}"
    "h2{margin:1.6em 0 0}p,li{margin:.2em 0}";

}  // namespace

std::string lab_text(const Lab& lab, const Style& style) {
  std::string result =
      style.bold(heading(lab)) + "\n" + text::wrap(reading, style.columns, 0) + "\n";
  for (const std::string& line : provenance(lab))
    result += text::wrap("measured: " + line, style.columns, 2) + "\n";
  for (const Caveat& caveat : lab.caveats)
    result += text::wrap("caveat: " + sentence(caveat), style.columns, 2) + "\n";
  for (const LabTable& each : lab.tables) {
    const Grid grid = grid_of(each, lab.machine.name);
    Table table(grid.columns);
    for (const auto& row : grid.rows) table.row(row);
    result += fmt::format("\n{}  {}\n", style.bold(grid.name), style.dim(grid.origin));
    result += text::wrap("  " + grid.title, style.columns, 2) + "\n\n" + table.text(style, 2);
    for (const std::string& note : grid.notes)
      result += text::wrap("  " + note, style.columns, 4) + "\n";
  }
  return result;
}

std::string lab_markdown(const Lab& lab) {
  std::string result = fmt::format(
      "# Published, predicted, measured\n\nWritten by `headroom reproduce`. {}.\n\n{}.\n",
      heading(lab), reading);
  const auto lines = provenance(lab);
  if (!lines.empty()) result += "\nMeasured:\n\n";
  for (const std::string& line : lines) result += "- " + escaped(line, false) + "\n";
  for (const Caveat& caveat : lab.caveats)
    result += "\nCaveat: " + escaped(sentence(caveat), false) + "\n";
  for (const LabTable& each : lab.tables) {
    const Grid grid = grid_of(each, lab.machine.name);
    result += fmt::format("\n## {}\n\n{}. {}.\n\n{}", grid.name, escaped(grid.title, false),
                          escaped(grid.origin, false), markdown_table(grid));
    if (!grid.notes.empty()) result += "\n";
    for (const std::string& note : grid.notes) result += "- " + escaped(note, false) + "\n";
  }
  return result;
}

std::string lab_html(const Lab& lab) {
  std::string result = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>headroom "
      "reproduce</title>\n<style>{}</style></head><body>\n<h1>{}</h1>\n<p>{}</p>\n<ul>\n",
      html_style, escaped(heading(lab), true), escaped(reading, true));
  for (const std::string& line : provenance(lab))
    result += "<li>measured: " + escaped(line, true) + "</li>\n";
  for (const Caveat& caveat : lab.caveats)
    result += "<li>caveat: " + escaped(sentence(caveat), true) + "</li>\n";
  result += "</ul>\n";
  for (const LabTable& each : lab.tables) {
    const Grid grid = grid_of(each, lab.machine.name);
    result +=
        fmt::format("<h2>{}</h2>\n<p>{}. {}.</p>\n<div class=\"table\">{}</div>\n<ul>\n", grid.name,
                    escaped(grid.title, true), escaped(grid.origin, true), html_table(grid));
    for (const std::string& note : grid.notes) result += "<li>" + escaped(note, true) + "</li>\n";
    result += "</ul>\n";
  }
  return result + "</body></html>\n";
}

std::string lab_list_text(const std::vector<PublishedStudy>& studies) {
  Table table({{"table", Align::left},
               {"rows"},
               {"source", Align::left},
               {"GPU", Align::left},
               {"", Align::left}});
  for (const PublishedStudy& study : studies) {
    for (const PublishedTable& each : study.tables) {
      const bool doubtful = std::ranges::any_of(
          each.rows, [](const PublishedRow& row) { return row.contradiction.has_value(); });
      table.row({each.name, std::to_string(each.rows.size()),
                 fmt::format("[{}] {}", each.source, each.page), each.gpu, doubtful ? "!" : ""});
    }
  }
  return table.text(Style{}, 0);
}

}  // namespace headroom
