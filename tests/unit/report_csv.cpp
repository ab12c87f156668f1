// The table's columns are those that its page lists, and its cells are as RFC 4180 has them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "report/csv.h"

namespace headroom {
namespace {

std::string page_of_csv() {
  std::ifstream file(HEADROOM_SOURCE "/docs/csv.md");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// Rows of the page's tables: "| `name` | unit | meaning |".
size_t rows_in(const std::string& page) {
  size_t count = 0;
  for (size_t at = 0; (at = page.find("\n| `", at)) != page.npos; ++at) ++count;
  return count;
}

TEST(Csv, page_lists_every_column_and_no_other) {
  const std::string page = page_of_csv();
  size_t rows = 0;
  for (const auto& columns : {run_csv_columns(), gpu_csv_columns()})
    for (const CsvColumn& column : columns) {
      const bool is_counter = std::ranges::any_of(
          counter_fields(), [&](const CounterField& field) { return field.name == column.name; });
      if (is_counter) continue;  // docs/counters.md has them
      ++rows;
      const std::string row =
          fmt::format("\n| `{}` | {} | {} |\n", column.name, column.unit, column.meaning);
      EXPECT_NE(page.find(row), page.npos) << row;
    }
  EXPECT_EQ(rows_in(page), rows);
}

TEST(Csv, quotes_what_would_end_a_cell) {
  MeasuredExplanation report;
  report.launches.resize(1);
  report.launches[0].timing.name = "f(int, \"x\")";
  const std::string text = gpu_csv(report);
  EXPECT_NE(text.find("\n0,0,\"f(int, \"\"x\"\")\",1,1,1,1,1,1,,0,"), text.npos) << text;
}

}  // namespace
}  // namespace headroom
