// A table of tunings as text: which architectures use which row.
//
//   rows_text<Tuning>()
//
//   architectures     row      NT  VT  OCC    NV
//   before sm_80      none
//   sm_80 … sm_89     sm_80   128   7    4   896
//   from sm_90        sm_90   256  11    2  2816
//
//   rows_text<Tuning>(Column{"P1", [](auto row) { return row.P1; }})        a column of one's own
#pragma once
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "headroom/launch_box/table.h"

namespace headroom {

// A further column: `of` takes a value of a row type and returns a number or a text.
template <typename Of>
struct Column {
  const char* name;
  Of of;
};
template <typename Of>
Column(const char*, Of) -> Column<Of>;

namespace launch_box_text {

inline std::string shown(const std::string& words) { return words; }
inline std::string shown(const char* words) { return words; }
template <typename Number>
std::string shown(Number number) {
  return std::to_string(number);
}

// Letters, not bytes: the ellipsis is one.
inline size_t width(const std::string& words) {
  return size_t(
      std::count_if(words.begin(), words.end(), [](char byte) { return (byte & 0xC0) != 0x80; }));
}

// Two columns of names stand left, figures right.
inline std::string aligned(const std::vector<std::vector<std::string>>& lines) {
  std::vector<size_t> widths(lines[0].size());
  for (const auto& line : lines) {
    for (size_t c = 0; c < line.size(); ++c) widths[c] = std::max(widths[c], width(line[c]));
  }
  std::string all;
  for (const auto& line : lines) {
    std::string one;
    for (size_t c = 0; c < line.size(); ++c) {
      const std::string room(widths[c] - width(line[c]), ' ');
      one += c == 0 ? line[c] + room : c == 1 ? "  " + line[c] + room : "  " + room + line[c];
    }
    one.erase(one.find_last_not_of(' ') + 1);
    all += one + "\n";
  }
  return all;
}

}  // namespace launch_box_text

template <typename Tuning, typename... Columns>
std::string rows_text(const Columns&... columns) {
  using launch_box_text::shown;
  std::vector<std::vector<std::string>> lines{
      {"architectures", "row", "NT", "VT", "OCC", "NV", columns.name...},
      {"before " + architecture_name(Tuning::first_architecture), "none"}};
  Tuning::for_each([&](auto row) {
    if (lines.size() > 2) {  // the row before ends here
      std::string& range = lines.back()[0];
      const std::string last = architecture_name(row.architecture - 1);
      range = range.substr(5) == last ? last : range.substr(5) + " … " + last;
    }
    lines.push_back({"from " + architecture_name(row.architecture),
                     architecture_name(row.architecture), shown(row.NT), shown(row.VT),
                     shown(row.OCC), shown(row.NT * row.VT), shown(columns.of(row))...});
  });
  return launch_box_text::aligned(lines);
}

}  // namespace headroom
