// The word a person most likely meant, for hints: the least number of single-character edits.
//
//   nearest("sm_cuont", {"sm_count", "l2_size"})  ->  "sm_count"
#pragma once
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

inline size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
      diagonal = above;
    }
  }
  return row.back();
}

// `words` must not be empty.
template <class Words>
std::string nearest(std::string_view word, const Words& words) {
  std::string_view best = *std::begin(words);
  for (std::string_view candidate : words)
    if (edit_distance(word, candidate) < edit_distance(word, best)) best = candidate;
  return std::string(best);
}

}  // namespace headroom
