#include "report/table.h"

#include <algorithm>
#include <cassert>
#include <sstream>

#include "report/format.h"

namespace headroom {

namespace {

std::vector<std::string> title_lines(const std::string& title) {
  std::vector<std::string> lines;
  std::istringstream stream(title);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  if (lines.empty()) lines.emplace_back();
  return lines;
}

}  // namespace

void Table::row(std::vector<std::string> cells) {
  assert(cells.size() == columns_.size());
  lines_.push_back({std::move(cells), ""});
}

void Table::note(std::string line) { lines_.push_back({{}, std::move(line)}); }

std::vector<size_t> Table::widths() const {
  std::vector<size_t> result;
  for (size_t c = 0; c < columns_.size(); ++c) {
    size_t width = 0;
    for (const auto& part : title_lines(columns_[c].title))
      width = std::max(width, text::display_width(part));
    for (const auto& line : lines_)
      if (!line.cells.empty()) width = std::max(width, text::display_width(line.cells[c]));
    result.push_back(width);
  }
  return result;
}

size_t Table::width() const {
  size_t total = 0;
  const auto each = widths();
  for (size_t c = 0; c < each.size(); ++c) total += each[c] + (c > 0 ? columns_[c].gap : 0);
  return total;
}

std::string Table::line(const std::vector<std::string>& cells, size_t indent) const {
  const auto each = widths();
  std::string result(indent, ' ');
  for (size_t c = 0; c < cells.size(); ++c) {
    const std::string fill(each[c] - text::display_width(cells[c]), ' ');
    if (c > 0) result += std::string(columns_[c].gap, ' ');
    result += columns_[c].align == Align::left ? cells[c] + fill : fill + cells[c];
  }
  result.erase(result.find_last_not_of(' ') + 1);
  return result;
}

std::string Table::text(const Style& style, size_t indent) const {
  size_t height = 1;
  for (const auto& column : columns_) height = std::max(height, title_lines(column.title).size());
  std::string result;
  for (size_t h = 0; h < height; ++h) {
    std::vector<std::string> header;
    for (const auto& column : columns_) {
      const auto parts = title_lines(column.title);
      const size_t empty = height - parts.size();
      header.push_back(h < empty ? "" : parts[h - empty]);
    }
    const std::string drawn = line(header, indent);
    if (!drawn.empty()) result += style.dim(drawn) + "\n";
  }
  for (const auto& each : lines_)
    result +=
        (each.cells.empty() ? std::string(indent, ' ') + each.note : line(each.cells, indent)) +
        "\n";
  return result;
}

std::string named_table(const std::vector<Column>& columns,
                        const std::vector<std::vector<std::string>>& rows, const Style& style) {
  constexpr size_t min_name = 14, indent = 2;
  std::vector<std::string> names;
  for (const auto& row : rows) names.push_back(row[0]);
  const auto build = [&](size_t name_width) {
    Table table(columns);
    const auto shown = text::shorten_apart(names, name_width ? name_width : style.columns - indent);
    for (size_t i = 0; i < rows.size(); ++i) {
      if (name_width == 0) table.note(shown[i]);
      auto row = rows[i];
      row[0] = name_width ? shown[i] : "";
      table.row(std::move(row));
    }
    return table;
  };
  const size_t figures = build(0).width() - text::display_width(columns[0].title);
  const size_t left = style.columns > figures + indent ? style.columns - figures - indent : 0;
  return build(left < min_name ? 0 : left).text(style, indent);
}

}  // namespace headroom
