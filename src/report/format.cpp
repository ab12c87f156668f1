#include "report/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

namespace headroom::text {

namespace {

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// Three significant digits, as far as the decimals reach.
std::string three_digits(double value) {
  const double size = std::abs(value);
  if (size == 0) return "0";
  if (size < 0.001) return fmt::format("{:.1e}", value);
  const int decimals = size >= 99.95 ? 0 : size >= 9.995 ? 1 : size >= 0.9995 ? 2 : 3;
  return fmt::format("{:.{}f}", value, decimals);
}

std::string scaled(double value, double step, std::span<const std::string_view> prefixes) {
  size_t i = 0;
  while (value >= 0.9995 * step && i + 1 < prefixes.size()) value /= step, ++i;
  const bool whole = i == 0 && value == std::floor(value);
  return (whole ? fmt::format("{:.0f}", value) : three_digits(value)) + std::string(prefixes[i]);
}

// Where the word that begins at `begin` ends; a number takes its unit along: "1.98 GHz", "1.12 M
// requests".
size_t end_of_phrase(std::string_view text, size_t begin) {
  while (true) {
    const size_t end = std::min(text.find(' ', begin), text.size());
    const auto word = text.substr(begin, end - begin);
    const bool number = !word.empty() && word.back() >= '0' && word.back() <= '9';
    const bool prefix = word == "k" || word == "M" || word == "G" || word == "T";
    if (end == text.size() || !(number || prefix)) return end;
    begin = end + 1;
  }
}

std::vector<std::string_view> characters_of(std::string_view text) {
  std::vector<std::string_view> characters;
  for (size_t i = 0, next; i < text.size(); i = next) {
    for (next = i + 1; next < text.size() && continues_character(text[next]);) ++next;
    characters.push_back(text.substr(i, next - i));
  }
  return characters;
}

std::string joined(const std::vector<std::string_view>& characters, size_t from, size_t count) {
  std::string result;
  for (size_t i = from; i < std::min(from + count, characters.size()); ++i) result += characters[i];
  return result;
}

// Bytes, up to the beginning of a character.
size_t common_beginning(std::string_view a, std::string_view b) {
  size_t i = size_t(std::ranges::mismatch(a, b).in1 - a.begin());
  while (i > 0 && i < a.size() && continues_character(a[i])) --i;
  return i;
}

}  // namespace

std::string compact(double value) {
  static constexpr std::array<std::string_view, 6> prefixes{"", " k", " M", " G", " T", " P"};
  if (value < 10'000 && value == std::floor(value)) return fmt::format("{:.0f}", value);
  return scaled(value, 1000, prefixes);
}

std::string microseconds(double seconds) {
  const double value = seconds * 1e6;
  return value >= 9999.5 ? grouped(std::llround(value)) : three_digits(value);
}

std::string marked(std::string text, bool estimated) { return estimated ? "~" + text : text; }

std::string bytes(double value) {
  static constexpr std::array<std::string_view, 5> prefixes{" B", " KiB", " MiB", " GiB", " TiB"};
  return scaled(value, 1024, prefixes);
}

std::string gigabytes_per_second(double value) {
  const double giga = value / 1e9;
  return (giga >= 99.95 ? grouped(std::llround(giga)) : three_digits(giga)) + " GB/s";
}

std::string percent(double fraction) {
  const double value = fraction * 100;
  const bool whole = value >= 9.95 || value == std::floor(value);
  return fmt::format("{:.{}f} %", value, whole ? 0 : 1);
}

std::string ratio(double value) { return fmt::format("{:.1f}", value); }

std::string state_word(State state) {
  switch (state) {
    case State::not_executed:
    case State::refused: return "not run";
    case State::stopped: return "stopped";
    case State::ran:
    case State::measured: break;
  }
  return "";
}

std::string launch_shape(const Dim3& grid, const Dim3& block) {
  const bool flat = grid.y * grid.z * block.y * block.z == 1;
  if (flat) return fmt::format("{} × {}", grid.x, block.x);
  return fmt::format("({},{},{})×({},{},{})", grid.x, grid.y, grid.z, block.x, block.y, block.z);
}

std::string short_name(std::string_view kernel) {
  // The parameter list is the last parenthesis at depth 0 of <>; a return type ends at the last
  // space before the name.
  int depth = 0;
  size_t begin = 0, end = kernel.size();
  for (size_t i = 0; i < kernel.size(); ++i) {
    const char c = kernel[i];
    if (c == '<' || c == '(') {
      const bool anonymous = kernel.substr(i).starts_with("(anonymous namespace)");
      if (c == '(' && depth == 0 && i > begin && !anonymous) {
        end = i;
        break;
      }
      ++depth;
    }
    if ((c == '>' || c == ')') && depth > 0) --depth;
    if (c == ' ' && depth == 0) begin = i + 1;
  }
  return std::string(begin < end ? kernel.substr(begin, end - begin) : kernel);
}

std::string bare_name(std::string_view kernel) {
  const std::string name = short_name(kernel);
  size_t begin = 0;
  int depth = 0;
  for (size_t i = 0; i + 1 < name.size(); ++i) {
    if (name[i] == '<' || name[i] == '(') ++depth;
    if (name[i] == '>' || name[i] == ')') --depth;
    if (depth == 0 && name[i] == ':' && name[i + 1] == ':') begin = i + 2;
  }
  return name.substr(begin);
}

constexpr size_t bearable = 48;  // the name of a template may fill a page

std::string name_in_text(std::string_view kernel) { return shorten(bare_name(kernel), bearable); }

std::map<std::string, std::string> names_in_text(const std::vector<std::string>& kernels) {
  std::vector<std::string> names;
  for (const std::string& kernel : kernels) names.push_back(bare_name(kernel));
  const std::vector<std::string> apart = shorten_apart(names, bearable);
  std::map<std::string, std::string> result;
  for (size_t i = 0; i < kernels.size(); ++i) result.emplace(kernels[i], apart[i]);
  return result;
}

size_t display_width(std::string_view text) {
  size_t width = 0;
  for (char c : text) width += !continues_character(c);
  return width;
}

std::string shorten(std::string_view text, size_t width) {
  if (display_width(text) <= width) return std::string(text);
  if (width == 0) return "";
  const auto characters = characters_of(text);
  const size_t head = width / 2, tail = width - 1 - head;
  return joined(characters, 0, head) + "…" + joined(characters, characters.size() - tail, tail);
}

std::vector<std::string> shorten_apart(const std::vector<std::string>& names, size_t width) {
  std::vector<std::string> result;
  for (const std::string& name : names) result.push_back(shorten(name, width));
  constexpr size_t min_width = 12;  // below, three pieces say nothing
  if (width < min_width) return result;
  const std::vector<std::string> alike = result;
  for (size_t i = 0; i < names.size(); ++i) {
    // Of all names that look the same, where the one most like it differs.
    std::optional<size_t> differs_at;
    for (size_t j = 0; j < names.size(); ++j)
      if (alike[i] == alike[j] && names[i] != names[j])
        differs_at = std::max(differs_at.value_or(0), common_beginning(names[i], names[j]));
    if (!differs_at) continue;
    const auto characters = characters_of(names[i]);
    const size_t from = characters_of(names[i].substr(0, *differs_at)).size();
    const size_t head = width / 3, middle = width / 3, tail = width - 2 - head - middle;
    result[i] = joined(characters, 0, head) + "…" + joined(characters, from, middle) + "…" +
                joined(characters, characters.size() - tail, tail);
  }
  return result;
}

namespace {

// Lines that are filled with phrases.
struct Lines {
  size_t columns, indent;
  std::string done, line;  // the last line is not done yet
  bool is_fresh = true;    // it has nothing but its indentation

  void put(std::string_view phrase) {
    if (!is_fresh && room() < 1 + display_width(phrase)) {
      done += line + "\n";
      line = std::string(indent, ' ');
      is_fresh = true;
    }
    if (room() >= display_width(phrase)) return append(phrase);
    const size_t space = phrase.find(' ');
    if (space == phrase.npos) return append(shorten(phrase, std::max<size_t>(room(), 1)));
    put(phrase.substr(0, space));
    put(phrase.substr(space + 1));
  }

 private:
  size_t room() const { return columns - std::min(columns, display_width(line)); }
  void append(std::string_view phrase) {
    if (!is_fresh) line += ' ';
    line += phrase;
    is_fresh = false;
  }
};

}  // namespace

std::string wrap(std::string_view text, size_t columns, size_t indent) {
  const size_t begin = std::min(text.find_first_not_of(' '), text.size());
  Lines lines{columns, indent, "", std::string(begin, ' ')};
  for (size_t i = begin; i < text.size();) {
    const size_t end = end_of_phrase(text, i);
    lines.put(text.substr(i, end - i));
    i = end + 1;
  }
  return lines.done + lines.line;
}

}  // namespace headroom::text
