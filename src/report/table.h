// Aligned columns of text under one or two lines of header.
//
//   Table t{{{"kernel", Align::left}, {"floor, µs", Align::right}}};
//   t.row({"axpy", "6.99"});
//   t.text(style, 2)   "  kernel  floor, µs\n  axpy         6.99\n"
#pragma once
#include <string>
#include <vector>

#include "report/style.h"

namespace headroom {

enum class Align : unsigned char { left, right };

struct Column {
  std::string title;  // "\n" splits it over lines; the last stands on the rows
  Align align = Align::right;
  size_t gap = 2;  // spaces before the column
};

class Table {
 public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  void row(std::vector<std::string> cells);
  // A line of text under the last row, outside the columns.
  void note(std::string line);
  // Columns that the table takes, without indentation.
  size_t width() const;
  // No line ends in spaces.
  std::string text(const Style&, size_t indent) const;

 private:
  struct Line {
    std::vector<std::string> cells;
    std::string note;
  };
  std::vector<size_t> widths() const;
  std::string line(const std::vector<std::string>& cells, size_t indent) const;
  std::vector<Column> columns_;
  std::vector<Line> lines_;
};

// Rows that begin with a name, indented by two: the name takes the columns that the figures leave;
// where they leave too few it stands above its row.
std::string named_table(const std::vector<Column>&,
                        const std::vector<std::vector<std::string>>& rows, const Style&);

}  // namespace headroom
