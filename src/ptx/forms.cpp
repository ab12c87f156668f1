// The table of forms as a whole: finding the row of an instruction, and the row it may have meant.
//
//   find_form("add", {".rn", ".f32"}, 3)           ->  add{.rnd}{.ftz}{.sat}.f32 d, a, b
//   nearest_form("add", {".ftz", ".rn", ".f32"})   ->  the same row: right modifiers, wrong order
#include "ptx/forms.h"

#include <algorithm>
#include <cstdlib>
#include <unordered_map>

#include "base/nearest.h"
#include "ptx/forms_pattern.h"
#include "ptx/forms_table.h"

namespace headroom::ptx {
namespace {

struct Table {
  std::vector<Form> rows;
  std::vector<Pattern> patterns;
  std::unordered_map<std::string_view, std::vector<int>> by_opcode;

  Table() {
    for (auto part : {integer_forms(), float_forms(), compare_forms(), move_forms(),
                      convert_forms(), async_forms(), texture_forms(), control_forms(),
                      synchronise_forms(), mbarrier_forms(), matrix_forms(), video_forms()})
      rows.insert(rows.end(), part.begin(), part.end());
    for (const Form& row : rows) {
      by_opcode[Pattern(row.text).opcode].push_back(int(patterns.size()));
      patterns.emplace_back(row.text);
    }
  }
};

const Table& table() {
  static const Table the_table;
  return the_table;
}

// Least cost of turning the modifiers into a sequence that the pattern accepts: 4 for each one too
// many, missing or wrong, but only 1 where the row has the modifier at another place.
int distance(const Pattern& pattern, std::span<const std::string> modifiers) {
  auto cost = [&](const std::string& modifier) {
    for (int i = 0; i < pattern.size; ++i)
      if (pattern.items[i].accepts(modifier)) return 1;
    return 4;
  };
  std::vector<int> least(pattern.size + 1, 1 << 20);
  auto pass_items = [&](std::vector<int>& costs) {
    for (int i = 0; i < pattern.size; ++i) {
      costs[i + 1] = std::min(costs[i + 1], costs[i] + 4);
      int skip = pattern.items[i].skip_to;
      if (skip) costs[skip] = std::min(costs[skip], costs[i]);
    }
  };
  least[0] = 0;
  pass_items(least);
  for (const std::string& modifier : modifiers) {
    std::vector<int> next(pattern.size + 1, 1 << 20);
    int wrong = cost(modifier);
    for (int i = 0; i <= pattern.size; ++i) {
      next[i] = std::min(next[i], least[i] + wrong);
      if (i == pattern.size) continue;
      int step = pattern.items[i].accepts(modifier) ? 0 : 4;
      next[i + 1] = std::min(next[i + 1], least[i] + step);
    }
    pass_items(next);
    least = std::move(next);
  }
  return least[pattern.size];
}

}  // namespace

std::span<const Form> forms() { return table().rows; }

const Form* find_form(std::string_view opcode, std::span<const std::string> modifiers,
                      int operands) {
  auto found = table().by_opcode.find(opcode);
  if (found == table().by_opcode.end()) return nullptr;
  for (int row : found->second) {
    const Pattern& pattern = table().patterns[row];
    if (pattern.takes(operands) && pattern.matches(modifiers)) return &table().rows[row];
  }
  return nullptr;
}

const Form& nearest_form(std::string_view opcode, std::span<const std::string> modifiers) {
  constexpr size_t longest = 32;  // what is longer is no instruction, and not worth the comparison
  opcode = opcode.substr(0, longest);
  modifiers = modifiers.subspan(0, std::min(modifiers.size(), longest));
  int best = 0, best_distance = 1 << 30;
  std::unordered_map<std::string_view, int> opcode_distance;
  for (const auto& [name, rows] : table().by_opcode)
    opcode_distance[name] = int(edit_distance(opcode, name));
  for (size_t row = 0; row < table().rows.size(); ++row) {
    const Pattern& pattern = table().patterns[row];
    int far = 1000 * opcode_distance[pattern.opcode];
    if (far >= best_distance) continue;
    far += distance(pattern, modifiers);
    if (far < best_distance) {
      best = int(row);
      best_distance = far;
    }
  }
  return table().rows[best];
}

std::string advice_for(std::string_view opcode, std::span<const std::string> modifiers) {
  const Form& nearest = nearest_form(opcode, modifiers);
  std::string_view name = Pattern(nearest.text).opcode;
  if (opcode.size() > 32 || edit_distance(opcode, name) > 2)
    return "headroom reads the instructions that docs/ptx.md lists";
  return "the nearest form is " + std::string(nearest.text) + " (PTX ISA 9.0, " +
         std::string(nearest.section) + ")";
}

namespace {

// "9.7.9.8" < "9.7.9.21"
bool section_before(std::string_view a, std::string_view b) {
  auto number = [](std::string_view& text) {
    size_t end = text.find('.');
    int value = std::atoi(std::string(text.substr(0, end)).c_str());
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    return value;
  };
  while (!a.empty() && !b.empty()) {
    int x = number(a), y = number(b);
    if (x != y) return x < y;
  }
  return a.size() < b.size();
}

}  // namespace

std::string describe_forms() {
  std::vector<Form> rows(forms().begin(), forms().end());
  std::stable_sort(rows.begin(), rows.end(), [](const Form& a, const Form& b) {
    return section_before(a.section, b.section);
  });
  std::string page =
      "# The PTX that headroom reads\n\n"
      "Generated from the rows of `src/ptx/forms_*.cpp`; sections are those of the PTX ISA manual, "
      "version 9.0. "
      "What stands in braces may be left out. Reading a form says nothing of running it.\n\n"
      "| Section | Form |\n|---|---|\n";
  for (const Form& row : rows) {
    std::string text;
    for (char c : row.text) text += c == '|' ? "\\|" : std::string(1, c);
    page += "| " + std::string(row.section) + " | `" + text + "` |\n";
  }
  page += "\n## Sets of modifiers\n\nA `*` stands for a number.\n\n| Set | Members |\n|---|---|\n";
  for (const Set& set : sets)
    page += "| `" + std::string(set.name) + "` | `" + std::string(set.members) + "` |\n";
  return page;
}

}  // namespace headroom::ptx
