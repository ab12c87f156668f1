// A table of results: collected once, printed as text or written as JSON.
//
//   Table table({"rung", "GFLOP/s"});
//   table.row({"naive", number(512.25, 1)});
//   table.note("bulk", "needs compute capability 9.0");        // where there are no figures
//
//   rung   GFLOP/s           {"title": …, "rows": [{"rung": "naive", "GFLOP/s": 512.2}]}
//   naive    512.2
//   bulk   needs compute capability 9.0
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "studies/common/ending.h"
#include "studies/common/output_file.h"

namespace study {

struct Cell {
  Cell(const char* word) : text(word) {}
  Cell(std::string word) : text(std::move(word)) {}
  Cell(std::string digits, bool is_number) : text(std::move(digits)), is_number(is_number) {}
  std::string text;
  bool is_number = false;
};

inline Cell number(double value, int decimals) {
  char digits[64];
  std::snprintf(digits, sizeof digits, "%.*f", decimals, value);
  return {digits, true};
}

// Two digits, as errors want; "none" of what is no number.
inline Cell scientific(double value) {
  if (!std::isfinite(value)) return "none";
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.2g", value);
  return {digits, true};
}

// Where there is no figure: empty for readers, and JSON leaves the column of that row out.
inline const Cell nothing("");

class Table {
 public:
  explicit Table(std::vector<std::string> columns) : columns_(std::move(columns)) {}

  void row(std::vector<Cell> cells) {
    std::lock_guard adding(rows_lock);
    rows_.push_back(std::move(cells));
  }
  // For readers only: JSON leaves it out.
  void note(const std::string& name, const std::string& words) { row({name, words}); }

  // How many have figures.
  size_t rows() const {
    return rows_.size() - std::count_if(rows_.begin(), rows_.end(),
                                        [this](const auto& row) { return is_note(row); });
  }

  void print() const {
    std::vector<size_t> widths;
    for (const std::string& column : columns_) widths.push_back(column.size());
    for (const auto& row : rows_) {
      const size_t cells = is_note(row) ? 1 : row.size();
      for (size_t c = 0; c < cells; ++c) widths[c] = std::max(widths[c], row[c].text.size());
    }
    for (size_t c = 0; c < columns_.size(); ++c) put(columns_[c], widths[c], c);
    for (const auto& row : rows_) {
      if (is_note(row)) {
        std::printf("%-*s  %s\n", int(widths[0]), row[0].text.c_str(), row[1].text.c_str());
        continue;
      }
      for (size_t c = 0; c < row.size(); ++c) put(row[c].text, widths[c], c);
    }
  }

  // Returns false when the file cannot be written.
  bool write_json(const std::string& path, const std::string& title, bool complete = true) const {
    OutputFile file(path);
    if (!file.stream()) return false;
    std::fprintf(file.stream(), "{\"title\": \"%s\",%s\n \"rows\": [", title.c_str(),
                 complete ? "" : " \"complete\": false,");
    const char* between = "\n  {";
    for (const auto& row : rows_) {
      if (is_note(row)) continue;
      std::fputs(between, file.stream());
      between = ",\n  {";
      const char* comma = "";
      for (size_t c = 0; c < columns_.size(); ++c) {
        if (row[c].text.empty()) continue;
        const char* quote = row[c].is_number ? "" : "\"";
        std::fprintf(file.stream(), "%s\"%s\": %s%s%s", comma, columns_[c].c_str(), quote,
                     row[c].text.c_str(), quote);
        comma = ", ";
      }
      std::fputc('}', file.stream());
    }
    std::fputs("\n]}\n", file.stream());
    return file.finish();
  }

 private:
  bool is_note(const std::vector<Cell>& row) const { return row.size() < columns_.size(); }
  // The first column is a name and stands left; figures stand right.
  void put(const std::string& text, size_t width, size_t column) const {
    const int padded = column == 0 ? -int(width) : int(width) + 2;
    std::printf("%*s%s", padded, text.c_str(), column + 1 == columns_.size() ? "\n" : "");
  }

  std::vector<std::string> columns_;
  std::vector<std::vector<Cell>> rows_;
};

}  // namespace study
