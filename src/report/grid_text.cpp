#include "report/grid_text.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <optional>

#include "report/format.h"

namespace headroom {
namespace {

constexpr size_t min_name = 14, min_words = 24;  // narrower ones tell too little
constexpr size_t roomy_name = 20;                // where columns are left out for it
constexpr size_t stacked_name = 28;              // where there is more than one grid there is room

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

size_t widest(const std::vector<std::string>& lines) {
  size_t width = 0;
  for (const std::string& line : lines) width = std::max(width, text::display_width(line));
  return width;
}

size_t widest_word(const std::vector<std::string>& texts) {
  size_t width = 0;
  for (std::string text : texts) {
    std::ranges::replace(text, ' ', '\n');
    width = std::max(width, widest(lines_of(text)));
  }
  return width;
}

std::vector<std::string> cells_of(const Grid& grid, size_t column) {
  std::vector<std::string> cells;
  for (const auto& row : grid.rows) cells.push_back(row[column]);
  return cells;
}

// How wide a column is when it gives nothing, and the least that it may have.
struct Room {
  size_t wanted = 0, least = 0;
};

Room room_of(const Grid& grid, size_t c, size_t least_name = min_name) {
  const Column& column = grid.columns[c];
  const size_t title = widest(lines_of(column.title));
  const size_t wanted = std::max(title, widest(cells_of(grid, c)));
  size_t least = wanted;
  if (column.give == Give::name) least = std::min(wanted, std::max(title, least_name));
  if (column.give == Give::words) {
    const size_t word = std::min(column.hang + widest_word(cells_of(grid, c)), min_words);
    least = std::min(wanted, std::max(word, title));
  }
  return {wanted, least};
}

// The columns of a grid, chosen and in order.
Grid part_of(const Grid& grid, const std::vector<size_t>& chosen) {
  Grid part{.names = grid.names, .indent = grid.indent};
  for (const size_t c : chosen) part.columns.push_back(grid.columns[c]);
  for (const auto& row : grid.rows) {
    auto& cells = part.rows.emplace_back();
    for (const size_t c : chosen) cells.push_back(row[c]);
  }
  return part;
}

size_t gap_before(const Grid& grid, size_t c) { return c == 0 ? 0 : grid.columns[c].gap; }

// Takes from the widest columns that may give, until all fit or none has more to give.
void give_way(const Grid& grid, Give give, const std::vector<Room>& rooms, size_t columns,
              std::vector<size_t>& widths) {
  size_t total = 0;
  for (size_t c = 0; c < widths.size(); ++c) total += gap_before(grid, c) + widths[c];
  while (total > columns) {
    size_t most = widths.size();
    for (size_t c = 0; c < widths.size(); ++c)
      if (grid.columns[c].give == give && widths[c] > rooms[c].least &&
          (most == widths.size() || widths[c] > widths[most]))
        most = c;
    if (most == widths.size()) return;
    const size_t taken = std::min(total - columns, widths[most] - rooms[most].least);
    // A little at a time where several are wide.
    const size_t step = std::max<size_t>(1, taken / 8);
    widths[most] -= step;
    total -= step;
  }
}

std::vector<size_t> widths_of(const Grid& grid, size_t columns) {
  std::vector<Room> rooms;
  std::vector<size_t> widths;
  for (size_t c = 0; c < grid.columns.size(); ++c) {
    rooms.push_back(room_of(grid, c));
    widths.push_back(rooms[c].wanted);
  }
  give_way(grid, Give::name, rooms, columns, widths);
  give_way(grid, Give::words, rooms, columns, widths);
  size_t total = 0;
  for (size_t c = 0; c < widths.size(); ++c) total += gap_before(grid, c) + widths[c];
  if (total <= columns) return widths;
  // None has more to give: the last ones take what is left.
  size_t left = columns;
  for (size_t c = 0; c < widths.size(); ++c) {
    const size_t gap = gap_before(grid, c), behind = 2 * (widths.size() - c - 1);
    const size_t most = left > gap + behind ? left - gap - behind : 1;
    widths[c] = std::min(widths[c], most);
    left -= std::min(left, gap + widths[c]);
  }
  return widths;
}

// Whether the columns chosen fit, all giving what they can.
bool fits(const Grid& grid, const std::vector<size_t>& chosen, size_t columns,
          size_t least_name = min_name) {
  size_t total = 0;
  for (size_t i = 0; i < chosen.size(); ++i)
    total += (i > 0 ? grid.columns[chosen[i]].gap : 0) + room_of(grid, chosen[i], least_name).least;
  return total <= columns;
}

// The columns of each of the grids that stand below one another; a column with a small gap belongs
// to the one before it.
std::vector<std::vector<size_t>> stacked(const Grid& grid, size_t columns) {
  std::vector<size_t> names;
  for (size_t c = 0; c < std::min(grid.names, grid.columns.size()); ++c) names.push_back(c);
  std::vector<std::vector<size_t>> parts{names};
  for (size_t c = names.size(); c < grid.columns.size();) {
    std::vector<size_t> together{c++};
    while (c < grid.columns.size() && grid.columns[c].gap < 2) together.push_back(c++);
    auto more = parts.back();
    more.insert(more.end(), together.begin(), together.end());
    if (parts.back().size() > names.size() && !fits(grid, more, columns, stacked_name)) {
      parts.push_back(names);
      more = names;
      more.insert(more.end(), together.begin(), together.end());
    }
    parts.back() = more;
  }
  return parts;
}

// The columns in one row, without as few of those that may be left out as fit; nothing where none do. Where columns are
// left out anyway, names get more room than the least.
std::optional<std::vector<size_t>> in_one_row(const Grid& grid, size_t columns) {
  std::vector<size_t> chosen(grid.columns.size());
  std::iota(chosen.begin(), chosen.end(), size_t(0));
  if (fits(grid, chosen, columns)) return chosen;
  std::vector<size_t> droppable;
  for (const size_t c : chosen)
    if (grid.columns[c].drop) droppable.push_back(c);
  std::ranges::stable_sort(droppable, {}, [&](size_t c) { return grid.columns[c].drop; });
  for (const size_t least_name : {roomy_name, min_name}) {
    std::vector<size_t> left = chosen;
    for (const size_t c : droppable) {
      std::erase(left, c);
      if (fits(grid, left, columns, least_name)) return left;
    }
  }
  return std::nullopt;
}

struct Drawn {
  const Grid& grid;
  const std::vector<size_t>& widths;

  std::string line(const std::vector<std::string>& cells) const {
    std::string result(grid.indent, ' ');
    for (size_t c = 0; c < cells.size(); ++c) {
      const std::string cell = text::shorten(cells[c], widths[c]);
      const std::string fill(widths[c] - text::display_width(cell), ' ');
      result += std::string(gap_before(grid, c), ' ');
      result += grid.columns[c].align == Align::left ? cell + fill : fill + cell;
    }
    result.erase(result.find_last_not_of(' ') + 1);
    return result;
  }

  // Cells of several lines, their ends at the bottom (titles) or their beginnings at the top (rows).
  std::vector<std::string> lines(const std::vector<std::vector<std::string>>& cells,
                                 bool at_bottom) const {
    size_t height = 1;
    for (const auto& cell : cells) height = std::max(height, cell.size());
    std::vector<std::string> result;
    for (size_t h = 0; h < height; ++h) {
      std::vector<std::string> pieces;
      for (const auto& cell : cells) {
        const size_t above = at_bottom ? height - cell.size() : 0;
        pieces.push_back(h >= above && h - above < cell.size() ? cell[h - above] : "");
      }
      result.push_back(line(pieces));
    }
    return result;
  }

  std::string text(const Style& style) const {
    std::string result;
    std::vector<std::vector<std::string>> titles, names;
    for (size_t c = 0; c < grid.columns.size(); ++c) {
      titles.push_back(lines_of(grid.columns[c].title));
      names.push_back(grid.columns[c].give == Give::name
                          ? text::shorten_apart(cells_of(grid, c), widths[c])
                          : std::vector<std::string>{});
    }
    for (const std::string& line : lines(titles, true))
      if (!line.empty()) result += style.dim(line) + "\n";
    for (size_t r = 0; r < grid.rows.size(); ++r) {
      std::vector<std::vector<std::string>> cells;
      for (size_t c = 0; c < grid.columns.size(); ++c) {
        const std::string& cell = grid.rows[r][c];
        const bool wraps = grid.columns[c].give == Give::words;
        cells.push_back(!names[c].empty() ? std::vector{names[c][r]}
                        : wraps ? lines_of(text::wrap(cell, widths[c], grid.columns[c].hang))
                                : std::vector{cell});
      }
      for (const std::string& line : lines(cells, false)) result += line + "\n";
    }
    return result;
  }
};

}  // namespace

std::string grid_text(const Grid& grid, const Style& style) {
  if (grid.columns.empty()) return "";
  for ([[maybe_unused]] const auto& row : grid.rows) assert(row.size() == grid.columns.size());
  const size_t columns = style.columns > grid.indent ? style.columns - grid.indent : 1;
  const auto row = in_one_row(grid, columns);
  const auto parts = row ? std::vector<std::vector<size_t>>{*row} : stacked(grid, columns);
  std::vector<Grid> grids;
  std::vector<std::vector<size_t>> widths;
  for (const auto& chosen : parts) {
    grids.push_back(part_of(grid, chosen));
    widths.push_back(widths_of(grids.back(), columns));
  }
  // A row has one name in all of them.
  for (size_t c = 0; c < std::min(grid.names, grid.columns.size()); ++c) {
    const auto narrower = [&](const auto& a, const auto& b) { return a[c] < b[c]; };
    const size_t least = (*std::ranges::min_element(widths, narrower))[c];
    for (auto& each : widths) each[c] = least;
  }
  std::string result;
  for (size_t i = 0; i < grids.size(); ++i)
    result += (i > 0 ? "\n" : "") + Drawn{grids[i], widths[i]}.text(style);
  return result;
}

}  // namespace headroom
