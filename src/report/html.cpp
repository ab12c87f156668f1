#include "report/html.h"

#include <fmt/format.h>

namespace headroom {
namespace {

// Line ends become spaces.
std::string html_escaped(const std::string& text) {
  std::string result;
  for (const char c : text) switch (c) {
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '&': result += "&amp;"; break;
      case '\n': result += ' '; break;
      default: result += c;
    }
  return result;
}

std::string html_items(const std::vector<std::string>& texts) {
  std::string result = "<ul>\n";
  for (const std::string& text : texts) result += "<li>" + html_escaped(text) + "</li>\n";
  return result + "</ul>\n";
}

std::string html_table(const Grid& grid) {
  const auto row_of = [&](const auto& cells, const char* tag) {
    std::string row = "<tr>";
    for (size_t i = 0; i < cells.size(); ++i)
      row += fmt::format("<{0}{1}>{2}</{0}>", tag,
                         grid.columns[i].align == Align::left ? " class=\"name\"" : "",
                         html_escaped(cells[i]));
    return row + "</tr>\n";
  };
  std::vector<std::string> titles;
  for (const Column& column : grid.columns) titles.push_back(column.title);
  std::string result = "<div class=\"table\"><table>\n" + row_of(titles, "th");
  for (const auto& row : grid.rows) result += row_of(row, "td");
  return result + "</table>\n</div>\n";
}

constexpr const char* style_sheet =
    "body{font:15px/1.4 sans-serif;max-width:70em;margin:2em auto;padding:0 1em}"
    "table{border-collapse:collapse;margin:.5em 0}th,td{padding:.15em .6em;text-align:right;"
    "border-bottom:1px solid #ddd}.name{text-align:left}.table{overflow-x:auto}"
    "h2{margin:1.6em 0 0}p,li{margin:.2em 0}";

struct DrawHtml {
  std::string operator()(const Heading& heading) const {
    return fmt::format("<h{0}>{1}</h{0}>\n", heading.level, html_escaped(heading.title)) +
           (heading.beside.empty() ? "" : "<p>" + html_escaped(heading.beside) + "</p>\n");
  }
  std::string operator()(const Paragraph& paragraph) const {
    const bool loud = paragraph.tone == Tone::strong || paragraph.tone == Tone::alarm;
    const std::string text = html_escaped(paragraph.text);
    return "<p>" + (loud ? "<strong>" + text + "</strong>" : text) + "</p>\n";
  }
  std::string operator()(const List& list) const {
    return list.items.empty() ? "" : html_items(list.items);
  }
  std::string operator()(const Code& code) const {
    std::string lines;
    for (const std::string& line : code.lines) lines += html_escaped(line) + "\n";
    return "<pre>" + lines + "</pre>\n";
  }
  std::string operator()(const Grid& grid) const {
    return (grid.lead.empty() ? "" : "<p>" + html_escaped(grid.lead) + "</p>\n") +
           (grid.columns.empty() ? "" : html_table(grid)) + html_items(grid.notes);
  }
};

}  // namespace

std::string draw_html(const Document& document) {
  std::string result = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{}</title>\n"
      "<style>{}</style></head><body>\n",
      html_escaped(document.title), style_sheet);
  for (const Block& block : document.blocks) result += std::visit(DrawHtml{}, block);
  return result + "</body></html>\n";
}

}  // namespace headroom
