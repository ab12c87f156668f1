#include "cli/values.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>
#include <string_view>

namespace headroom {

namespace {

CLI::Validator validator(std::function<std::string(std::string&)> problem_of) {
  return CLI::Validator(std::move(problem_of), "");
}

// The whole text as a number; nothing where it is none or does not fit.
template <class Number>
std::optional<Number> read(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_one = error == std::errc{} && end == text.data() + text.size();
  return is_one ? std::optional(value) : std::nullopt;
}

// "from 1 to 64", "of at least 1"
template <class Number>
std::string range(Number least, Number most, Number unlimited) {
  return most == unlimited ? fmt::format("of at least {}", least)
                           : fmt::format("from {} to {}", least, most);
}

// How many bytes a unit has, by its letters in lower case.
std::optional<uint64_t> bytes_of(std::string unit) {
  for (char& letter : unit) letter = char(std::tolower(static_cast<unsigned char>(letter)));
  if (unit.ends_with("b")) unit.pop_back();
  if (unit.size() == 2 && unit.ends_with("i")) unit.pop_back();
  constexpr std::string_view letters = "kmgt";
  if (unit.empty()) return 1;
  if (unit.size() > 1 || letters.find(unit[0]) == letters.npos) return std::nullopt;
  return uint64_t(1) << 10 * (letters.find(unit[0]) + 1);
}

std::optional<uint64_t> size_of(const std::string& text) {
  const size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const size_t unit = std::min(text.find_first_not_of(' ', digits), text.size());
  const auto number = read<uint64_t>(std::string_view(text).substr(0, digits));
  const auto each = bytes_of(text.substr(unit));
  uint64_t size = 0;
  if (!number || !each || __builtin_mul_overflow(*number, *each, &size)) return std::nullopt;
  return size;
}

}  // namespace

CLI::Validator whole_number(int64_t least, int64_t most) {
  return validator([least, most](std::string& text) {
    const auto value = read<int64_t>(text);
    if (value && *value >= least && *value <= most) return std::string();
    return fmt::format("'{}' is not a whole number {}", text,
                       range(least, most, int64_t(std::numeric_limits<int>::max())));
  });
}

CLI::Validator number_from(double least, double most) {
  return validator([least, most](std::string& text) {
    const auto value = read<double>(text);  // NaN is in no range
    if (value && *value >= least && *value <= most) return std::string();
    return fmt::format("'{}' is not a number {}", text,
                       range(least, most, std::numeric_limits<double>::infinity()));
  });
}

CLI::Validator one_of(const std::vector<std::string>& words) {
  return validator([words](std::string& text) {
    if (std::find(words.begin(), words.end(), text) != words.end()) return std::string();
    return fmt::format("'{}' is not one of: {}", text, fmt::join(words, ", "));
  });
}

CLI::Validator size_in_bytes() {
  return validator([](std::string& text) {
    const auto size = size_of(text);
    if (!size) return fmt::format("'{}' is not a number of bytes, as 8192, 8K or 8KiB", text);
    text = std::to_string(*size);
    return std::string();
  });
}

CLI::Validator not_empty() {
  return validator([](std::string& text) {
    return text.empty() ? std::string("the value is empty") : std::string();
  });
}

}  // namespace headroom
