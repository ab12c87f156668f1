#include "report/html.h"

#include <fmt/format.h>

#include "report/page_files.h"

namespace headroom {

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

namespace {

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
                         grid.columns[i].align == Align::left ? " class=\"left\"" : "",
                         html_escaped(cells[i]));
    return row + "</tr>\n";
  };
  std::vector<std::string> titles;
  for (const Column& column : grid.columns) titles.push_back(column.title);
  std::string result = "<div class=\"scroll\"><table>\n" + row_of(titles, "th");
  for (const auto& row : grid.rows) result += row_of(row, "td");
  return result + "</table>\n</div>\n";
}

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

std::string html_blocks(const Document& document) {
  std::string result;
  for (const Block& block : document.blocks) result += std::visit(DrawHtml{}, block);
  return result;
}

std::string html_head(const std::string& title) {
  std::string styles;
  for (const EmbeddedFile& file : embedded_page())
    if (file.path.ends_with(".css")) styles += file.text;
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
      "style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n"
      "<title>{}</title>\n<style>\n{}</style></head><body>\n",
      html_escaped(title), styles);
}

std::string draw_html(const Document& document) {
  return html_head(document.title) + "<main class=\"text\">\n" + html_blocks(document) +
         "</main></body></html>\n";
}

}  // namespace headroom
